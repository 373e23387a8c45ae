import type { Database } from "bun:sqlite";

/** Plants an error in the file by a statement, returns what `check` finds then, and takes the error back. */
export function whilePlanted<Found>(client: Database, statement: string, check: () => Found): Found {
	client.run("SAVEPOINT planted");
	try {
		client.run(statement);
		return check();
	} finally {
		client.run("ROLLBACK TO planted");
	}
}
