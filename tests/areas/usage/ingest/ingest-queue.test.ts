import { describe, expect, test } from "bun:test";
import { IngestClient } from "../../../../src/areas/usage/ingest/ingest-client";
import { IngestQueue } from "../../../../src/areas/usage/ingest/ingest-queue";
import type { IngesterAnswer, IngesterMessage } from "../../../../src/areas/usage/ingest/messages";
import type { Instant } from "../../../../src/kernel/clock";
import { testNow } from "../../../support/world";
import { event, ground, textOf } from "../ground";

const request = (text: string, environmentId = "env") => ({
	environmentId,
	now: testNow,
	unknownCustomers: "refuse" as const,
	text,
});

describe("between the HTTP side and the thread", () => {
	const pair = () => {
		const site = ground();
		site.customer("acme");
		const answers: IngesterAnswer[] = [];
		const posted: Array<readonly IngesterMessage[]> = [];
		let grown = 0;
		const client = new IngestClient((messages) => posted.push(messages));
		const queue = new IngestQueue({
			log: site.jobs.log,
			onGrown: () => {
				grown += 1;
			},
		});
		const hear = (answer: IngesterAnswer): void => {
			answers.push(answer);
			client.hear(answer);
		};
		/** Delivers the messages of this turn of the event loop. */
		const deliver = async (): Promise<void> => {
			await new Promise(setImmediate);
			for (const messages of posted.splice(0)) queue.add(messages, hear);
		};
		return { site, answers, client, queue, posted, deliver, grown: () => grown };
	};

	test("requests that arrive together share one transaction, and each gets its own answer", async () => {
		const { client, deliver, answers, grown, site } = pair();
		const sent = [
			textOf([event()]),
			"{",
			textOf([event({ customerId: "nobody" })]),
			textOf([event({ idempotencyKey: "k2" })]),
		];
		const results = Promise.all(sent.map((text) => client.send(request(text))));
		await deliver();
		expect((await results).map(({ kind }) => kind)).toEqual(["accepted", "refused", "refused", "accepted"]);
		expect(answers.length).toBe(1);
		expect(grown()).toBe(1);
		expect(site.jobs.log.lastEvent).toBe(2);
	});

	test("requests of one turn go in one message for each environment, instant and policy", async () => {
		const { client, posted } = pair();
		const sent = request("{}");
		for (const one of [
			sent,
			sent,
			{ ...sent, environmentId: "other" },
			sent,
			{ ...sent, unknownCustomers: "accept" },
		] as const)
			void client.send(one);
		await new Promise(setImmediate);
		expect(posted.map((messages) => messages.map(({ firstId, texts }) => [firstId, texts.length]))).toEqual([
			[
				[1, 2],
				[3, 1],
				[4, 1],
				[5, 1],
			],
		]);
		void client.send({ ...sent, now: (testNow + 1) as Instant });
		await new Promise(setImmediate);
		expect(posted.length).toBe(2);
	});

	test("threads whose requests share a transaction get the answers to their own requests", async () => {
		const { site, queue } = pair();
		const message = (firstId: number, text: string) => ({ ...request(text), firstId, texts: [text] });
		const answered = [1, 2].map((thread) => {
			const { promise, resolve } = Promise.withResolvers<IngesterAnswer>();
			queue.add([message(7, thread === 1 ? textOf([event()]) : "{")], resolve);
			return promise;
		});
		const [one, other] = await Promise.all(answered);
		expect(one).toEqual({ accepted: [7], others: [] });
		expect(other).toMatchObject({ accepted: [], others: [{ id: 7 }] });
		expect(site.jobs.log.lastEvent).toBe(1);
	});

	test("duplicates alone do not wake the aggregator", async () => {
		const { client, deliver, grown } = pair();
		for (let round = 0; round < 2; round += 1) {
			const result = client.send(request(textOf([event()])));
			await deliver();
			expect(await result).toEqual({ kind: "accepted" });
		}
		expect(grown()).toBe(1);
	});

	test("after the death of the thread, callers in flight may retry, and later requests are not affected", async () => {
		const { client, deliver, posted } = pair();
		const lost = client.send(request(textOf([event()])));
		await new Promise(setImmediate);
		posted.length = 0;
		const unsent = client.send(request(textOf([event()])));
		client.died();
		for (const result of [lost, unsent])
			expect(await result).toMatchObject({
				kind: "unavailable",
				retryAfterSeconds: 1,
				message: expect.stringContaining("count once"),
			});
		await new Promise(setImmediate);
		expect(posted).toEqual([]);
		const again = client.send(request(textOf([event()])));
		await deliver();
		expect(await again).toEqual({ kind: "accepted" });
	});

	test("a full queue rejects callers, and accepts them again when it has space", async () => {
		const { client, deliver, posted } = pair();
		const waiting = Array.from({ length: 8192 }, () => client.send(request("{")));
		expect(await client.send(request(textOf([event()])))).toMatchObject({ kind: "unavailable" });
		await new Promise(setImmediate);
		expect(posted.flatMap((messages) => messages.flatMap(({ texts }) => texts)).length).toBe(8192);
		await deliver();
		const kinds = new Set((await Promise.all(waiting)).map(({ kind }) => kind));
		expect([...kinds]).toEqual(["refused"]);
		const later = client.send(request(textOf([event()])));
		await deliver();
		expect(await later).toEqual({ kind: "accepted" });
	});

	test("a stop writes the waiting requests", async () => {
		const { client, deliver, queue, site } = pair();
		const result = client.send(request(textOf([event()])));
		await deliver();
		queue.finish();
		expect(await result).toEqual({ kind: "accepted" });
		expect(site.jobs.log.lastEvent).toBe(1);
	});
});
