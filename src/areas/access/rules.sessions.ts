import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";

/** Our choice, of passwords: a slow hash is worth it from there on. */
export const passwordLengthMin = 10;

/** How long people stay signed in. */
export interface SessionSettings {
	/** From the sign-in on, whatever is done. */
	readonly lifetimeMs: number;
	/** Since the last call; undefined: as long as the session lasts. */
	readonly idleMs: number | undefined;
}

/** Our choice: a session lasts twelve hours, a working day and a late evening. */
export const sessionSettingsDefault: SessionSettings = { lifetimeMs: 12 * 60 * 60 * 1000, idleMs: undefined };

/** When a session was used is noted once a minute (http/authentication/key-uses.ts): it is never ended too early. */
const notedEveryMs = 60_000;

/** Who was last seen then, or before, has been idle for too long. */
export const idleEnd = (now: Instant, idleMs: number): number => now - idleMs - notedEveryMs;

export const isOver = (
	{ expiresAt, lastSeenAt }: { readonly expiresAt: Instant; readonly lastSeenAt: Instant },
	now: Instant,
	{ idleMs }: SessionSettings,
): boolean => expiresAt <= now || (idleMs !== undefined && lastSeenAt <= idleEnd(now, idleMs));

/**
 * An identity provider says who somebody is in its own account. Passwords and second factors prove the person in all of them, and
 * so are no matter of a session that a provider has made: IdentityForbidden.
 */
export function assertByPassword({ providerId }: { readonly providerId: string | null }): void {
	if (providerId === null) return;
	throw fail(
		"IdentityForbidden",
		"An identity provider has let you in: it keeps your password and your second factor. Sign in with a password to change those here.",
	);
}

/** Our choice: as much of what a browser says of itself as tells one from another. */
const userAgentLengthMax = 255;

export const userAgentOf = ({ headers }: Request): string | null =>
	headers.get("user-agent")?.slice(0, userAgentLengthMax) ?? null;
