import { type Instant, instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import type { Work } from "../../../kernel/work";
import { assertAllowed, isPerson, keyStatus } from "../rules";
import type { KnownActor, Scope } from "../rules.actors";
import { hashSecret, visiblePrefix } from "../rules.secrets";
import { newSecret } from "../secrets";
import { updateEnvironment } from "../store";
import type { ApiKeyRow, KeyKind } from "../table";
import { emitKeyEvent } from "./events";
import {
	assertExpiry,
	assertMayBeRevoked,
	assertMayGrant,
	assertNotEnded,
	assertNotRotated,
	type GrantLimits,
	graceEnd,
	kindOfType,
} from "./rules";
import type { ApiKeyCreate, ApiKeyListQuery, ApiKeyUpdate } from "./schema";
import {
	findKey,
	findKeyAnywhere,
	findKeyByHash,
	insertKey,
	lastUsesOf,
	listKeysOf,
	pageKeys,
	saveKey,
	saveUse,
	selectKeys,
} from "./store";

export { findKeyAnywhere, lastUsesOf, listKeysOf, selectKeys as keysByIds };

export interface KeyHolder {
	readonly actor: KnownActor;
	readonly clientHardening: boolean;
	readonly allowedOrigins: readonly string[];
	readonly allowedAddresses: readonly string[];
	readonly expiresAt: Instant | null;
}

/** Returns the caller behind an API key; undefined if the key is unknown or expired. */
export function actorOfKey(work: Work, secret: string): KeyHolder | undefined {
	const found = findKeyByHash(work, hashSecret(secret));
	if (!found || keyStatus(found.key, work.machineNow) === "EXPIRED") return undefined;
	const { key, environment } = found;
	if (environment.archivedAt !== null) return undefined;
	const scopes = key.kind === "FULL_ACCESS" ? "everything" : new Set<Scope>(key.scopes ?? []);
	return {
		actor: { kind: key.kind, id: key.id, accountId: environment.accountId, environmentId: environment.id, scopes },
		clientHardening: environment.clientHardening,
		allowedOrigins: environment.allowedOrigins,
		allowedAddresses: key.allowedAddresses,
		expiresAt: key.expiresAt,
	};
}

/** Throws ApiKeyNotFound. */
export function getKey(work: Work, id: string): ApiKeyRow {
	const key = findKey(work, id);
	if (!key) throw fail("ApiKeyNotFound", `There is no API key '${id}' in this environment.`);
	return key;
}

/** Lists keys; expired ones only on request. */
export const listKeys = (work: Work, { displayName, keyType, status, ...page }: ApiKeyListQuery): Page<ApiKeyRow> =>
	pageKeys(work, page, {
		displayName,
		kinds: queryValues(keyType)?.map((type) => kindOfType[type]),
		statuses: new Set(queryValues(status) ?? ["ACTIVE", "EXPIRING"]),
	});

export interface NewKey {
	readonly kind: KeyKind;
	readonly displayName: string;
	readonly description?: string | null | undefined;
	readonly scopes?: readonly Scope[] | undefined;
	readonly allowedAddresses?: readonly string[] | undefined;
	readonly expiresAt?: Instant | null | undefined;
	readonly secret?: string | undefined;
}

export interface KeyWithSecret {
	readonly key: ApiKeyRow;
	/** Present only in this response. */
	readonly secret: string;
}

export function createKey(work: Work, environmentId: string, input: NewKey): KeyWithSecret {
	const secret = input.secret ?? newSecret(input.kind === "PUBLISHABLE" ? "client" : "server");
	work.secrets.push(secret);
	const key = insertKey(work, {
		environmentId,
		kind: input.kind,
		displayName: input.displayName,
		description: input.description ?? null,
		prefix: visiblePrefix(secret),
		hash: hashSecret(secret),
		scopes: input.kind === "SCOPED" ? [...(input.scopes ?? [])] : null,
		allowedAddresses: [...(input.allowedAddresses ?? [])],
		expiresAt: input.expiresAt ?? null,
	});
	emitKeyEvent(work, "created", key);
	return { key, secret };
}

/** Returns the caller's limits. A key grants no more than its own expiry and addresses; people have no such limits. */
function limitsOf(work: Work): GrantLimits {
	const { id, scopes } = work.actor;
	if (isPerson(work.actor)) return { scopes, expiresAt: null, allowedAddresses: [] };
	const { expiresAt, allowedAddresses } = getKey(work, id);
	return { scopes, expiresAt, allowedAddresses };
}

/** Creates a scoped key in the caller's environment, within the caller's limits. */
export function createScopedKey(work: Work, input: ApiKeyCreate): KeyWithSecret {
	const { displayName, description, allowedAddresses = [] } = input;
	const scopes = scopesOf(input.scopes);
	const expiresAt = input.expireAt == null ? null : instantOf(input.expireAt);
	const kind = "SCOPED";
	assertMayGrant(limitsOf(work), { kind, scopes, expiresAt, allowedAddresses });
	if (expiresAt !== null) assertExpiry(expiresAt, work.machineNow);
	const { environmentId } = work.actor;
	return createKey(work, environmentId, { kind, displayName, description, scopes, allowedAddresses, expiresAt });
}

/**
 * Changes the sent fields; null clears. The key must be within the caller's limits before and after. The allowed origins belong to
 * the environment, so they require ENVIRONMENT:WRITE. Throws BadUserInput for a field of another kind of key.
 */
export function updateKey(work: Work, id: string, input: ApiKeyUpdate): ApiKeyRow {
	const key = getKey(work, id);
	assertNotEnded(key, work.machineNow);
	assertNotRotated(key);
	const limits = limitsOf(work);
	assertMayGrant(limits, key);
	assertFits(key, input);
	if (input.allowedOrigins) {
		assertAllowed(work.actor, { scope: "ENVIRONMENT:WRITE" });
		updateEnvironment(work, key.environmentId, { allowedOrigins: input.allowedOrigins });
	}
	const scopes = input.scopes && scopesOf(input.scopes);
	const expiresAt = input.expireAt == null ? input.expireAt : instantOf(input.expireAt);
	const { displayName, description, allowedAddresses } = input;
	const changes = {
		...(displayName !== undefined && { displayName }),
		...(description !== undefined && { description }),
		...(allowedAddresses && { allowedAddresses }),
		...(scopes && { scopes }),
		...(expiresAt !== undefined && { expiresAt }),
	};
	assertMayGrant(limits, { ...key, ...changes });
	if (expiresAt != null) assertExpiry(expiresAt, work.machineNow);
	return Object.keys(changes).length === 0 ? key : saveKey(work, key, changes);
}

function assertFits({ kind }: ApiKeyRow, input: ApiKeyUpdate): void {
	if (kind !== "SCOPED" && (input.scopes || input.expireAt !== undefined))
		throw fail("BadUserInput", "Only scoped keys have 'scopes' and 'expireAt'; a default key is rotated instead.");
	if (kind !== "PUBLISHABLE" && input.allowedOrigins)
		throw fail("BadUserInput", "Only a publishable key has 'allowedOrigins': no page should hold another one.");
	if (kind === "PUBLISHABLE" && input.allowedAddresses)
		throw fail("BadUserInput", "A publishable key works from all addresses; limit it by 'allowedOrigins'.");
}

const scopesOf = (scopes: ApiKeyCreate["scopes"]): Scope[] => [
	...new Set(scopes.map(({ resource, action }): Scope => `${resource}:${action}`)),
];

/** Creates a new secret with the same rights, expiry and addresses. The old secret expires at `keepUntil`, or immediately. */
export function rotateKey(work: Work, id: string, keepUntil?: Instant): KeyWithSecret & { old: ApiKeyRow } {
	const key = getKey(work, id);
	assertNotEnded(key, work.machineNow);
	assertNotRotated(key);
	assertMayGrant(limitsOf(work), key);
	const { kind, displayName, description, scopes, allowedAddresses, expiresAt, environmentId } = key;
	const old = saveKey(work, key, {
		rotatedAt: work.machineNow,
		expiresAt: graceEnd(key, keepUntil, work.machineNow),
	});
	emitKeyEvent(work, "rotated", old);
	const fresh = createKey(work, environmentId, {
		...{ kind, displayName, description, scopes: scopes ?? undefined, allowedAddresses, expiresAt },
	});
	return { ...fresh, old };
}

/** Revokes a key immediately. Any caller that may write keys may revoke any key, because this only removes rights. */
export function revokeKey(work: Work, id: string): ApiKeyRow {
	const key = getKey(work, id);
	assertNotEnded(key, work.machineNow);
	assertMayBeRevoked(key);
	const revoked = saveKey(work, key, { expiresAt: work.machineNow });
	emitKeyEvent(work, "revoked", revoked);
	return revoked;
}

/** Records the use of keys of any environment. Skips deleted keys. */
export function noteUses(work: Work, ids: readonly string[]): void {
	for (const id of ids) if (findKeyAnywhere(work, id)) saveUse(work, id);
}
