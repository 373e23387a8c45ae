import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { openLog } from "../../src/http/log";
import { RepeatedFaults } from "../../src/http/repeated-faults";
import { eventually } from "../support/process";

/** The error of a write to a file that may not grow: SQLite reports it as a full disk. */
function fullDisk(): unknown {
	const db = new Database(":memory:");
	db.run("CREATE TABLE rows (text TEXT)");
	db.run("PRAGMA max_page_count = 2");
	try {
		db.run("INSERT INTO rows VALUES (?)", ["x".repeat(100_000)]);
	} catch (error) {
		return error;
	} finally {
		db.close();
	}
	throw new Error("The file has grown.");
}

function reading(countMs?: number) {
	const lines: Array<Record<string, unknown>> = [];
	const log = openLog("info", (line) => void lines.push(JSON.parse(line)), new RepeatedFaults(countMs));
	return { log, lines };
}

test("logs a storage fault that repeats once, and then how often it was repeated", async () => {
	const { log, lines } = reading(5);
	for (let at = 0; at < 1000; at += 1) log.error({ at, err: fullDisk() }, "storage failed");
	expect(lines).toHaveLength(1);
	expect(lines[0]).toMatchObject({ level: "error", at: 0, msg: "storage failed" });
	await eventually(async () => (lines.length > 1 ? true : undefined));
	expect(lines[1]).toMatchObject({ level: "error", repeats: 999, msg: "storage failed" });
});

test("logs a fault of another kind, and any other error, at once", () => {
	const { log, lines } = reading();
	for (const message of ["storage failed", "a job failed"])
		for (let at = 0; at < 3; at += 1) log.error({ err: fullDisk() }, message);
	for (let at = 0; at < 3; at += 1) log.error({ err: new Error("a bug") }, "internal error");
	expect(lines.map(({ msg }) => msg)).toEqual([
		"storage failed",
		"a job failed",
		...Array.from({ length: 3 }, () => "internal error"),
	]);
});

test("logs a fault at once again when it was over", async () => {
	const { log, lines } = reading(5);
	log.error({ err: fullDisk() }, "storage failed");
	await eventually(async () => {
		log.error({ err: fullDisk() }, "storage failed");
		await Bun.sleep(50);
		return lines.filter(({ repeats }) => repeats === undefined).length > 1 ? true : undefined;
	});
	expect(lines.at(-1)).not.toHaveProperty("repeats");
});
