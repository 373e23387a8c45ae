import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { extract } from "tar";
import { migrations as eventsSteps } from "../../drizzle/events";
import { migrations as mainSteps } from "../../drizzle/main";
import { migrations as rendersSteps } from "../../drizzle/renders";
import { migrations as usageSteps } from "../../drizzle/usage";
import { schemas } from "../../src/files";
import { prepareFiles } from "../../src/kernel/storage/db";
import { type Migration, migrateFile } from "../../src/kernel/storage/migrate";
import { temporaryFolder } from "../support/process";

const steps: Readonly<Record<string, readonly Migration[]>> = {
	main: mainSteps,
	events: eventsSteps,
	usage: usageSteps,
	renders: rendersSteps,
};

/** Lists the content of a file as SQLite itself reports it: tables with their columns and keys, indexes with their conditions, and triggers. */
function schemaOf(file: Database) {
	return file
		.query<{ kind: string; name: string; sql: string | null }, []>(
			"SELECT type AS kind, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
		)
		.all()
		.map(({ kind, name, sql }) => ({
			kind,
			name,
			columns: kind === "table" ? file.query(`PRAGMA table_info("${name}")`).values() : null,
			references: kind === "table" ? file.query(`PRAGMA foreign_key_list("${name}")`).values() : null,
			sql: kind === "table" ? null : sql,
		}));
}

const migrated = (steps: readonly Migration[]) => {
	const file = new Database(":memory:");
	migrateFile(file, steps);
	return contentOf(file);
};

const contentOf = (file: Database) => ({ schema: schemaOf(file), rows: rowsOf(file) });

/** The rows that steps write into an empty file. */
const rowsOf = (file: Database) =>
	file
		.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
		.all()
		.map(({ name }) => [name, file.query(`SELECT * FROM "${name}"`).values()]);

describe.each(Object.keys(steps))("the schema of %s.db", (name) => {
	const all = steps[name] ?? [];

	test("is the same from every version on, step by step, and from the first and each tenth version at once", () => {
		const fresh = migrated(all);
		const file = new Database(":memory:");
		// Upgrades from one version take the same steps as those from the next, so each step runs alone once.
		for (let taken = 1; taken <= all.length; taken += 1) {
			migrateFile(file, all.slice(0, taken));
			if (taken % 10 !== 1) continue;
			const copy = Database.deserialize(file.serialize());
			migrateFile(copy, all);
			expect(contentOf(copy)).toEqual(fresh);
		}
		expect(contentOf(file)).toEqual(fresh);
	});
});

const upgrades = join(import.meta.dir, "../upgrades");
const releases = [...new Glob("*.tar.gz").scanSync(upgrades)];

test.each(releases)("a folder of %s gets the schema of a fresh one", async (archive) => {
	const [released, fresh] = [temporaryFolder(), temporaryFolder()];
	await extract({ file: join(upgrades, archive), cwd: released.folder });
	for (const { folder } of [released, fresh]) prepareFiles(folder, schemas);
	const schemaIn = (folder: string) => {
		const file = new Database(join(folder, "main.db"), { readonly: true });
		const schema = schemaOf(file);
		file.close();
		return schema;
	};
	expect(schemaIn(released.folder)).toEqual(schemaIn(fresh.folder));
	for (const { remove } of [released, fresh]) remove();
});
