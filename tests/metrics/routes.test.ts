import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { noteBackupState } from "../../src/folder/backups/state";
import type { Instant } from "../../src/kernel/clock";
import { readRecord, writeRecord } from "../../src/metrics/record";
import { preparedWorld } from "../support/world";

const site = preparedWorld("system-status", async () => {});

test("the status has the conditions of the folder, and the history once it is measured", async () => {
	const { call, key, publishableKey, services, transactions, actor } = await site;
	const { folder } = services.disk;
	const read = async () => (await call("GET", "/system-status", { key })).body.data;
	const stateOf = (data: { conditions: Array<{ alert: string; state: string }> }, name: string) =>
		data.conditions.find(({ alert }) => alert === name)?.state;
	const first = await read();
	expect(first).toMatchObject({ missing: [], message: null, lastHour: null, measuredSince: null, points: [] });
	expect([stateOf(first, "TollgateTasksWait"), stateOf(first, "TollgateUsageLate")]).toEqual(["UNKNOWN", "GOOD"]);

	const now = transactions.read(actor, ({ machineNow }) => machineNow);
	noteBackupState(folder, { failure: { at: now, message: "no mount", times: 3 } });
	const point = { at: now, requests: 4, rejected: 1, failed: 1, buckets: [0, 3, ...Array(12).fill(0), 1] };
	const figures = { tollgate_tasks_oldest_seconds: 4000, tollgate_events_uncounted: 0 };
	await writeRecord(folder, { at: now, figures, points: [point] });
	const measured = await read();
	expect(measured.lastHour).toEqual({ requests: 4, rejected: 1, failed: 1, medianMs: 1, p99Ms: 10_000 });
	expect(measured.lastDay).toEqual(measured.lastHour);
	expect(measured.points).toMatchObject([{ requests: 4, failed: 1, p99Ms: 10_000 }]);
	expect(stateOf(measured, "TollgateBackupsFail")).toBe("BAD");
	expect(measured.conditions.find(({ alert }: { alert: string }) => alert === "TollgateTasksWait")).toMatchObject({
		state: "BAD",
		value: 4000,
		limit: 3600,
		summary: "A task has waited for an hour.",
		remedy: [expect.stringContaining("Mails wait for the mail server")],
	});

	// Figures of a server that no longer measures say nothing of the present.
	await writeRecord(folder, { at: (now - 6 * 60_000) as Instant, figures, points: [point] });
	const stale = await read();
	expect([stateOf(stale, "TollgateTasksWait"), stale.lastHour, stale.measuredAt]).toEqual(["UNKNOWN", null, null]);
	writeFileSync(join(folder, "status.json"), "{");
	expect(await readRecord(folder)).toBeUndefined();
	expect((await read()).lastHour).toBeNull();
	expect((await call("GET", "/system-status", { key: publishableKey })).status).toBe(403);
});
