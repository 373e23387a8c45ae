import { type Instant, toIsoOrNull } from "../../kernel/clock";
import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { writeEvent } from "../outbox/operations";
import { keyStatus } from "./rules";
import type { KnownActor, Scope } from "./rules.actors";
import { hashSecret, visiblePrefix } from "./rules.secrets";
import { newSecret } from "./secrets";
import {
	deleteExpiredSessions,
	endSession,
	findAccount,
	findEnvironment,
	findEnvironmentByName,
	findFirstEnvironment,
	findKey,
	findKeyByHash,
	findSessionByHash,
	findUserByEmail,
	insertAccount,
	insertEnvironment,
	insertKey,
	insertMembership,
	insertSession,
	insertUser,
	listAllEnvironments,
	listAllowedOrigins,
	listEnvironmentsOf,
	listKeysOf,
	listMembershipsOf,
	setKeyExpiry,
	updateEnvironment,
} from "./store";
import type { ApiKeyRow, EnvironmentRow, KeyKind, Role, SessionRow, UserRow } from "./table";

export { findAccount, findEnvironment, listAllEnvironments as listEnvironments };

/** Our choice: a session lasts twelve hours, a working day and a late evening. */
const sessionLifetimeMs = 12 * 60 * 60 * 1000;

export interface KeyHolder {
	readonly actor: KnownActor;
	readonly clientHardening: boolean;
	readonly allowedOrigins: readonly string[];
	readonly expiresAt: Instant | null;
}

/** The caller behind an API key; undefined when the key is unknown or expired. */
export function actorOfKey(work: Work, secret: string): KeyHolder | undefined {
	const found = findKeyByHash(work, hashSecret(secret));
	if (!found || keyStatus(found.key, work.machineNow) === "EXPIRED") return undefined;
	const { key, environment } = found;
	const scopes = key.kind === "FULL_ACCESS" ? "everything" : new Set<Scope>(key.scopes ?? []);
	return {
		actor: { kind: key.kind, id: key.id, accountId: environment.accountId, environmentId: environment.id, scopes },
		clientHardening: environment.clientHardening,
		allowedOrigins: environment.allowedOrigins,
		expiresAt: key.expiresAt,
	};
}

export interface Login {
	readonly user: UserRow;
	readonly session: SessionRow;
}

/** The user behind a bearer token; undefined when the token is unknown or expired. */
export function loginOfToken(work: Work, token: string): Login | undefined {
	const found = findSessionByHash(work, hashSecret(token));
	return found && found.session.expiresAt > work.machineNow ? found : undefined;
}

/**
 * The user as an actor in an environment. Without `accountId` the first membership counts; the environment is required
 * (Authentication, rule 5). A foreign account or environment is 403 (docs/interface/access.md).
 */
export function actorOfUser(
	work: Work,
	{ user }: Login,
	accountId: string | undefined,
	environmentId: string | undefined,
): KnownActor {
	const membership = accountId
		? listMembershipsOf(work, user.id).find((one) => one.accountId === accountId)
		: listMembershipsOf(work, user.id)[0];
	if (!membership)
		throw fail(
			"IdentityForbidden",
			"You are no member of this account; name one of yours in X-ACCOUNT-ID (see GET /api/v1/me).",
		);
	if (!environmentId)
		throw fail("MissingEntityIdError", "Name the environment in the X-ENVIRONMENT-ID header (see GET /api/v1/me).");
	const environment = findEnvironment(work, environmentId);
	if (!environment) throw fail("EnvironmentMissing", `There is no environment '${environmentId}'.`);
	if (environment.accountId !== membership.accountId)
		throw fail("IdentityForbidden", `The environment '${environmentId}' belongs to another account.`);
	return {
		kind: "USER",
		id: user.id,
		accountId: membership.accountId,
		environmentId,
		scopes: membership.role === "VIEWER" ? viewerScopes : "everything",
	};
}

/** A viewer reads everything and writes nothing. */
const viewerScopes: ReadonlySet<Scope> = new Set<Scope>([
	"API_KEY:READ",
	"CATALOG:READ",
	"CONTRACT:READ",
	"COUPON:READ",
	"CREDIT:READ",
	"CUSTOMER:READ",
	"ENVIRONMENT:READ",
	"EVENT_QUEUE:READ",
	"INVOICE:READ",
	"SUBSCRIPTION:READ",
	"USAGE:READ",
	"WEBHOOK:READ",
]);

/** Account, environment and its two default keys (docs/interface/access.md: exactly one of each kind for an environment). */
export function createEnvironment(
	work: Work,
	{ accountName, environmentName, kind, fullAccessKey, publishableKey }: NewEnvironment,
): { environment: EnvironmentRow; fullAccessKey: string; publishableKey: string } {
	const account = insertAccount(work, accountName);
	const environment = insertEnvironment(work, { accountId: account.id, name: environmentName, kind });
	const full = createKey(work, environment.id, {
		kind: "FULL_ACCESS",
		displayName: "Full access",
		secret: fullAccessKey,
	});
	const publishable = createKey(work, environment.id, {
		kind: "PUBLISHABLE",
		displayName: "Publishable",
		secret: publishableKey,
	});
	return { environment, fullAccessKey: full.secret, publishableKey: publishable.secret };
}

export interface NewEnvironment {
	readonly accountName: string;
	readonly environmentName: string;
	readonly kind: EnvironmentRow["kind"];
	/** Secrets chosen by the operator; made when undefined. */
	readonly fullAccessKey?: string | undefined;
	readonly publishableKey?: string | undefined;
}

/** One more environment for an account that exists, with its own two default keys. */
export function addEnvironment(
	work: Work,
	accountId: string,
	name: string,
	kind: EnvironmentRow["kind"],
): { environment: EnvironmentRow; fullAccessKey: string; publishableKey: string } {
	if (listEnvironmentsOf(work, accountId).some((environment) => environment.name === name))
		throw fail("DuplicatedEntityNotAllowed", `There is an environment '${name}' already; choose another name.`);
	const environment = insertEnvironment(work, { accountId, name, kind });
	const full = createKey(work, environment.id, { kind: "FULL_ACCESS", displayName: "Full access" });
	const publishable = createKey(work, environment.id, { kind: "PUBLISHABLE", displayName: "Publishable" });
	return { environment, fullAccessKey: full.secret, publishableKey: publishable.secret };
}

export interface NewKey {
	readonly kind: KeyKind;
	readonly displayName: string;
	readonly scopes?: readonly Scope[] | undefined;
	readonly expiresAt?: Instant | undefined;
	readonly secret?: string | undefined;
}

/** The secret is in the answer and nowhere else: it cannot be shown again. */
export function createKey(work: Work, environmentId: string, input: NewKey): { key: ApiKeyRow; secret: string } {
	const secret = input.secret ?? newSecret(input.kind === "PUBLISHABLE" ? "client" : "server");
	const key = insertKey(work, {
		environmentId,
		kind: input.kind,
		displayName: input.displayName,
		prefix: visiblePrefix(secret),
		hash: hashSecret(secret),
		scopes: input.kind === "SCOPED" ? [...(input.scopes ?? [])] : null,
		expiresAt: input.expiresAt ?? null,
	});
	const { id, displayName: name, kind: keyKind, prefix, expiresAt } = key;
	const payload = { id, entityId: id, name, keyKind, prefix, expiresAt: toIsoOrNull(expiresAt) };
	writeEvent(work, "api_key.created", id, payload, environmentId);
	return { key, secret };
}

export const listKeys = listKeysOf;

function getKey(work: Work, id: string): ApiKeyRow {
	const key = findKey(work, id);
	if (!key) throw fail("ApiKeyNotFound", `There is no key '${id}'; \`tollgate keys list\` shows them.`);
	return key;
}

/** A new secret with the same rights. The old one ends at `oldExpiresAt`, now when it is not given. */
export function rotateKey(
	work: Work,
	id: string,
	oldExpiresAt?: Instant,
): { key: ApiKeyRow; secret: string; old: ApiKeyRow } {
	const { kind, displayName, scopes, environmentId, expiresAt } = getKey(work, id);
	if (expiresAt !== null)
		throw fail("ApiKeyHasExpiry", `The key '${id}' is ending already; rotate the one that replaced it.`);
	const fresh = createKey(work, environmentId, { kind, displayName, scopes: scopes ?? undefined });
	return { ...fresh, old: setKeyExpiry(work, id, oldExpiresAt ?? work.machineNow) };
}

/**
 * Ends a key now. A default key cannot be revoked but rotated, since an environment always has one of each
 * (docs/interface/access.md); a key that is ending after a rotation can be cut short.
 */
export function revokeKey(work: Work, id: string): ApiKeyRow {
	const key = getKey(work, id);
	if (keyStatus(key, work.machineNow) === "EXPIRED") throw fail("ApiKeyExpired", `The key '${id}' has ended already.`);
	if (key.kind !== "SCOPED" && key.expiresAt === null)
		throw fail("BadUserInput", `The key '${id}' is a default key of its environment; rotate it instead.`);
	return setKeyExpiry(work, id, work.machineNow);
}

/** The environment that the command line means: by id or name; the first one when nothing is named. */
export function chooseEnvironment(work: Work, idOrName: string | undefined): EnvironmentRow {
	const environment = idOrName
		? (findEnvironment(work, idOrName) ?? findEnvironmentByName(work, idOrName))
		: findFirstEnvironment(work);
	if (!environment)
		throw fail(
			"EnvironmentMissing",
			idOrName ? `There is no environment '${idOrName}'.` : "There is no environment yet.",
		);
	return environment;
}

export const hasEnvironment = (work: Work): boolean => findFirstEnvironment(work) !== undefined;

export const changeEnvironment = updateEnvironment;

/** The origins that any environment allows. */
export const allAllowedOrigins = (work: Work): ReadonlySet<string> => new Set(listAllowedOrigins(work).flat());

/** The environment that the caller acts in. */
export function getOwnEnvironment(work: Work): EnvironmentRow {
	const environment = findEnvironment(work, work.actor.environmentId);
	assert(environment, "a caller's environment is there");
	return environment;
}

/** What an amount is in that names no currency, where nothing alongside it does either. */
export const defaultCurrencyOf = (work: Work): string => getOwnEnvironment(work).defaultCurrency;

/** `passwordHash` is argon2id; hashing takes its time, so the caller does it before the transaction. */
export function createUser(
	work: Work,
	{
		email,
		name,
		passwordHash,
		accountId,
		role,
	}: { email: string; name: string | null; passwordHash: string; accountId: string; role: Role },
): UserRow {
	if (findUserByEmail(work, email.toLowerCase()))
		throw fail("DuplicatedEntityNotAllowed", `There is a user '${email}' already.`);
	const user = insertUser(work, { email: email.toLowerCase(), name, passwordHash });
	insertMembership(work, { userId: user.id, accountId, role });
	return user;
}

export const findUser = (work: Work, email: string): UserRow | undefined => findUserByEmail(work, email.toLowerCase());

/** A bearer token for a user whose password has been verified. */
export function startSession(work: Work, user: UserRow): { token: string; session: SessionRow } {
	const token = newSecret("session");
	const expiresAt = (work.machineNow + sessionLifetimeMs) as Instant;
	return { token, session: insertSession(work, { userId: user.id, tokenHash: hashSecret(token), expiresAt }) };
}

export const logout = (work: Work, { session }: Login): void => endSession(work, session);

/** Forgets at most so many sessions that have ended; answers how many that were. */
export const purgeSessions = deleteExpiredSessions;

export interface MembershipView {
	readonly accountId: string;
	readonly accountName: string;
	readonly role: Role;
	readonly environments: readonly EnvironmentRow[];
}

export const membershipsOf = (work: Work, user: UserRow): MembershipView[] =>
	listMembershipsOf(work, user.id).map(({ accountId, role }) => {
		const account = findAccount(work, accountId);
		assert(account, "a membership has its account");
		return { accountId, accountName: account.name, role, environments: listEnvironmentsOf(work, accountId) };
	});
