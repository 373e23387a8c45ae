import type { Database } from "../../../kernel/work";
import type { StoredFile } from "./messages";

/** Returns the files of the archive that a log names; `where` selects their rows. */
export const filesOf = (events: Database["$client"], where = "true"): StoredFile[] =>
	events
		.query<StoredFile, []>(
			`SELECT name, day, bytes, sha256, stored_in AS storedIn FROM event_archives WHERE ${where} ORDER BY name`,
		)
		.all();
