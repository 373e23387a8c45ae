import { expect, test } from "bun:test";
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { archive, files, reported, tenDays } from "../archived";
import { event } from "../ground";

/** Ten days of events, the older five of them in the archive; the log retries a missing file at each call. */
async function site() {
	const { site: ours } = tenDays({}, { retryEveryMs: 0 });
	await archive(ours, 5);
	const archivePath = (name: string): string => join(ours.folder, "archive", name);
	const [oldest = ""] = files(ours);
	return {
		ours,
		oldest,
		lose: (name = oldest): void => renameSync(archivePath(name), archivePath(`${name}.away`)),
		bringBack: (name = oldest): void => renameSync(archivePath(`${name}.away`), archivePath(name)),
		damage: (name = oldest): void => writeFileSync(archivePath(name), "damaged"),
		/** Restarts as after a kill, without the files of fingerprints. */
		restartWithoutFingerprints: (): void => {
			rmSync(join(ours.folder, "fingerprints"), { recursive: true, force: true });
			ours.crash();
		},
		kind: (events: readonly unknown[]): string => ours.send(events).kind,
		unknown: (): boolean => existsSync(join(ours.folder, "fingerprints", "unknown.json")),
	};
}

/** The tenth day is in the oldest file, the fifth in none. */
const inOldest = reported(1000, 10);
const inLog = reported(100, 1);
const fresh = (key: number) => reported(90_000 + key, 0);

test("a start needs no file of the archive, because fingerprints are written before the blocks leave the log", async () => {
	const { ours, lose, oldest, kind } = await site();
	lose();
	ours.crash();
	expect(kind([fresh(1)])).toBe("accepted");
	expect(kind([inLog])).toBe("accepted");
	expect(kind([inOldest])).toBe("unavailable");
	expect(kind([inOldest])).toBe("unavailable");
	expect(ours.troubles.map(String)).toHaveLength(1);
	expect((ours.troubles[0] as Error).cause).toMatchObject({
		message: expect.stringContaining(`archive/${oldest} is missing`),
	});
});

test.each(["missing", "damaged"])(
	"without its fingerprints, a %s file holds off known customers' new events only, and is named once",
	async (how) => {
		const { ours, lose, damage, oldest, kind, restartWithoutFingerprints } = await site();
		if (how === "missing") lose();
		else damage();
		restartWithoutFingerprints();
		expect(ours.send([fresh(1)])).toEqual({
			kind: "unavailable",
			message:
				"Whether these events are duplicates cannot be decided now: they may lie in a file of the archive that cannot be read; the operator finds its name in the log. Nothing of this request was kept; send it again.",
			retryAfterSeconds: 1,
		});
		// These are certainly duplicates, and a customer that is new to the log has none.
		expect(kind([inLog])).toBe("accepted");
		ours.customer("newcomer");
		expect(kind([event({ customerId: "newcomer", idempotencyKey: "n1" })])).toBe("accepted");
		expect(kind([event({ customerId: "newcomer", idempotencyKey: "n2" }), fresh(2)])).toBe("unavailable");
		expect(ours.cancel([fresh(3)]).kind).toBe("unavailable");
		expect(ours.troubles).toHaveLength(1);
		expect((ours.troubles[0] as Error).cause).toMatchObject({
			message: expect.stringContaining(`archive/${oldest} is ${how}`),
		});
	},
);

test("events are accepted without a restart once the file is back, and duplicates are known again", async () => {
	const { ours, lose, bringBack, kind, unknown, restartWithoutFingerprints } = await site();
	lose();
	restartWithoutFingerprints();
	expect(kind([fresh(1)])).toBe("unavailable");
	bringBack();
	ours.jobs.log.tidy(1);
	const before = ours.jobs.log.lastEvent;
	expect(kind([inOldest, fresh(1)])).toBe("accepted");
	expect(ours.jobs.log.lastEvent).toBe(before + 1);
	ours.crash();
	expect(kind([inOldest, fresh(1)])).toBe("accepted");
	expect(ours.jobs.log.lastEvent).toBe(before + 1);
	expect(unknown()).toBe(false);
});

test("a file that is still missing after a restart rejects the same events", async () => {
	const { ours, lose, bringBack, kind, restartWithoutFingerprints } = await site();
	lose();
	restartWithoutFingerprints();
	// All events are in files of fingerprints, except for those of the missing file.
	expect(readdirSync(join(ours.folder, "fingerprints")).sort()).toEqual([
		expect.stringMatching(/^1-\d+\.run$/),
		"unknown.json",
	]);
	ours.crash();
	expect(kind([fresh(1)])).toBe("unavailable");
	expect(kind([inOldest])).toBe("unavailable");
	bringBack();
	ours.crash();
	const before = ours.jobs.log.lastEvent;
	expect(kind([inOldest, fresh(1)])).toBe("accepted");
	expect(ours.jobs.log.lastEvent).toBe(before + 1);
});

test("a customer is known by its earlier number if its first events came before it existed", async () => {
	const { ours, lose, restartWithoutFingerprints } = await site();
	expect(ours.send([event({ customerId: "late", idempotencyKey: "l1" })], "env", "accept").kind).toBe("accepted");
	lose();
	restartWithoutFingerprints();
	ours.customer("late");
	expect(ours.send([event({ customerId: "late", idempotencyKey: "l2" })]).kind).toBe("unavailable");
});

test("the log is read again after damage to the list of unknown stretches", async () => {
	const { ours, lose, bringBack, kind, restartWithoutFingerprints } = await site();
	lose();
	restartWithoutFingerprints();
	writeFileSync(join(ours.folder, "fingerprints", "unknown.json"), "{");
	bringBack();
	ours.crash();
	const before = ours.jobs.log.lastEvent;
	expect(kind([inOldest])).toBe("accepted");
	expect(ours.jobs.log.lastEvent).toBe(before);
});
