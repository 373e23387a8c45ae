import { HttpRefusal } from "../../../http/refusal";
import type { Instant } from "../../../kernel/clock";
import type { Page, PageQuery } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import type { Login } from "../operations";
import { idleEnd, type SessionSettings } from "../rules.sessions";
import { endSession, endSessionsOf } from "../store";
import type { SessionRow } from "../table";
import { endSessionsOfProvider, findSession, pageSessions, saveSeen } from "./store";

/**
 * The caller's own that are not over. A session that a provider has made sees those of the same provider: the person's others are
 * no matter of it.
 */
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

/** Ends one of the caller's own. 404 for an unknown one, and for another's. */
export function endOwnSession(work: Work, login: Login, id: string): void {
	const session = findSession(work, seenBy(login), id);
	if (!session) throw new HttpRefusal(404, `There is no session '${id}' of yours.`);
	endSession(work, session);
}

/** Ends all that the caller sees, its own too. */
export function endOwnSessions(work: Work, { user, session }: Login): void {
	if (session.providerId === null) endSessionsOf(work, user.id);
	else endSessionsOfProvider(work, user.id, session.providerId);
}

const seenBy = ({ user, session: { providerId } }: Login) => ({
	userId: user.id,
	...(providerId !== null && { providerId }),
});

/** Notes that these sessions were used; one that is no longer there is passed over. */
export const noteSessionUses = saveSeen;
