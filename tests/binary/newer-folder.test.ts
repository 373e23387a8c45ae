import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { runTollgate, startServer, temporaryFolder } from "../support/process";

/** A database file as a later Tollgate would leave it: with more steps of its schema than this one knows. */
function madeNewer(folder: string, file: string): void {
	const database = new Database(join(folder, file));
	database.run("PRAGMA user_version = 9999");
	database.close();
}

const versionOf = (folder: string, file: string): unknown => {
	const database = new Database(join(folder, file), { readonly: true });
	try {
		return database.query("PRAGMA user_version").get();
	} finally {
		database.close();
	}
};

test.each(["main.db", "events.db", "usage.db"])(
	"a folder whose %s a newer Tollgate has written is refused, and stays as it is",
	async (file) => {
		const { folder, remove } = temporaryFolder();
		try {
			const server = await startServer(folder);
			await server.stop();
			madeNewer(folder, file);
			const { status, errors, output } = await runTollgate(folder, ["serve"]);
			expect(status).toBe(1);
			expect(errors + output).toContain("was written by a newer Tollgate");
			expect(versionOf(folder, file)).toEqual({ user_version: 9999 });
		} finally {
			remove();
		}
	},
);
