import { Database as SqliteFile } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { checkFolder } from "../../src/folder/check";
import { flat, till, used } from "../areas/subscriptions/billing";

setDefaultTimeout(60_000);

/** A customer with a subscription, an invoice and counted usage; closed, so that its files can be damaged. */
async function folderWithUsage() {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("team", [flat({ month: 5 }), used("calls", { month: 2 })]);
	await ours.buy("team");
	for (let at = 0; at < 3; at += 1) await ours.use("calls", 7);
	await ours.advance("2026-05-16T00:00:00Z");
	ours.db.$client.close();
	return ours.folder;
}

function run(folder: string, file: string, statement: string): void {
	const db = new SqliteFile(join(folder, file));
	db.run(statement);
	db.run("PRAGMA wal_checkpoint(TRUNCATE)");
	db.close();
}

function remove(folder: string, file: string): void {
	for (const end of ["", "-wal", "-shm"]) rmSync(join(folder, `${file}${end}`), { force: true });
}

/** Overwrites the beginning of a file, which SQLite then no longer takes for a database. */
function overwrite(folder: string, file: string): void {
	for (const end of ["-wal", "-shm"]) rmSync(join(folder, `${file}${end}`), { force: true });
	writeSync(openSync(join(folder, file), "r+"), Buffer.alloc(8192, 0x5a), 0, 8192, 0);
}

const databasesOf = (folder: string): string[] =>
	readdirSync(folder)
		.filter((file) => file.endsWith(".db"))
		.toSorted();

/** An error of main.db that only a later part of the check finds. */
const falseTotal = "UPDATE invoices SET total = '6', total_hundredths = 600 WHERE sequence = 1";
const falseTotalFound = expect.stringContaining("the invoice INV-000001: total is 6");

describe("a check of a folder with a damaged or missing file names it and completes the other parts", () => {
	test.each<[string, (folder: string) => void, string]>([
		["usage.db is missing", (folder) => remove(folder, "usage.db"), "usage.db is missing. Delete usage.db with"],
		["renders.db is missing", (folder) => remove(folder, "renders.db"), "renders.db is missing. Delete renders.db"],
		["deliveries.db is missing", (folder) => remove(folder, "deliveries.db"), "deliveries.db is missing. Restore"],
		["events.db is missing", (folder) => remove(folder, "events.db"), "events.db is missing. Restore a backup"],
		["usage.db is no database", (folder) => overwrite(folder, "usage.db"), "usage.db: file is not a database"],
		["events.db is no database", (folder) => overwrite(folder, "events.db"), "events.db: file is not a database"],
		[
			"an event is damaged",
			(folder) => run(folder, "events.db", `UPDATE event_blocks SET facts = '[["calls"' WHERE first_event = 2`),
			"events.db: the events 2 to 2 cannot be read (",
		],
		[
			"the times of an event are damaged",
			(folder) => run(folder, "events.db", "UPDATE event_blocks SET later = x'' WHERE first_event = 2"),
			"events.db: the events 2 to 2 cannot be read (",
		],
		[
			"the files of old events name one that is missing",
			(folder) =>
				run(
					folder,
					"events.db",
					"INSERT INTO event_archives (name, day, bytes, sha256, is_whole) VALUES ('2026-04-01-1.jsonl', 20000, 10, 'ab', 1)",
				),
			"2026-04-01-1.jsonl",
		],
	])("%s", async (_, damage, finding) => {
		const folder = await folderWithUsage();
		expect(await checkFolder(folder)).toEqual({ findings: [], notes: [] });
		run(folder, "main.db", falseTotal);
		damage(folder);
		const before = databasesOf(folder);
		const { findings } = await checkFolder(folder);
		expect(findings[0]).toContain(finding);
		expect(findings).toContainEqual(falseTotalFound);
		expect(databasesOf(folder)).toEqual(before);
	});

	test("main.db is missing", async () => {
		const folder = await folderWithUsage();
		run(folder, "events.db", "UPDATE event_blocks SET facts = '[' WHERE first_event = 2");
		remove(folder, "main.db");
		const { findings, notes } = await checkFolder(folder);
		expect(findings).toEqual(["main.db is missing. Restore a backup into a new folder."]);
		expect(notes).toContain("Not checked: what main.db says. It needs main.db, where there are findings.");
	});

	test.each([
		"UPDATE invoices SET issuer = '{' WHERE sequence = 1",
		"UPDATE invoices SET custom_fields = '{' WHERE sequence = 1",
		"UPDATE invoice_lines SET wording = '{' WHERE position = 0",
		"UPDATE invoice_lines SET basis = '{' WHERE position = 0",
	])("a value of main.db that cannot be read: %s", async (damage) => {
		const folder = await folderWithUsage();
		run(folder, "main.db", damage);
		const { findings } = await checkFolder(folder);
		expect(findings).toEqual([
			expect.stringMatching(/^environment main: invoices and credit notes: the check cannot read its data \(JSON/),
		]);
	});
});

test("a folder without any of the files has no data", async () => {
	const folder = await folderWithUsage();
	for (const file of ["main", "events", "usage", "renders", "deliveries"]) remove(folder, `${file}.db`);
	expect((await checkFolder(folder)).findings).toEqual([`There is no Tollgate data in '${folder}'.`]);
});

test("finds the same faults when a thread of its own checks the log", async () => {
	const folder = await folderWithUsage();
	run(folder, "main.db", falseTotal);
	run(folder, "events.db", `UPDATE event_blocks SET facts = '[["calls"' WHERE first_event = 2`);
	const found = await checkFolder(folder, { parallelFromBytes: 0 });
	expect(found).toEqual(await checkFolder(folder));
	expect(found.findings).toEqual([expect.stringContaining("the events 2 to 2 cannot be read"), falseTotalFound]);
});

test.each<[string, (folder: string) => void]>([
	["usage.db is missing", (folder) => remove(folder, "usage.db")],
	["main.db is missing", (folder) => remove(folder, "main.db")],
	["events.db is no database", (folder) => overwrite(folder, "events.db")],
	["usage.db is no database", (folder) => overwrite(folder, "usage.db")],
	["main.db is no database", (folder) => overwrite(folder, "main.db")],
	[
		"usage.db is newer than events.db",
		(folder) => run(folder, "events.db", "DELETE FROM event_blocks WHERE first_event = 3"),
	],
])("a thread of its own reports nothing that it read of unsound files: %s", async (_, damage) => {
	const folder = await folderWithUsage();
	damage(folder);
	const before = databasesOf(folder);
	const found = await checkFolder(folder, { parallelFromBytes: 0 });
	expect(databasesOf(folder)).toEqual(before);
	expect(found).toEqual(await checkFolder(folder));
	expect(found.findings).not.toEqual([]);
});
