import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { migrations } from "../../../drizzle/main";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { checkAuditLog } from "../../../src/areas/audit/operations.check";
import { wallClock } from "../../../src/kernel/clock";
import { openFile } from "../../../src/kernel/storage/db";
import { migrateFile } from "../../../src/kernel/storage/migrate";
import { openTransactions } from "../../../src/kernel/storage/transactions";
import { temporaryFolder } from "../../support/process";
import { type World, world } from "../../support/world";

const textOf = (column: string): string =>
	`CASE typeof(${column}) WHEN 'blob' THEN lower(substr(hex(${column}), 1, 8) || '-' || substr(hex(${column}), 9, 4) || '-' || substr(hex(${column}), 13, 4) || '-' || substr(hex(${column}), 17, 4) || '-' || substr(hex(${column}), 21, 12)) ELSE ${column} END`;
const bytesOf = (column: string): string => `unhex(replace(${column}, '-', ''))`;

/** Fills a main.db of the schema before the serials with the audit log of a world, as that version wrote it. */
function beforeSerials(here: World, path: string): void {
	const file = new Database(path, { create: true });
	const at = migrations.findIndex(({ name }) => name.endsWith("audit-serials"));
	migrateFile(
		file,
		migrations.slice(0, at).map(({ name, sql }) => ({ name, sql })),
	);
	file.run("ATTACH ? AS now", [join(here.folder, "main.db")]);
	file.run(
		`INSERT INTO audit_chains SELECT ${textOf("environment_id")}, id, sequence, hash, sealed_sequence, sealed_hash FROM now.audit_chains`,
	);
	// An entry listed its subjects, and a row of the index named the entry and its environment.
	const listed = `(SELECT json_group_array(json_array(${textOf("key")}, its.entity_type)) FROM now.audit_subjects AS its WHERE its.entry = serial)`;
	const same = "account_id, at, recorded_at, actor_type, actor_id, actor_name";
	file.run(
		`INSERT INTO audit_entries (environment_id, id, sequence, ${same}, request_id, address, operation, entity_type, entity_id, entity_ref, changes, changes_count, subjects, hash)
		SELECT ${textOf("environment_id")}, id, sequence, ${same}, ${textOf("request_id")}, address, operation, entity_type, ${textOf("entity_id")}, entity_ref, changes, changes_count, ${listed}, lower(hex(hash))
		FROM now.audit_entries ORDER BY serial`,
	);
	file.run(
		`INSERT INTO audit_subjects SELECT its.environment_id, key, ${bytesOf("its.id")}, subjects.entity_type FROM now.audit_subjects AS subjects JOIN now.audit_entries AS its ON its.serial = entry`,
	);
	file.run("INSERT INTO audit_personal SELECT * FROM now.audit_personal");
	file.run("DETACH now");
	file.close();
}

/** The log with the ids of entries instead of serials, and without the lists of subjects. */
function logIn(file: Database) {
	const entries = file.query<Record<string, unknown>, []>("SELECT * FROM audit_entries ORDER BY id").all();
	return {
		entries: entries.map(({ serial, subjects, ...entry }) => entry),
		subjects: file
			.query(
				`SELECT audit_chains.environment_id, audit_entries.id, key, subjects.entity_type
				FROM audit_subjects AS subjects JOIN audit_chains ON number = chain JOIN audit_entries ON serial = entry
				ORDER BY audit_entries.id, key, subjects.entity_type`,
			)
			.values(),
		personal: file.query("SELECT * FROM audit_personal ORDER BY entry_id, position").values(),
		chains: file
			.query("SELECT environment_id, id, sequence, hash, sealed_sequence, sealed_hash FROM audit_chains ORDER BY 1")
			.values(),
	};
}

test("the upgrade keeps each entry, subject and hash of the log, and the chains verify", async () => {
	const here = world();
	for (const id of ["a", "b", "c"]) {
		await here.call("POST", "/customers", { body: { id, name: `Name ${id}` } });
		await here.call("PATCH", `/customers/${id}`, { body: { name: `Other ${id}` }, headers: { "x-request-id": id } });
	}
	await here.call("POST", "/api-keys", {
		body: { displayName: "Key", scopes: [{ resource: "CUSTOMER", action: "READ" }] },
	});
	const { folder } = temporaryFolder();
	const path = join(folder, "main.db");
	beforeSerials(here, path);

	const file = new Database(path);
	migrateFile(file, migrations);
	expect(logIn(file)).toEqual(logIn(here.db.$client));
	expect(logIn(file).subjects.length).toBeGreaterThan(20);
	file.close();

	const db = openFile(folder, "main");
	const transactions = openTransactions({ db, clock: wallClock, newId: () => "", wake: () => {}, writes: "never" });
	expect(transactions.read(systemActor(""), checkAuditLog)).toEqual([]);
	db.$client.close();
});
