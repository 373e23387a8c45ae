import type { Instant } from "../../kernel/clock";
import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { createKey } from "./keys/operations";
import { rightsIn, rightsOfRole, standingOf } from "./members/operations.rights";
import { type Rights, roleIn } from "./members/rules";
import type { KnownActor } from "./rules.actors";
import { hashSecret } from "./rules.secrets";
import { isOver, type SessionSettings, sessionSettingsDefault } from "./rules.sessions";
import { newSecret } from "./secrets";
import {
	deleteExpiredSessions,
	endSession,
	findAccount,
	findEnvironment,
	findEnvironmentByName,
	findFirstEnvironment,
	findSessionByHash,
	findUserByEmail,
	insertAccount,
	insertEnvironment,
	insertMembership,
	insertSession,
	insertUser,
	listAllEnvironments,
	listAllowedOrigins,
	listEnvironmentsOf,
	listMembershipsOf,
	updateEnvironment,
} from "./store";
import type { EnvironmentRow, MembershipRow, SessionRow, UserRow } from "./table";

export { findAccount, findEnvironment, listAllEnvironments as listEnvironments, newSecret };

export interface Login {
	readonly user: UserRow;
	readonly session: SessionRow;
}

/** Returns the user behind a bearer token; undefined if the token is unknown or the session has ended. */
export function loginOfToken(work: Work, token: string, settings: SessionSettings): Login | undefined {
	const found = findSessionByHash(work, hashSecret(token));
	return found && !isOver(found.session, work.machineNow, settings) ? found : undefined;
}

/**
 * Returns the user as an actor in an environment. Without `accountId`, the first membership counts. The environment is
 * required. 403 for another account's environment (docs/interface/access.md#environments).
 */
export function actorOfUser(
	work: Work,
	login: Login,
	accountId: string | undefined,
	environmentId: string | undefined,
): KnownActor {
	const membership = membershipOf(work, login, accountId);
	if (!environmentId)
		throw fail("MissingEntityIdError", "Name the environment in the X-ENVIRONMENT-ID header (see GET /api/v1/me).");
	const environment = findEnvironment(work, environmentId);
	if (!environment) throw fail("EnvironmentMissing", `There is no environment '${environmentId}'.`);
	if (environment.accountId !== membership.accountId)
		throw fail("IdentityForbidden", `The environment '${environmentId}' belongs to another account.`);
	if (environment.archivedAt !== null)
		throw fail("IdentityForbidden", `The environment '${environmentId}' is archived; nobody calls there any more.`);
	const scopes = rightsIn(work, membership, environmentId);
	if (!scopes) throw fail("IdentityForbidden", `You have no role in the environment '${environmentId}'.`);
	return { kind: "USER", id: login.user.id, accountId: membership.accountId, environmentId, scopes };
}

/** Returns the user as an actor in an account. Only the role in the account counts, not the roles in environments. */
export function actorOfMember(work: Work, login: Login, accountId: string | undefined): KnownActor {
	const membership = membershipOf(work, login, accountId);
	const scopes = rightsOfRole(work, membership.accountId, membership.role);
	return { kind: "USER", id: login.user.id, accountId: membership.accountId, environmentId: "", scopes };
}

function membershipOf(work: Work, login: Login, accountId: string | undefined): MembershipRow {
	const all = listMembershipsOf(work, login.user.id);
	const entered = all.filter((one) => isEntered(login, one));
	const membership = accountId ? entered.find((one) => one.accountId === accountId) : entered[0];
	if (membership) return membership;
	if (accountId ? all.some((one) => one.accountId === accountId) : all.length > 0) throw byProviderOnly();
	throw fail(
		"IdentityForbidden",
		"You are not a member of this account; name one of yours in X-ACCOUNT-ID (see GET /api/v1/me).",
	);
}

/** A membership by an identity provider requires a session by that provider. */
const isEntered = ({ session }: Login, { isProvided }: MembershipRow): boolean =>
	session.providerId !== null || !isProvided;

const byProviderOnly = () =>
	fail(
		"RequiredSsoAuthenticationError",
		"An identity provider manages your membership of this account: sign in by it. To use a password, ask an owner to remove you and invite you.",
	);

/** Creates an account with an environment and its two default keys. */
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
	/** Secrets of the operator's choice; random by default. */
	readonly fullAccessKey?: string | undefined;
	readonly publishableKey?: string | undefined;
}

/** Adds an environment with two default keys to an account. */
export function addEnvironment(
	work: Work,
	accountId: string,
	name: string,
	kind: EnvironmentRow["kind"],
): { environment: EnvironmentRow; fullAccessKey: string; publishableKey: string } {
	if (listEnvironmentsOf(work, accountId).some((environment) => environment.name === name))
		throw fail("DuplicatedEntityNotAllowed", `There is already an environment '${name}'; choose another name.`);
	const environment = insertEnvironment(work, { accountId, name, kind });
	const full = createKey(work, environment.id, { kind: "FULL_ACCESS", displayName: "Full access" });
	const publishable = createKey(work, environment.id, { kind: "PUBLISHABLE", displayName: "Publishable" });
	return { environment, fullAccessKey: full.secret, publishableKey: publishable.secret };
}

/** Returns the environment that a command names by id or name; the first one by default. */
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

/** Returns the origins that any environment allows. */
export const allAllowedOrigins = (work: Work): ReadonlySet<string> => new Set(listAllowedOrigins(work).flat());

/** Returns the caller's environment. */
export function getOwnEnvironment(work: Work): EnvironmentRow {
	const environment = findEnvironment(work, work.actor.environmentId);
	assert(environment, "a caller's environment is there");
	return environment;
}

/** Returns the currency of amounts that name none. */
export const defaultCurrencyOf = (work: Work): string => getOwnEnvironment(work).defaultCurrency;

/** `passwordHash` is argon2id. The caller computes it before the transaction, because it is slow. */
export function createUser(
	work: Work,
	{
		email,
		name,
		passwordHash,
		accountId,
		role,
	}: { email: string; name: string | null; passwordHash: string; accountId: string; role: string },
): UserRow {
	if (findUserByEmail(work, email.toLowerCase()))
		throw fail("DuplicatedEntityNotAllowed", `There is already a user '${email}'.`);
	const user = insertUser(work, { email: email.toLowerCase(), name, passwordHash });
	insertMembership(work, { userId: user.id, accountId, role });
	return user;
}

export const findUser = (work: Work, email: string): UserRow | undefined => findUserByEmail(work, email.toLowerCase());

export interface NewSession {
	readonly lifetimeMs?: number;
	readonly address?: string | null;
	readonly userAgent?: string | null;
	/** The identity provider of the session, which grants access to its account only. */
	readonly providerId?: string | null;
}

/** Creates a bearer token for a user after authentication. */
export function startSession(
	work: Work,
	user: UserRow,
	{
		lifetimeMs = sessionSettingsDefault.lifetimeMs,
		address = null,
		userAgent = null,
		providerId = null,
	}: NewSession = {},
): { token: string; session: SessionRow } {
	const token = newSecret("session");
	const expiresAt = (work.machineNow + lifetimeMs) as Instant;
	const session = { userId: user.id, tokenHash: hashSecret(token), address, userAgent, providerId, expiresAt };
	return { token, session: insertSession(work, session) };
}

export const logout = (work: Work, { session }: Login): void => endSession(work, session);

/** Deletes up to `rowsMax` expired sessions. Returns the number of deleted rows. */
export const purgeSessions = deleteExpiredSessions;

export interface MembershipView {
	readonly accountId: string;
	readonly accountName: string;
	/** The name of a built-in role or the id of a custom one; null for roles in environments only. */
	readonly role: string | null;
	/** The environments in which the user has a role. */
	readonly environments: ReadonlyArray<EnvironmentRow & { readonly role: string; readonly rights: Rights }>;
}

/**
 * Returns the accounts that the user's password gives access to. Throws RequiredSsoAuthenticationError if identity providers manage
 * all of them.
 */
export function accountsByPassword(work: Work, user: UserRow): string[] {
	const all = listMembershipsOf(work, user.id);
	const entered = all.filter(({ isProvided }) => !isProvided);
	if (all.length > 0 && entered.length === 0) throw byProviderOnly();
	return entered.map(({ accountId }) => accountId);
}

/** Returns the memberships in all accounts of the session, or in one. */
export function membershipsOf(work: Work, login: Login, only?: string): MembershipView[] {
	const entered = listMembershipsOf(work, login.user.id).filter((one) => isEntered(login, one));
	const shown = only === undefined ? entered : entered.filter(({ accountId }) => accountId === only);
	return shown.map((membership) => {
		const { accountId, role } = membership;
		const account = findAccount(work, accountId);
		assert(account, "a membership has its account");
		const standing = standingOf(work, membership);
		const environments = listEnvironmentsOf(work, accountId).flatMap((environment) => {
			const here = environment.archivedAt === null ? roleIn(standing, environment.id) : null;
			return here === null ? [] : [{ ...environment, role: here, rights: rightsOfRole(work, accountId, here) }];
		});
		return { accountId, accountName: account.name, role, environments };
	});
}
