import { Database as SqliteFile } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { erasePersonal } from "../../../src/areas/audit/operations";
import { anchorOf, compareWithAnchor } from "../../../src/areas/audit/operations.anchor";
import { checkAuditLog } from "../../../src/areas/audit/operations.check";
import {
	AnchorKeeper,
	checkKeptAnchor,
	keepAnchor,
	keptAnchorName,
} from "../../../src/areas/audit/operations.kept-anchor";
import { purgeEntries } from "../../../src/areas/audit/retention";
import { readAnchor } from "../../../src/areas/audit/rules.anchor";
import { checkErased } from "../../../src/areas/privacy/operations.check";
import { openLog } from "../../../src/http/log";
import type { Instant } from "../../../src/kernel/clock";
import { type World, world } from "../../support/world";

const secret = "a secret of the folder";
const everywhere = systemActor("");

let here: World;
beforeEach(async () => {
	here = world();
	for (const id of ["a", "b", "c", "d", "e"])
		await here.call("POST", "/customers", { body: { id, name: `Name ${id}` } });
	keepAnchor(here.folder, secret);
});

/** The findings that `tollgate check` has on the audit log. */
const findings = (): string[] => [
	...here.transactions.read(everywhere, checkAuditLog),
	...here.transactions.read(everywhere, checkErased),
	...checkKeptAnchor(here.folder, secret),
];

/** Edits main.db by hand, past the triggers that keep entries from it. */
function edit(...statements: string[]): void {
	const db = new SqliteFile(join(here.folder, "main.db"));
	db.run("DROP TRIGGER IF EXISTS audit_entries_stay");
	db.run("DROP TRIGGER IF EXISTS audit_entries_kept");
	for (const statement of statements) db.run(statement);
	db.close();
}

const anchored = () => here.transactions.read(everywhere, (work) => anchorOf(work, secret));

function compared(text: string) {
	const anchor = readAnchor(secret, text);
	if (!anchor) throw new Error("no anchor of this folder");
	return here.transactions.read(everywhere, (work) => compareWithAnchor(work, anchor));
}

const chain = "(SELECT environment_id FROM audit_entries ORDER BY rowid DESC LIMIT 1)";
const entryAt = (fromEnd: number) =>
	`(SELECT id FROM audit_entries WHERE environment_id = ${chain} ORDER BY id DESC LIMIT 1 OFFSET ${fromEnd})`;
const valueAt = (column: string, fromEnd: number) =>
	`(SELECT ${column} FROM audit_entries WHERE environment_id = ${chain} ORDER BY id DESC LIMIT 1 OFFSET ${fromEnd})`;

describe("check finds an edit of the audit log by hand", () => {
	test.each<[string, string[], RegExp]>([
		[
			"the row of a chain is deleted and an entry changed",
			[
				`UPDATE audit_entries SET actor_id = 'x' WHERE id = ${entryAt(3)}`,
				`DELETE FROM audit_chains WHERE environment_id = ${chain}`,
			],
			/has no end/,
		],
		[
			"the whole log is deleted",
			[
				"DELETE FROM audit_entries",
				"DELETE FROM audit_chains",
				"DELETE FROM audit_subjects",
				"DELETE FROM audit_personal",
			],
			/is missing/,
		],
		[
			"the end is deleted and the chain ends before it",
			[
				`UPDATE audit_chains SET id = ${entryAt(1)}, sequence = ${valueAt("sequence", 1)}, hash = ${valueAt("lower(hex(hash))", 1)} WHERE environment_id = ${chain}`,
				`DELETE FROM audit_entries WHERE id = ${entryAt(0)}`,
			],
			/ends with entry/,
		],
		[
			"the beginning is deleted as if it were old",
			[
				`UPDATE audit_chains SET sealed_sequence = ${valueAt("sequence", 2)}, sealed_hash = ${valueAt("lower(hex(hash))", 2)} WHERE environment_id = ${chain}`,
				`DELETE FROM audit_entries WHERE environment_id = ${chain} AND id <= ${entryAt(2)}`,
			],
			/removed no entry after 0/,
		],
		[
			"personal data is dropped as if it were erased",
			["UPDATE audit_personal SET salt = NULL, fields = NULL, erased_at = 1"],
			/without a recorded erasure/,
		],
		["the subjects are emptied", ["DELETE FROM audit_subjects"], /whose index is wrong/],
		[
			"one entry loses a subject",
			[`DELETE FROM audit_subjects WHERE entry = ${valueAt("serial", 1)} AND key = 'Customer'`],
			/whose index is wrong/,
		],
		[
			"an entry moves to the log of accounts",
			[`UPDATE audit_entries SET environment_id = '' WHERE id = ${entryAt(2)}`],
			/lacks entry|was changed/,
		],
	])("%s", (_, statements, finding) => {
		expect(findings()).toEqual([]);
		edit(...statements);
		expect(findings().join("\n")).toMatch(finding);
	});
});

describe("the kept anchor", () => {
	test("follows the log and never replaces an end that the log no longer continues", async () => {
		await here.call("POST", "/customers", { body: { id: "f" } });
		keepAnchor(here.folder, secret);
		expect(findings()).toEqual([]);
		edit("DELETE FROM audit_entries", "DELETE FROM audit_chains");
		keepAnchor(here.folder, secret);
		await here.call("POST", "/customers", { body: { id: "g" } });
		keepAnchor(here.folder, secret);
		expect(checkKeptAnchor(here.folder, secret).join()).toMatch(/ends with entry 1, but had entry/);
	});

	test("is a finding where it is missing, changed, or signed with another secret", () => {
		const path = join(here.folder, keptAnchorName);
		const text = readFileSync(path, "utf8");
		expect(checkKeptAnchor(here.folder, "another").join()).toMatch(/was changed/);
		writeFileSync(path, text.replace(/"sequence":\d+/, '"sequence":1'));
		expect(checkKeptAnchor(here.folder, secret).join()).toMatch(/was changed/);
		keepAnchor(here.folder, secret);
		expect(checkKeptAnchor(here.folder, secret).join()).toMatch(/was changed/);
		rmSync(path);
		expect(checkKeptAnchor(here.folder, secret).join()).toMatch(/is missing/);
	});

	test("allows the removal of old entries before they are removed", async () => {
		const keeper = new AnchorKeeper({ folder: here.folder, secret, log: openLog("silent") });
		here.clock.at = (here.clock.at + 1000) as Instant;
		const limit = here.clock.at;
		await here.call("POST", "/customers", { body: { id: "young" } });
		const printed = anchored();
		const removable = await keeper.allowRemoval(limit);
		const purge = () => here.transactions.write(everywhere, (work) => purgeEntries(work, removable, 3));
		let removed = 0;
		for (let count = purge(); count > 0; count = purge()) removed += count;
		expect(removed).toBeGreaterThan(5);
		await keeper.stop();
		expect(findings()).toEqual([]);
		expect(compared(printed).findings).toEqual([]);
	});
});

test("an erasure that the log shows explains the loss of personal data", async () => {
	const before = findings();
	const begun = await here.call("POST", "/customers/a/erase", { body: {} });
	expect(begun.status).toBe(200);
	const { customerId } = here.db.$client
		.query<{ customerId: string }, []>("SELECT customer_id AS customerId FROM erasures")
		.get() ?? { customerId: "" };
	here.transactions.write(here.actor, (work) => erasePersonal(work, customerId));
	expect([before, findings()]).toEqual([[], []]);
	edit("DELETE FROM erasures");
	expect(findings().join()).toMatch(/without a recorded erasure/);
});

describe("an anchor that the operator keeps", () => {
	test("is continued by a log that has grown", async () => {
		const printed = anchored();
		await here.call("POST", "/customers", { body: { id: "f" } });
		expect(compared(printed)).toEqual({ findings: [], notes: [] });
	});

	test("shows a log that was written again from its beginning", async () => {
		const printed = anchored();
		edit("DELETE FROM audit_entries", "DELETE FROM audit_chains", "DELETE FROM audit_subjects");
		rmSync(join(here.folder, keptAnchorName));
		for (let at = 0; at < 20; at += 1) await here.call("POST", "/customers", { body: { id: `again-${at}` } });
		keepAnchor(here.folder, secret);
		expect(checkKeptAnchor(here.folder, secret)).toEqual([]);
		expect(compared(printed).findings.join()).toMatch(/rewritten/);
	});

	test("names an entry that was removed because of its age", async () => {
		const printed = anchored();
		await here.call("POST", "/customers", { body: { id: "f" } });
		await here.call("POST", "/customers", { body: { id: "g" } });
		const all = new Map(
			here.db.$client
				.query<{ environment_id: string; sequence: number }, []>(
					"SELECT environment_id, sequence - 1 AS sequence FROM audit_chains",
				)
				.all()
				.map((row) => [row.environment_id, row.sequence]),
		);
		while (here.transactions.write(everywhere, (work) => purgeEntries(work, all, 100)) > 0);
		const { findings: found, notes } = compared(printed);
		expect(found).toEqual([]);
		expect(notes.join()).toMatch(/was removed because of its age/);
	});

	test("cannot be forged without the folder's secret", () => {
		expect(readAnchor("another", anchored())).toBeUndefined();
		expect(readAnchor(secret, anchored().replace('"removableTo":0', '"removableTo":1'))).toBeUndefined();
		expect(readAnchor(secret, "{}")).toBeUndefined();
	});
});
