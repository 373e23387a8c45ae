import { HttpRefusal } from "../../../http/refusal";
import type { Instant } from "../../../kernel/clock";
import type { Page, PageQuery } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import type { Login } from "../operations";
import { idleEnd, type SessionSettings } from "../rules.sessions";
import { endSession, endSessionsOf } from "../store";
import type { SessionRow } from "../table";
import { endSessionsOfProvider, findSession, pageSessions, saveSeen } from "./store";

/** Lists the caller's active sessions. A session by an identity provider sees only those of the same provider. */
export const listSessions = (
	work: Work,
	login: Login,
	page: PageQuery,
	{ idleMs }: SessionSettings,
): Page<SessionRow> =>
	pageSessions(
		work,
		seenBy(login),
		page,
		idleMs === undefined ? undefined : (idleEnd(work.machineNow, idleMs) as Instant),
	);

/** Ends a session of the caller. Throws 404 if it is unknown or belongs to another user. */
export function endOwnSession(work: Work, login: Login, id: string): void {
	const session = findSession(work, seenBy(login), id);
	if (!session) throw new HttpRefusal(404, `You have no session '${id}'.`);
	endSession(work, session);
}

/** Ends all sessions that the caller sees, including its own. */
export function endOwnSessions(work: Work, { user, session }: Login): void {
	if (session.providerId === null) endSessionsOf(work, user.id);
	else endSessionsOfProvider(work, user.id, session.providerId);
}

const seenBy = ({ user, session: { providerId } }: Login) => ({
	userId: user.id,
	...(providerId !== null && { providerId }),
});

/** Records the use of sessions; skips deleted ones. */
export const noteSessionUses = saveSeen;
