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
import { keyTold } from "./events";
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

/** The caller behind an API key; undefined when the key is unknown or expired. */
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

/** Keys that have ended are left out unless they are asked for. */
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
	/** In this answer and nowhere else: it cannot be shown again. */
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
	keyTold(work, "created", key);
	return { key, secret };
}

/** The limits of the caller. A key grants within its own end and addresses; people have neither. */
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
 * Changes what is sent; null clears. The key keeps within the caller's limits before and after. The allowed origins belong to
 * the environment, so they need ENVIRONMENT:WRITE. A field that only keys of another kind have is BadUserInput.
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
		throw fail("BadUserInput", "A publishable key is called with from anywhere; limit it by 'allowedOrigins'.");
}

const scopesOf = (scopes: ApiKeyCreate["scopes"]): Scope[] => [
	...new Set(scopes.map(({ resource, action }): Scope => `${resource}:${action}`)),
];

/** Makes a new secret with the same rights, end and addresses. The old one ends at `keepUntil`, now when it is not given. */
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
	keyTold(work, "rotated", old);
	const fresh = createKey(work, environmentId, {
		...{ kind, displayName, description, scopes: scopes ?? undefined, allowedAddresses, expiresAt },
	});
	return { ...fresh, old };
}

/** Ends a key now. Whoever may write keys may do so, whatever the key may: rights are only taken away. */
export function revokeKey(work: Work, id: string): ApiKeyRow {
	const key = getKey(work, id);
	assertNotEnded(key, work.machineNow);
	assertMayBeRevoked(key);
	const revoked = saveKey(work, key, { expiresAt: work.machineNow });
	keyTold(work, "revoked", revoked);
	return revoked;
}

/** Notes that these keys were used, of whichever environments. One that is no longer there is passed over. */
export function noteUses(work: Work, ids: readonly string[]): void {
	for (const id of ids) if (findKeyAnywhere(work, id)) saveUse(work, id);
}
