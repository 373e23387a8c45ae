import { expect, test } from "bun:test";
import { systemActor } from "../../src/areas/access/rules.actors";
import { figuresOfArchive } from "../../src/metrics/archive";
import { testNow, world } from "../support/world";

const dayMs = 86_400_000;

test("the archive is late by the age of the first block beyond what the log keeps; files without a bucket wait", async () => {
	const ours = world();
	const figures = (keepMs: number | undefined) =>
		Object.fromEntries(
			ours.transactions
				.read(systemActor(""), (work) => figuresOfArchive(work, keepMs))
				.map(({ name, value }) => [name, value]),
		);
	const none = {
		tollgate_archive_late_seconds: 0,
		tollgate_archive_files_waiting: 0,
		tollgate_archive_bytes_waiting: 0,
	};
	expect(figures(dayMs)).toEqual(none);
	await ours.call("POST", "/customers", { body: { id: "acme" } });
	const timestamp = new Date(testNow - 3 * dayMs).toISOString();
	const event = { eventName: "call", customerId: "acme", idempotencyKey: "one", timestamp };
	expect((await ours.call("POST", "/events", { body: { events: [event] } })).status).toBe(200);
	expect(figures(undefined)).toEqual(none);
	expect(figures(4 * dayMs)).toEqual(none);
	expect(figures(dayMs)).toEqual({ ...none, tollgate_archive_late_seconds: 2 * 86_400 });
});
