import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrations } from "../../../../../drizzle/main";
import { migrateFile } from "../../../../../src/kernel/storage/migrate";

test("members of before keep what they had", () => {
	const sqlite = new Database(":memory:");
	migrateFile(
		sqlite,
		migrations.slice(
			0,
			migrations.findIndex(({ name }) => name.endsWith("_people")),
		),
	);
	sqlite.run("INSERT INTO accounts VALUES ('a', 'Ours', 1)");
	for (const role of ["OWNER", "MEMBER", "VIEWER"]) {
		sqlite.run("INSERT INTO users VALUES (?1, ?1 || '@example.com', NULL, 'hash', 1)", [role]);
		sqlite.run("INSERT INTO memberships (id, user_id, account_id, role, created_at) VALUES (?1, ?1, 'a', ?1, 1)", [
			role,
		]);
	}
	migrateFile(sqlite, migrations);
	const kept = sqlite.query("SELECT id, role, deactivated_at AS deactivatedAt FROM memberships ORDER BY id").values();
	expect(kept).toEqual([
		["MEMBER", "MEMBER", null],
		["OWNER", "OWNER", null],
		["VIEWER", "READ_ONLY", null],
	]);
});
