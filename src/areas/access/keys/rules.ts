import { isRangeWithin, readRange } from "../../../kernel/addresses";
import { type Instant, toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Actor } from "../../../kernel/work";
import { allows, keyStatus } from "../rules";
import type { ApiKeyRow, KeyKind } from "../table";
import type { ApiKeyType } from "./schema";

/** The kinds of keys, as they are named in the API. */
export const typeOfKind = { FULL_ACCESS: "SERVER", SCOPED: "SCOPED", PUBLISHABLE: "CLIENT" } as const satisfies Record<
	KeyKind,
	ApiKeyType
>;
export const kindOfType = { SERVER: "FULL_ACCESS", SCOPED: "SCOPED", CLIENT: "PUBLISHABLE" } as const satisfies Record<
	ApiKeyType,
	KeyKind
>;

/** The old secret of a rotated key works for at most a year (docs/interface/access.md#life-of-a-key). */
const graceMaxMs = 366 * 24 * 60 * 60 * 1000;

/** The limits within which a caller grants keys: its rights and, if it is a key, its own expiry and addresses. */
export interface GrantLimits {
	readonly scopes: Actor["scopes"];
	/** Null: never. */
	readonly expiresAt: Instant | null;
	/** Addresses and networks; empty for all. */
	readonly allowedAddresses: readonly string[];
}

/** A key as it is granted: created, changed or rotated. */
export type KeyGrant = Pick<ApiKeyRow, "kind" | "scopes" | "expiresAt" | "allowedAddresses">;

/** Whether a caller may grant a key: the caller has each right of the key, and the key is within the caller's limits. */
export const mayGrant = (limits: GrantLimits, grant: KeyGrant): boolean => excessOf(limits, grant) === undefined;

/** Throws AccessDeniedError, which names the exceeded limit. */
export function assertMayGrant(limits: GrantLimits, grant: KeyGrant): void {
	const excess = excessOf(limits, grant);
	if (excess !== undefined) throw fail("AccessDeniedError", excess);
}

function excessOf(limits: GrantLimits, { kind, scopes, expiresAt, allowedAddresses }: KeyGrant): string | undefined {
	// A publishable key is public. It has no scopes, expiry or addresses of its own.
	if (kind === "PUBLISHABLE") return undefined;
	if (kind === "FULL_ACCESS" && limits.scopes !== "everything")
		return "A full-access key has all permissions; only a caller with all of them may create, change or rotate it.";
	const lacking = scopes?.find((scope) => !allows(limits.scopes, scope));
	if (lacking !== undefined) return `You cannot grant the permission ${lacking}, because you do not have it.`;
	if (limits.expiresAt !== null && (expiresAt === null || expiresAt > limits.expiresAt))
		return `Your key expires at ${toIso(limits.expiresAt)}, so it creates, changes and rotates only keys that expire by then; set an earlier 'expireAt', or use a key that does not expire.`;
	if (!isWithinAddresses(limits.allowedAddresses, allowedAddresses))
		return `Your key may be used from ${limits.allowedAddresses.join(", ")} only, so it creates, changes and rotates only keys with 'allowedAddresses' within these.`;
	return undefined;
}

function isWithinAddresses(limits: readonly string[], addresses: readonly string[]): boolean {
	if (limits.length === 0) return true;
	const ranges = limits.flatMap((text) => readRange(text) ?? []);
	const isInside = (text: string): boolean => {
		const range = readRange(text);
		return range !== undefined && isRangeWithin(ranges, range);
	};
	return addresses.length > 0 && addresses.every(isInside);
}

export function assertExpiry(at: Instant, now: Instant): void {
	if (at <= now)
		throw fail(
			"BadUserInput",
			`A key cannot expire at ${toIso(at)}, which is in the past; delete it to revoke it now.`,
		);
}

/** Returns when the old secret expires: immediately by default, within a year, and no later than the key. */
export function graceEnd({ expiresAt }: ApiKeyRow, keepUntil: Instant | undefined, now: Instant): Instant {
	if (keepUntil === undefined) return now;
	assertExpiry(keepUntil, now);
	if (keepUntil > now + graceMaxMs)
		throw fail("BadUserInput", "The old secret works for a year at most; set an earlier 'keepUntil'.");
	return expiresAt === null || keepUntil < expiresAt ? keepUntil : expiresAt;
}

/** A default key with an expiry was rotated, because such a key has no expiry of its own. */
const isRotated = ({ kind, expiresAt, rotatedAt }: ApiKeyRow): boolean =>
	rotatedAt !== null || (kind !== "SCOPED" && expiresAt !== null);

export function assertNotEnded(key: ApiKeyRow, now: Instant): void {
	if (keyStatus(key, now) === "EXPIRED") throw fail("ApiKeyExpired", `The key '${key.id}' has already expired.`);
}

export function assertNotRotated(key: ApiKeyRow): void {
	if (isRotated(key))
		throw fail("ApiKeyHasExpiry", `The key '${key.id}' is already expiring; change the key that replaced it.`);
}

/**
 * An environment always has one key of each default kind. Such a key can only be rotated; afterwards its old secret can
 * be revoked.
 */
export function assertMayBeRevoked(key: ApiKeyRow): void {
	if (key.kind !== "SCOPED" && key.expiresAt === null)
		throw fail("BadUserInput", `The key '${key.id}' is a default key of its environment; rotate it instead.`);
}
