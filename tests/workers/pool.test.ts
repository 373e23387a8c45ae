import { afterEach, expect, test } from "bun:test";
import { openLog } from "../../src/http/log";
import type { Instant } from "../../src/kernel/clock";
import { Pool } from "../../src/workers/pool";
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
	const pool = new Pool({ transactions, log, settings, onUnconfirmed, descriptorsMax: Number.POSITIVE_INFINITY });
	pools.push(pool);
	await pool.start();
	expect(warned).toEqual([]);
	const hourMs = 60 * 60 * 1000;
	clock.at = (clock.at - 24 * hourMs) as Instant;
	const [{ jumpMs }] = await eventually(async () => (warned.length > 0 ? (warned as [{ jumpMs: number }]) : undefined));
	// The clock of a test stands still meanwhile.
	expect(Math.abs(jumpMs + 24 * hourMs)).toBeLessThan(hourMs);
});
