import { describe, expect, test } from "bun:test";
import { CountingLag } from "../../../../src/areas/usage/ingest/counting-lag";
import { IngestQueue } from "../../../../src/areas/usage/ingest/ingest-queue";
import type { IngesterAnswer } from "../../../../src/areas/usage/ingest/messages";
import { testNow } from "../../../support/world";
import { count, event, ground, textOf } from "../ground";

describe("when counting falls behind the log", () => {
	const pair = (before = 0) => {
		const site = ground();
		site.customer("acme");
		site.meter("calls", count);
		for (let key = 0; key < before; key += 1) site.take([event({ idempotencyKey: `before ${key}` })]);
		const time = { ms: 0 };
		const lag = new CountingLag(site.folder, site.jobs.log.lastEvent, () => time.ms);
		const answers: IngesterAnswer[] = [];
		const queue = new IngestQueue({ log: site.jobs.log, isHeldOff: (lastEvent) => lag.isBehind(lastEvent) });
		let id = 0;
		/** Returns whether an event is accepted at this time. */
		const sendAt = async (ms: number): Promise<boolean> => {
			time.ms = ms;
			id += 1;
			const text = textOf([event({ idempotencyKey: `k${id}` })]);
			const message = {
				environmentId: "env",
				now: testNow,
				unknownCustomers: "refuse",
				firstId: id,
				texts: [text],
			} as const;
			queue.add([message], (reported) => answers.push(reported));
			while (answers.length < id) await Bun.sleep(1);
			const answer = answers.at(-1);
			if (answer?.others.length === 1)
				expect(answer.others[0]?.result).toMatchObject({ kind: "unavailable", retryAfterSeconds: 1 });
			return answer?.accepted.length === 1;
		};
		return { site, sendAt };
	};

	test("senders are held off before an event has waited for ten seconds, and let in again once it is counted", async () => {
		const { site, sendAt } = pair();
		const taken: number[] = [];
		for (let ms = 0; ms <= 12_000; ms += 500) if (await sendAt(ms)) taken.push(ms);
		expect(taken.at(-1)).toBeGreaterThanOrEqual(7_000);
		expect(taken.at(-1)).toBeLessThan(9_500);
		expect(taken.length).toBe(taken.indexOf(taken.at(-1) ?? 0) + 1);
		const stored = site.jobs.log.lastEvent;
		expect(stored).toBe(taken.length);
		site.jobs.aggregator.run();
		expect(await sendAt(12_500)).toBe(true);
		expect(site.jobs.log.lastEvent).toBe(stored + 1);
	});

	test("nobody is held off while all is counted in time, however long it goes on", async () => {
		const { site, sendAt } = pair();
		for (let ms = 0; ms <= 40_000; ms += 1_000) {
			expect(await sendAt(ms)).toBe(true);
			if (ms % 5_000 === 0) site.jobs.aggregator.run();
		}
	});

	test("events from before the start reject no sender", async () => {
		const { site, sendAt } = pair(20);
		for (let ms = 0; ms <= 60_000; ms += 5_000) expect(await sendAt(ms)).toBe(true);
		// The backlog of the start is counted: now the totals must keep up.
		site.jobs.aggregator.run();
		const taken: number[] = [];
		for (let ms = 61_000; ms <= 80_000; ms += 500) if (await sendAt(ms)) taken.push(ms);
		expect(taken.at(-1)).toBeGreaterThan(67_000);
		expect(taken.at(-1)).toBeLessThan(71_000);
	});
});
