import type { Database as SqliteFile } from "bun:sqlite";
import { FolderError } from "../kernel/errors";

/** A start looks up only the customers that the log named last; `check` looks up all. */
const customersAtStart = 1000;

/**
 * Returns a sentence for each file of a folder that is older than another, as after a restore of a single file. The files are committed
 * in one order: a customer before the events that name it, an event before the totals that count it, a change of main.db before its marks
 * in the other files. So data that is in a later file and not in an earlier one has been lost. `db` has main.db open and the others
 * attached. They are read in the same order, which is safe alongside a running server.
 */
export function disagreements(db: SqliteFile, customersMax = Number.MAX_SAFE_INTEGER): string[] {
	const counted = one(db, "SELECT max(counted_to, shown_to) AS value FROM usage.usage_cursor");
	const written = Math.max(
		one(db, "SELECT first_event + events - 1 AS value FROM events.event_blocks ORDER BY first_event DESC LIMIT 1"),
		one(
			db,
			"SELECT first_event + events - 1 AS value FROM events.event_archived_blocks ORDER BY first_event DESC LIMIT 1",
		),
		one(db, "SELECT max(id) AS value FROM events.events"),
	);
	const corrected = one(db, "SELECT corrected_to AS value FROM usage.usage_cursor");
	const canceled = one(db, "SELECT max(id) AS value FROM events.event_cancellations");
	const countUnknown = (): number =>
		one(
			db,
			`SELECT count(*) AS value FROM
				(SELECT customer_id FROM events.event_customers WHERE customer_id IS NOT NULL ORDER BY id DESC LIMIT ${customersMax}) named
				WHERE NOT EXISTS (SELECT 1 FROM main.customers WHERE customers.id = named.customer_id)`,
		);
	const marks = marksOfMain(db);
	const commits = one(db, "SELECT commits AS value FROM main.main_revision WHERE id = 1");
	// A statement may read main.db slightly before events.db. A second look finds customers that were added in between.
	const unknown = countUnknown() && countUnknown();
	return [
		...marks
			.filter((mark) => mark.commits > commits)
			.slice(0, 1)
			.map(
				(mark) =>
					`main.db is older than ${mark.file}.db: it has ${commits} commits, and had ${mark.commits} when ${mark.file}.db was written. Changes that were acknowledged are missing. Bring back the main.db that belongs to this folder, or restore a backup into a new folder.`,
			),
		...(counted > written
			? [
					`events.db is older than usage.db: it ends with event ${written}, while usage.db has counted up to event ${counted}. Events that were acknowledged are missing. Bring back the events.db that belongs to this folder, or restore a backup into a new folder. If they are lost for good: delete usage.db with its -wal and -shm, and what is left is counted again.`,
				]
			: []),
		...(corrected > canceled
			? [
					`events.db is older than usage.db: it has ${canceled} cancellations of events, while usage.db has followed ${corrected}. Bring back the events.db that belongs to this folder, or restore a backup into a new folder. If they are lost for good: delete usage.db with its -wal and -shm, and what is left is counted again.`,
				]
			: []),
		...(unknown > 0
			? [
					`main.db is older than events.db: the log has events of ${unknown} customers that main.db does not know. Bring back the main.db that belongs to this folder, or restore a backup into a new folder.`,
				]
			: []),
	];
}

const one = (db: SqliteFile, sql: string): number => db.query<{ value: number | null }, []>(sql).get()?.value ?? 0;

/** Returns the number of commits of main.db when each attached file was written. */
const marksOfMain = (db: SqliteFile): Array<{ readonly file: string; readonly commits: number }> =>
	db
		.query<{ name: string }, []>("PRAGMA database_list")
		.all()
		.filter(({ name }) => ["usage", "events", "deliveries"].includes(name))
		.map(({ name }) => ({
			file: name,
			commits: one(db, `SELECT commits AS value FROM ${name}.commit_marks WHERE id = 1`),
		}));

/** Refuses to start on files of different times: missing data would never be counted or billed. Throws FolderError. */
export function assertAgreement(db: SqliteFile): void {
	const found = disagreements(db, customersAtStart);
	if (found.length > 0) throw new FolderError(found.join("\n"));
}
