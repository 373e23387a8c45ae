import { purgeSessions } from "../areas/access/operations";
import { systemActor } from "../areas/access/rules.actors";
import { purgeAnswers } from "../http/idempotency";
import type { Doors } from "../kernel/work";
import { purgeTasks } from "../tasks/operations";
import type { IsStopping } from "../tasks/rules";

/** Our choice: as many rows as are removed in some milliseconds, so that no other writer waits for long. */
const rowsMax = 500;

/** Our choice: what lies between two pieces; requests write meanwhile. */
const pauseMs = 20;

/** No environment: what has ended is removed in all of them, by the machine's time. */
const everywhere = systemActor("");

/** Forgets what nobody can ask for any more: tasks long ended, sessions that are over, answers kept for a day. */
export async function purge(doors: Doors, isStopping: IsStopping): Promise<void> {
	for (const removePiece of [purgeTasks, purgeSessions, purgeAnswers])
		while (!isStopping() && doors.write(everywhere, (work) => removePiece(work, rowsMax)) > 0) await Bun.sleep(pauseMs);
}
