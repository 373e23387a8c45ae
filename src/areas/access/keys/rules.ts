import { type Instant, toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Actor } from "../../../kernel/work";
import { allows, keyStatus } from "../rules";
import type { Scope } from "../rules.actors";
import type { ApiKeyRow, KeyKind } from "../table";
import type { ApiKeyType } from "./schema";

/** Kinds of keys as the wire spells them. Source: docs/interface/access.md. */
export const typeOfKind = { FULL_ACCESS: "SERVER", SCOPED: "SCOPED", PUBLISHABLE: "CLIENT" } as const satisfies Record<
	KeyKind,
	ApiKeyType
>;
export const kindOfType = { SERVER: "FULL_ACCESS", SCOPED: "SCOPED", CLIENT: "PUBLISHABLE" } as const satisfies Record<
	ApiKeyType,
	KeyKind
>;

/** Source: docs/interface/access.md: the old secret of a rotated key works on for at most a year. */
const graceMaxMs = 366 * 24 * 60 * 60 * 1000;

/** Nobody grants what it lacks itself. */
export function assertMayGrant(actor: Actor, scopes: readonly Scope[]): void {
	const lacking = scopes.find((scope) => !allows(actor.scopes, scope));
	if (lacking !== undefined)
		throw fail("AccessDeniedError", `You cannot give the permission ${lacking}, since you do not have it yourself.`);
}

/** Who could change or replace a key that may more than itself would get its rights. */
export function assertHasRightsOf(actor: Actor, { id, kind, scopes }: ApiKeyRow): void {
	if (kind === "FULL_ACCESS" && actor.scopes !== "everything")
		throw fail("AccessDeniedError", `The key '${id}' has full access; only who has it too may change or rotate it.`);
	assertMayGrant(actor, scopes ?? []);
}

export function assertExpiry(at: Instant, now: Instant): void {
	if (at <= now)
		throw fail("BadUserInput", `A key cannot end at ${toIso(at)}, which is past; delete it to end it now.`);
}

/** When the old secret ends: now when nothing is said, within a year, and no later than the key would have. */
export function graceEnd({ expiresAt }: ApiKeyRow, keepUntil: Instant | undefined, now: Instant): Instant {
	if (keepUntil === undefined) return now;
	assertExpiry(keepUntil, now);
	if (keepUntil > now + graceMaxMs)
		throw fail("BadUserInput", "The old secret can be kept for at most a year; name an earlier end.");
	return expiresAt === null || keepUntil < expiresAt ? keepUntil : expiresAt;
}

/** A default key that has an end was rotated, too: it has none of its own. */
const isRotated = ({ kind, expiresAt, rotatedAt }: ApiKeyRow): boolean =>
	rotatedAt !== null || (kind !== "SCOPED" && expiresAt !== null);

export function assertNotEnded(key: ApiKeyRow, now: Instant): void {
	if (keyStatus(key, now) === "EXPIRED") throw fail("ApiKeyExpired", `The key '${key.id}' has ended already.`);
}

export function assertNotRotated(key: ApiKeyRow): void {
	if (isRotated(key))
		throw fail("ApiKeyHasExpiry", `The key '${key.id}' is ending already; change the one that replaced it.`);
}

/** An environment always has one key of each default kind: such a key is rotated, and then its old secret may be cut short. */
export function assertMayBeRevoked(key: ApiKeyRow): void {
	if (key.kind !== "SCOPED" && key.expiresAt === null)
		throw fail("BadUserInput", `The key '${key.id}' is a default key of its environment; rotate it instead.`);
}
