import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";

/** The minimum length of a password, from which a slow hash is effective. */
export const passwordLengthMin = 10;

/** The lifetime of sessions. */
export interface SessionSettings {
	/** Milliseconds from the sign-in to the expiry. */
	readonly lifetimeMs: number;
	/** Milliseconds from the last call to the expiry; undefined for no idle timeout. */
	readonly idleMs: number | undefined;
}

/** Twelve hours: a working day and a long evening. */
export const sessionSettingsDefault: SessionSettings = { lifetimeMs: 12 * 60 * 60 * 1000, idleMs: undefined };

/**
 * The use of a session is recorded once a minute (http/authentication/key-uses.ts), so the idle timeout allows another
 * minute.
 */
const notedEveryMs = 60_000;

/** Sessions that were last used at or before this time have been idle for too long. */
export const idleEnd = (now: Instant, idleMs: number): number => now - idleMs - notedEveryMs;

export const isOver = (
	{ expiresAt, lastSeenAt }: { readonly expiresAt: Instant; readonly lastSeenAt: Instant },
	now: Instant,
	{ idleMs }: SessionSettings,
): boolean => expiresAt <= now || (idleMs !== undefined && lastSeenAt <= idleEnd(now, idleMs));

/**
 * Throws IdentityForbidden for a session by an identity provider. Passwords and second factors are valid in all
 * accounts of a person, and a provider vouches only for its own account.
 */
export function assertByPassword({ providerId }: { readonly providerId: string | null }): void {
	if (providerId === null) return;
	throw fail(
		"IdentityForbidden",
		"You are signed in by an identity provider, which manages your password and your second factor. Sign in with a password to change those of Tollgate.",
	);
}

/** Enough of the user agent to tell browsers apart. */
const userAgentLengthMax = 255;

export const userAgentOf = ({ headers }: Request): string | null =>
	headers.get("user-agent")?.slice(0, userAgentLengthMax) ?? null;
