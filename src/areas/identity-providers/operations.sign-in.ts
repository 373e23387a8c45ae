import { HttpRefusal } from "../../http/refusal";
import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { findMemberOfUser } from "../access/members/operations";
import { findUser, type Login, type NewSession, startSession } from "../access/operations";
import type { UserRow } from "../access/table";
import { requiredProviderOf } from "./operations";
import { actingFor, admitMember, type Person } from "./operations.people";
import { domainOf, startPath } from "./rules";
import {
	findAnyProvider,
	findIdentity,
	insertIdentity,
	insertUsed,
	isUsed,
	listProvidersOfDomain,
	saveIdentity,
} from "./store";
import type { IdentityProviderRow, IdentityRow } from "./table";

/** The verified data of a sign-in. */
export interface SignIn {
	readonly providerId: string;
	/** The SHA-256 of the sign-in's state, stored until the state has expired. */
	readonly stateHash: string;
	readonly stateExpiresAt: Instant;
	readonly subject: string;
	readonly email: string | null;
	/** Null if the provider does not report it. */
	readonly isEmailVerified: boolean | null;
	readonly name: string | null;
	readonly groups: readonly string[] | null;
	readonly session: Pick<NewSession, "lifetimeMs" | "address" | "userAgent">;
}

/** Throws 404 for an unknown provider. The caller has no account yet. */
export function getSignInProvider(work: Work, id: string): IdentityProviderRow {
	const provider = findAnyProvider(work, id);
	if (!provider) throw new HttpRefusal(404, `There is no identity provider '${id}'.`);
	return provider;
}

/** Returns the providers for the domain of an email address. */
export const providersOfEmail = (work: Work, email: string): IdentityProviderRow[] =>
	listProvidersOfDomain(work, domainOf(email));

/** Throws Unauthenticated. */
export function assertUnused(work: Work, stateHash: string): void {
	if (isUsed(work, stateHash))
		throw fail("Unauthenticated", "This sign-in has been used already; begin a new one where you began this.");
}

/**
 * Signs a person in: by its subject if it has signed in before, otherwise by its verified email address, as an existing member, or
 * as a new one if its domain is listed. Throws IdentityForbidden for all others.
 */
export function signInByProvider(work: Work, signIn: SignIn): { token: string; expiresAt: Instant } {
	const provider = getSignInProvider(work, signIn.providerId);
	assertUnused(work, signIn.stateHash);
	insertUsed(work, { hash: signIn.stateHash, expiresAt: signIn.stateExpiresAt });
	const acting = actingFor(work, provider);
	const known = findIdentity(work, provider.id, "subject", signIn.subject);
	const user = known ? returning(acting, provider, known, signIn) : arriving(acting, provider, signIn);
	work.cause.actor = { kind: "USER", id: user.id };
	if (signIn.session.address) work.cause.address = signIn.session.address;
	const { token, session } = startSession(work, user, { ...signIn.session, providerId: provider.id });
	work.secrets.push(token);
	return { token, expiresAt: session.expiresAt };
}

function returning(work: Work, provider: IdentityProviderRow, identity: IdentityRow, signIn: SignIn): UserRow {
	assertActive(provider, identity);
	if (signIn.isEmailVerified === false) throw unverified(provider, signIn.email);
	const { email, name, groups } = { ...signIn, email: identity.email };
	return admitMember(work, provider, identity.userId, { email, name, groups }).user;
}

function arriving(work: Work, provider: IdentityProviderRow, signIn: SignIn): UserRow {
	const { subject, name, groups } = signIn;
	const email = signIn.email?.toLowerCase();
	// Without verification, a provider that accepts any address could impersonate anyone.
	if (email === undefined || signIn.isEmailVerified !== true) throw unverified(provider, signIn.email);
	const provisioned =
		findIdentity(work, provider.id, "userNameKey", email) ?? findIdentity(work, provider.id, "email", email);
	if (provisioned) return claiming(work, provider, provisioned, subject, { email, name, groups });
	const user = findUser(work, email);
	const known = user && findIdentity(work, provider.id, "userId", user.id);
	if (known) return claiming(work, provider, known, subject, { email, name, groups });
	assertKnownOrListed(work, provider, user, email);
	const member = admitMember(work, provider, user?.id, { email, name, groups });
	const [userName, userNameKey] = [email, email];
	const names = { givenName: null, familyName: null, displayName: name };
	insertIdentity(work, {
		...{ providerId: provider.id, userId: member.userId, subject, userName, userNameKey, email, ...names },
		...{ externalId: null, isActive: true },
	});
	return member.user;
}

/** Finds a provisioned person that signs in for the first time, or has a new subject. */
function claiming(
	work: Work,
	provider: IdentityProviderRow,
	identity: IdentityRow,
	subject: string,
	person: Person,
): UserRow {
	if (identity.subject !== null)
		throw fail(
			"IdentityForbidden",
			`'${person.email}' is another person of '${provider.name}' here; have the former one removed by an owner.`,
		);
	assertActive(provider, identity);
	const { user } = admitMember(work, provider, identity.userId, person);
	saveIdentity(work, identity, { subject });
	return user;
}

function assertKnownOrListed(
	work: Work,
	provider: IdentityProviderRow,
	user: UserRow | undefined,
	email: string,
): void {
	if (provider.domains.includes(domainOf(email)) || (user && findMemberOfUser(work, user.id))) return;
	throw fail(
		"IdentityForbidden",
		`'${domainOf(email)}' is none of the domains that '${provider.name}' lets in, and '${email}' is no member; ask an owner of the account for an invitation.`,
	);
}

function assertActive({ name }: IdentityProviderRow, { isActive, email }: IdentityRow): void {
	if (!isActive) throw fail("IdentityForbidden", `'${email}' is deactivated by '${name}'; have it made active there.`);
}

const unverified = ({ name }: IdentityProviderRow, email: string | null) =>
	fail(
		"IdentityForbidden",
		email === null
			? `'${name}' tells no e-mail address; have the scope 'email' allowed for this application there.`
			: `'${name}' has not verified the e-mail address '${email}' ('email_verified'); have it verified there.`,
	);

/** Returns the provider of a session; undefined for a session by password. */
export function enteredBy(work: Work, { session }: Login): IdentityProviderRow | undefined {
	if (session.providerId === null) return undefined;
	const provider = findAnyProvider(work, session.providerId);
	if (!provider)
		throw fail("Unauthenticated", "The identity provider that has let you in is gone; sign in in another way.");
	return provider;
}

/** Returns the only account of a provider's session; undefined for a session by password. */
export const accountEntered = (work: Work, login: Login): string | undefined => enteredBy(work, login)?.accountId;

/** Throws unless the account accepts the session: by one of its own providers, or by a password if no provider is required. */
export function assertEntered(work: Work, provider: IdentityProviderRow | undefined, accountId: string): void {
	if (provider?.accountId === accountId) return;
	if (provider)
		throw fail(
			"IdentityForbidden",
			`'${provider.name}' lets you into its own account only; sign in with your password for another one.`,
		);
	const required = requiredProviderOf(work, accountId);
	if (required) throw byProviderOnly(required);
}

/** Throws if all of the user's accounts require an identity provider. */
export function assertPasswordSuffices(work: Work, accountIds: readonly string[]): void {
	const required = accountIds.map((id) => requiredProviderOf(work, id));
	const [first] = required;
	if (first && required.every((one) => one !== undefined)) throw byProviderOnly(first);
}

const byProviderOnly = ({ id, name }: IdentityProviderRow) =>
	fail("RequiredSsoAuthenticationError", `This account is entered by '${name}' only: sign in at ${startPath(id)}.`);
