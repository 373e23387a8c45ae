import { afterEach, expect, spyOn, test } from "bun:test";
import { openLog } from "../../src/http/log";
import type { Instant } from "../../src/kernel/clock";
import { spawnThread } from "../../src/threads";
import { Pool } from "../../src/workers/pool";
import { receiver } from "../areas/webhooks/support";
import { eventually } from "../support/process";
import { threadSettings } from "../support/threads";
import { world } from "../support/world";

const pools: Pool[] = [];
afterEach(async () => {
	for (const pool of pools.splice(0)) await pool.stop();
});

test("a machine's clock that is set is in the log, with how far", async () => {
	const { transactions, folder, clock } = world();
	const warned: object[] = [];
	const log = openLog("silent");
	log.warn = (entry: object) => void warned.push(entry);
	const settings = threadSettings(folder);
	const onUnconfirmed = (cause: string) => {
		throw new Error(cause);
	};
	const pool = new Pool({
		log,
		settings,
		onUnconfirmed,
		onDamaged: onUnconfirmed,
		descriptorsMax: Number.POSITIVE_INFINITY,
	});
	pools.push(pool);
	await pool.start(transactions);
	expect(warned).toEqual([]);
	const hourMs = 60 * 60 * 1000;
	clock.at = (clock.at - 24 * hourMs) as Instant;
	const [{ jumpMs }] = await eventually(async () => (warned.length > 0 ? (warned as [{ jumpMs: number }]) : undefined));
	// The clock of a test stands still meanwhile.
	expect(Math.abs(jumpMs + 24 * hourMs)).toBeLessThan(hourMs);
});

test("the webhooks sender runs from the first endpoint on, whichever process makes it", async () => {
	const { transactions, folder, call } = world();
	const spawned = spyOn(spawnThread, "deliverer");
	const { received, url, stop } = receiver();
	try {
		const { api, ...others } = threadSettings(folder);
		const settings = { ...others, api: { ...api, allowPrivateWebhooks: true } };
		const onUnconfirmed = (cause: string) => {
			throw new Error(cause);
		};
		const descriptorsMax = Number.POSITIVE_INFINITY;
		const pool = new Pool({
			log: openLog("silent"),
			settings,
			onUnconfirmed,
			onDamaged: onUnconfirmed,
			descriptorsMax,
		});
		pools.push(pool);
		await pool.start(transactions);
		// An event without subscribers starts nothing: the pool has checked by the time that it sees the customer.
		await call("POST", "/customers", { body: { id: "ada" } });
		await Bun.sleep(1100);
		expect(spawned).not.toHaveBeenCalled();
		await call("POST", "/webhooks", { body: { endpoint: url } });
		await call("POST", "/customers", { body: { id: "eve" } });
		await eventually(async () => (received.length > 0 ? true : undefined));
		expect(received.map(({ body }) => [body.type, body.id])).toEqual([["customer.created", "eve"]]);
		expect(spawned).toHaveBeenCalledTimes(1);
		expect(pool.notReady()).toEqual([]);
	} finally {
		spawned.mockRestore();
		stop();
	}
});

test("a stop just after the start ends at once, whichever calls between threads it finds", async () => {
	for (let round = 0; round < 4; round += 1) {
		const { transactions, folder } = world();
		const onUnconfirmed = (cause: string) => {
			throw new Error(cause);
		};
		const pool = new Pool({
			...{ log: openLog("silent"), settings: threadSettings(folder), onUnconfirmed, onDamaged: onUnconfirmed },
			descriptorsMax: Number.POSITIVE_INFINITY,
		});
		await pool.start(transactions);
		const startedMs = performance.now();
		await pool.stop();
		// A thread that does not answer is ended after ten seconds.
		expect(performance.now() - startedMs).toBeLessThan(9_000);
	}
}, 60_000);
