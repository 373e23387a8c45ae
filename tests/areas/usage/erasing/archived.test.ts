import { expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atOnce } from "../../../../src/areas/usage/archive/exclusive";
import { EventEraser } from "../../../../src/areas/usage/erasing/eraser";
import type { Instant } from "../../../../src/kernel/clock";
import { openFile } from "../../../../src/kernel/storage/db";
import { onceHere } from "../../../../src/kernel/storage/failures";
import { testNow } from "../../../support/world";
import { archive, dayMs, reported } from "../archived";
import { filesHere, moved, stored, upload } from "../stored";

const keptDays = 30;

/** Ten days of events of two customers; five days of them are objects of a bucket. */
async function site() {
	const made = await moved({
		before: (ours) => {
			ours.customer("other");
			for (let day = 10; day >= 1; day -= 1)
				ours.take([reported(5000 + day, day, { customerId: "other", dimensions: { by: "Grace" } })]);
			ours.take([reported(6000, 9, { dimensions: { by: "Ada" } })]);
			ours.jobs.aggregator.run();
		},
	});
	const { site: ours, acme, server, settings } = made;
	const erase = async (): Promise<void> => {
		const db = openFile(ours.folder, "main", ["usage", "events"]);
		const eraser = new EventEraser({
			...{ folder: ours.folder, db, aggregator: ours.jobs.aggregator, exclusively: atOnce, isStopping: () => false },
			order: async (order) => expect(ours.jobs.log.archive(order)).toBe(true),
			replacedKeptMs: keptDays * dayMs,
			clock: { now: () => testNow },
		});
		const customer = { id: acme, refId: "acme", environmentId: "env", key: "key" };
		for (let place: string | undefined = ""; place !== undefined; )
			place = (await onceHere(() => eraser.step(customer, place ?? ""))).next;
		db.$client.close();
	};
	const replaced = (): number =>
		ours.file.query<{ rows: number }, []>("SELECT count(*) AS rows FROM event_replaced_objects").get()?.rows ?? -1;
	const clockAt = (days: number) => ({ now: () => (testNow + days * dayMs) as Instant });
	return { ours, server, settings, erase, replaced, clockAt };
}

test("an erasure deletes no object: replaced ones are retained for backups that need them, and deleted after a time", async () => {
	const { ours, server, settings, erase, replaced, clockAt } = await site();
	const before = [...server.objects.keys()];
	await erase();
	expect(server.requests.filter((request) => request.startsWith("DELETE"))).toEqual([]);
	expect(replaced()).toBe(before.length);
	await upload(ours, { settings, clock: clockAt(keptDays - 1) });
	expect(stored(ours)).toBe(before.length);
	expect([...server.objects.keys()]).toEqual(expect.arrayContaining(before));
	await upload(ours, { settings, clock: clockAt(keptDays) });
	expect(replaced()).toBe(0);
	expect(server.objects.size).toBe(before.length);
	for (const name of before) expect(server.objects.has(name)).toBe(false);
}, 60_000);

test("an erasure ends even if the key may not delete: the objects are named, and their deletion is retried", async () => {
	const { ours, server, settings, erase, replaced, clockAt } = await site();
	const before = server.objects.size;
	await erase();
	await upload(ours, { settings, clock: clockAt(0) });
	const undeleted: unknown[] = [];
	const repair = server.fail({ kind: { status: 403, code: "AccessDenied" }, method: "DELETE" });
	await upload(ours, { settings, clock: clockAt(keptDays), onUndeleted: (error) => undeleted.push(error) });
	expect(undeleted.map(String)).toEqual(
		Array.from({ length: before }, () => expect.stringMatching(/s3:\/\/.*\.zst could not be deleted \(AccessDenied\)/)),
	);
	expect(replaced()).toBe(before);
	repair();
	// A refused deletion does not pause the storage: the next run deletes them.
	await upload(ours, { settings, clock: clockAt(keptDays) });
	expect([replaced(), server.objects.size]).toEqual([0, before]);
}, 60_000);

test("archives and erases in a folder without 'archive', as after a restore", async () => {
	const { ours, settings, erase, clockAt } = await site();
	rmSync(join(ours.folder, "archive"), { recursive: true, force: true });
	await archive(ours, 5);
	expect(existsSync(join(ours.folder, "archive", "manifest.json"))).toBe(true);
	rmSync(join(ours.folder, "archive"), { recursive: true, force: true });
	await erase();
	expect(filesHere(ours).length).toBeGreaterThan(0);
	await upload(ours, { settings, clock: clockAt(0) });
}, 60_000);
