import { HttpRefusal } from "../../../http/refusal";
import type { Instant } from "../../../kernel/clock";
import type { Page, PageQuery } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import type { Login } from "../operations";
import { idleEnd, type SessionSettings } from "../rules.sessions";
import { endSession, endSessionsOf } from "../store";
import type { SessionRow } from "../table";
import { findSession, pageSessions, saveSeen } from "./store";

export { endSessionsOf };

/** The caller's own that are not over. */
export const listSessions = (
	work: Work,
	{ user }: Login,
	page: PageQuery,
	{ idleMs }: SessionSettings,
): Page<SessionRow> =>
	pageSessions(work, user.id, page, idleMs === undefined ? undefined : (idleEnd(work.machineNow, idleMs) as Instant));

/** Ends one of the caller's own. 404 for an unknown one, and for another's. */
export function endOwnSession(work: Work, { user }: Login, id: string): void {
	const session = findSession(work, user.id, id);
	if (!session) throw new HttpRefusal(404, `There is no session '${id}' of yours.`);
	endSession(work, session);
}

/** Notes that these sessions were used; one that is no longer there is passed over. */
export const noteSessionUses = saveSeen;
