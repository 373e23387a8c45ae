import type { Database as SqliteFile } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { IngestClient } from "../../../src/areas/usage/ingest/ingest-client";
import { IngestQueue } from "../../../src/areas/usage/ingest/ingest-queue";
import type { IngesterAnswer, IngesterMessage } from "../../../src/areas/usage/ingest/messages";
import { usageLag } from "../../../src/areas/usage/operations";
import type { Instant } from "../../../src/kernel/clock";
import { longText, testNow } from "../../support/world";
import { count, event, ground, textOf } from "./ground";

const request = (text: string, environmentId = "env") => ({
	environmentId,
	now: testNow,
	unknownCustomers: "refuse" as const,
	text,
});

describe("which events are the same", () => {
	/** Sends a first event and then another, by one batch, by two, or with a restart between; answers how many count. */
	const countBoth = (more: object, hash?: (text: string) => bigint) => {
		const counts = new Set<string>();
		for (const way of ["one batch", "two requests", "restart"] as const) {
			const site = ground({ ...(hash && { hash }), recentMax: 1 });
			const rows = [site.customer("acme"), site.customer("bob")];
			site.meter("calls", count);
			if (way === "one batch") site.take([event(), event(more)]);
			else {
				site.take([event()]);
				site.jobs.log.tidy(1);
				if (way === "restart") site.crash();
				site.take([event(more)]);
			}
			site.jobs.aggregator.run();
			const resources = [null, "r1", "r2"];
			const all = rows.flatMap((row) =>
				resources.map((resourceId) => Number(site.usage("calls", row, { resourceId }))),
			);
			counts.add(String(all.reduce((sum, one) => sum + one, 0)));
		}
		return [...counts];
	};

	const cases: Array<[string, object, string]> = [
		["all parts equal", {}, "1"],
		["another time", { timestamp: "2025-01-01T00:00:00Z" }, "1"],
		["other dimensions", { dimensions: { a: 1 } }, "1"],
		["resource null and absent", { resourceId: null }, "1"],
		["another key", { idempotencyKey: "k2" }, "2"],
		["another event name", { eventName: "login" }, "2"],
		["another customer", { customerId: "bob" }, "2"],
		["a resource", { resourceId: "r1" }, "2"],
		["name and key cut elsewhere", { eventName: "api.callk", idempotencyKey: "1" }, "2"],
	];
	test.each(cases)("%s", (_, more, expected) => {
		expect(countBoth(more)).toEqual([expected]);
	});
	test.each(cases)("%s, with every fingerprint the same", (_, more, expected) => {
		expect(countBoth(more, () => 7n)).toEqual([expected]);
	});

	test("the same event of two environments counts in both", () => {
		const site = ground({ hash: () => 7n });
		const [ours, theirs] = [site.customer("acme"), site.customer("acme", "other")];
		site.meter("calls", count);
		site.meter("calls", count, "other");
		site.take([event()]);
		site.take([event()], "other");
		site.jobs.aggregator.run();
		expect([site.usage("calls", ours), site.usage("calls", theirs, { environmentId: "other" })]).toEqual(["1", "1"]);
		expect(site.usage("calls", theirs)).toBe("0");
	});

	test("when the fingerprint files are lost", () => {
		const site = ground({ recentMax: 2 });
		site.customer("acme");
		const events = Array.from({ length: 40 }, (_, at) => event({ idempotencyKey: `k${at}` }));
		for (const one of events) {
			site.take([one]);
			site.jobs.log.tidy(1);
		}
		rmSync(join(site.folder, "fingerprints"), { recursive: true });
		site.crash();
		site.take(events);
		expect(site.jobs.log.lastEvent).toBe(40);
	});
});

describe("a damaged file of fingerprints", () => {
	const events = Array.from({ length: 300 }, (_, at) => event({ idempotencyKey: `k${at}` }));

	/** A log whose older fingerprints lie in one file; the byte at `offset` of it is changed as a failing disk might. */
	const damaged = (offset: number, restart: boolean) => {
		const site = ground({ recentMax: 280 });
		site.customer("acme");
		site.take(events);
		site.jobs.log.tidy(1);
		const [name = ""] = readdirSync(join(site.folder, "fingerprints")).sort();
		const path = join(site.folder, "fingerprints", name);
		const bytes = readFileSync(path);
		bytes[offset] = (bytes[offset] ?? 0) ^ 0x10;
		// In place: the log has the file open.
		const file = openSync(path, "r+");
		writeSync(file, bytes, offset, 1, offset);
		closeSync(file);
		if (restart) site.crash();
		return site;
	};
	/** Of entries on the first page and on the second: both halves of the fingerprint, and the number of the event. */
	const places = [64, 68, 72, 76, 64 + 100 * 16, 64 + 256 * 16 + 4, 64 + 299 * 16 + 12];

	test.each(places)("at byte %p: what was taken is not taken twice, before a restart and after one", (offset) => {
		for (const restart of [false, true]) {
			const site = damaged(offset, restart);
			let refused = 0;
			while (site.send(events).kind !== "accepted") refused += 1;
			expect(refused).toBeLessThanOrEqual(1);
			expect(site.jobs.log.lastEvent).toBe(300);
			for (const trouble of site.troubles) expect(String(trouble)).toContain("is made again from events.db");
		}
	});
});

describe("a group of requests", () => {
	test("one bad request does not hurt the others", () => {
		const site = ground();
		site.customer("acme");
		const results = site.jobs.log.ingest([
			request(textOf([event()])),
			request("{"),
			request(textOf([event({ idempotencyKey: "k2" }), event({ customerId: "nobody" })])),
			request(textOf([event({ idempotencyKey: "k3" })])),
		]);
		expect(results.map(({ kind }) => kind)).toEqual(["accepted", "refused", "refused", "accepted"]);
		expect(site.jobs.log.lastEvent).toBe(2);
		// Nothing of the refused one was kept, not even its fingerprint.
		site.take([event({ idempotencyKey: "k2" })]);
		expect(site.jobs.log.lastEvent).toBe(3);
	});

	test("a full disk: nobody is told yes, nothing is kept, and an honest retry is no duplicate", () => {
		let file: SqliteFile | undefined;
		const site = ground({
			recentMax: 3,
			onOpen: (opened) => {
				file = opened;
			},
		});
		const acme = site.customer("acme");
		const bob = site.customer("bob");
		site.meter("calls", count);
		site.take([event()]);
		const pages = file?.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
		file?.run(`PRAGMA max_page_count = ${pages}`);
		const large = [
			event({ idempotencyKey: "k2", customerId: "bob" }),
			event({ idempotencyKey: "k3", customerId: "bob" }),
			event({ idempotencyKey: "k2", dimensions: { text: longText(20_000) } }),
		];
		const results = site.jobs.log.ingest([request(textOf(large)), request(textOf([event()])), request("{")]);
		expect(results.map(({ kind }) => kind)).toEqual(["unavailable", "unavailable", "unavailable"]);
		expect(site.troubles.map(String)).toEqual([expect.stringContaining("full")]);
		expect(site.jobs.log.lastEvent).toBe(1);
		// The table of fingerprints holds one event, not three: it is not full.
		site.jobs.log.tidy(1);
		expect(readdirSync(join(site.folder, "fingerprints"))).toEqual([]);

		file?.run("PRAGMA max_page_count = 1000000");
		site.take(large);
		expect(site.jobs.log.lastEvent).toBe(4);
		site.jobs.aggregator.run();
		expect([site.usage("calls", acme), site.usage("calls", bob)]).toEqual(["2", "2"]);
		site.take(large);
		site.crash();
		site.take(large);
		expect(site.jobs.log.lastEvent).toBe(4);
	});
});

describe("meters", () => {
	test("a new meter counts the log from its beginning; until it has, the former one answers", () => {
		const site = ground();
		const acme = site.customer("acme");
		site.meter("calls", count);
		site.take(Array.from({ length: 10 }, (_, at) => event({ idempotencyKey: `k${at}`, dimensions: { n: at } })));
		site.jobs.aggregator.run();
		site.changeMeter("calls", { aggregation: { function: "SUM", field: "n" }, filters: [] });
		site.crash(4);
		expect(site.usage("calls", acme)).toBe("10");
		site.jobs.aggregator.step();
		expect(site.jobs.aggregator.lag()).toBe(10);
		expect(site.usage("calls", acme)).toBe("10");
		site.jobs.aggregator.run();
		expect(site.usage("calls", acme)).toBe("45");
		expect(site.jobs.aggregator.lag()).toBe(0);
	});

	test("a meter that has passed a waiting event counts it when its customer comes, even while it is filling", () => {
		const site = ground();
		site.customer("acme");
		site.send(
			[event({ customerId: "later" }), ...Array.from({ length: 8 }, (_, at) => event({ idempotencyKey: `k${at}` }))],
			"env",
			"accept",
		);
		site.jobs.aggregator.run();
		site.meter("calls", count);
		site.crash(2);
		site.jobs.aggregator.step();
		const later = site.customer("later");
		site.jobs.aggregator.step();
		expect(site.jobs.aggregator.lag()).toBeGreaterThan(0);
		site.jobs.aggregator.run();
		expect(site.usage("calls", later)).toBe("1");
	});

	test("events of a feature without a meter are accepted and counted once it has one", () => {
		const site = ground();
		const acme = site.customer("acme");
		site.take([event()]);
		site.jobs.aggregator.run();
		site.meter("calls", count);
		expect(site.usage("calls", acme)).toBe("0");
		site.jobs.aggregator.run();
		expect(site.usage("calls", acme)).toBe("1");
	});

	test("only the events of its own environment are counted", () => {
		const site = ground();
		const [acme, foreign] = [site.customer("acme"), site.customer("acme", "other")];
		site.meter("calls", count);
		site.take([event()]);
		site.take([event(), event({ idempotencyKey: "k2" })], "other");
		site.jobs.aggregator.run();
		expect([site.usage("calls", acme), site.usage("calls", foreign)]).toEqual(["1", "0"]);
	});
});

test("the lag tells how many events the totals are behind", () => {
	const site = ground();
	site.customer("acme");
	const lag = () => site.transactions.read(systemActor("env"), usageLag);
	site.take([event(), event({ idempotencyKey: "k2" })]);
	expect(lag()).toBe(2);
	site.jobs.aggregator.run();
	expect(lag()).toBe(0);
});

test("a late event lands in the period that it belongs to", () => {
	const site = ground();
	const acme = site.customer("acme");
	site.meter("calls", count);
	const december = { start: Date.UTC(2025, 11, 1), end: Date.UTC(2026, 0, 1) } as never;
	const january = { start: Date.UTC(2026, 0, 1), end: Date.UTC(2026, 1, 1) } as never;
	const usage = () => [site.usage("calls", acme, { period: december }), site.usage("calls", acme, { period: january })];
	site.take([event({ timestamp: "2026-01-01T00:00:00Z" })]);
	site.jobs.aggregator.run();
	expect(usage()).toEqual(["0", "1"]);
	site.take([event({ idempotencyKey: "k2", timestamp: "2025-12-31T23:59:59.999Z" })]);
	site.jobs.aggregator.run();
	expect(usage()).toEqual(["1", "1"]);
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
		/** What was sent in this turn of the event loop. */
		const deliver = async (): Promise<void> => {
			await new Promise(setImmediate);
			for (const messages of posted.splice(0)) queue.add(messages, hear);
		};
		return { site, answers, client, queue, posted, deliver, grown: () => grown };
	};

	test("what arrives together shares one transaction, and each gets its own answer", async () => {
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

	test("what comes in one turn goes in one message, apart by environment, instant and policy", async () => {
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

	test("threads whose requests share a transaction each get the answers to their own", async () => {
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

	test("duplicates alone wake nobody", async () => {
		const { client, deliver, grown } = pair();
		for (let round = 0; round < 2; round += 1) {
			const result = client.send(request(textOf([event()])));
			await deliver();
			expect(await result).toEqual({ kind: "accepted" });
		}
		expect(grown()).toBe(1);
	});

	test("when the thread dies, those under way are told to try again, and later ones are not harmed", async () => {
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

	test("a full queue holds callers off, and takes them again when it has room", async () => {
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

	test("a stop writes what waits", async () => {
		const { client, deliver, queue, site } = pair();
		const result = client.send(request(textOf([event()])));
		await deliver();
		queue.finish();
		expect(await result).toEqual({ kind: "accepted" });
		expect(site.jobs.log.lastEvent).toBe(1);
	});
});

describe("events that need not be known for ever", () => {
	const dayMs = 86_400_000;
	const reported = (at: number, daysAgo: number) =>
		event({ idempotencyKey: `k${at}`, timestamp: new Date(testNow - daysAgo * dayMs).toISOString() });
	/** An event of each of 160 days; the oldest 128 of them have come to be in one file. */
	const aged = (knownDays: number) => {
		const site = ground({ recentMax: 8, knownDays, clock: { now: () => testNow } });
		site.customer("acme");
		for (let at = 0; at < 160; at += 1) {
			site.take([reported(at, 160 - at)]);
			site.jobs.log.tidy(1);
		}
		while (site.jobs.log.tidy(1));
		// It looks once an hour: as after that, or after a start.
		site.crash();
		while (site.jobs.log.tidy(1));
		return site;
	};
	const runsOf = (folder: string) =>
		readdirSync(join(folder, "fingerprints"))
			.filter((name) => name.endsWith(".run"))
			.sort();

	test("are forgotten by whole files when all in one are too old, also after a start; those within the window never are", () => {
		const site = aged(10);
		expect(runsOf(site.folder).every((name) => Number(name.split("-")[0]) > 1)).toBe(true);
		site.crash();
		site.take([reported(0, 160)]);
		expect(site.jobs.log.lastEvent).toBe(161);
		// Within ten days, and known.
		for (let at = 150; at < 160; at += 1) site.take([reported(at, 160 - at)]);
		expect(site.jobs.log.lastEvent).toBe(161);
	});

	test("are all known where the window is longer, and known again after the files are deleted", () => {
		const longer = aged(161);
		longer.take(Array.from({ length: 160 }, (_, at) => reported(at, 160 - at)));
		expect(longer.jobs.log.lastEvent).toBe(160);
		const site = aged(10);
		rmSync(join(site.folder, "fingerprints"), { recursive: true });
		site.crash();
		site.take([reported(0, 160)]);
		expect(site.jobs.log.lastEvent).toBe(160);
	});
});
