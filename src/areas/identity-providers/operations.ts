import { HttpRefusal } from "../../http/refusal";
import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import { seal } from "../../kernel/sealed";
import type { Work } from "../../kernel/work";
import { assertMayBeGiven } from "../access/members/operations";
import { myStanding } from "../access/members/operations.rights";
import { newSecret } from "../access/operations";
import { hashSecret } from "../access/rules.secrets";
import { issuerOf, lowerCased, rolesIn } from "./rules";
import { clientSecretKey } from "./rules.secrets";
import {
	type IdentityProviderCreate,
	type IdentityProviderListQuery,
	type IdentityProviderUpdate,
	providersMax,
	type RoleMapping,
} from "./schema";
import {
	deleteExpiredStates,
	deleteProviderRow,
	findProvider,
	findProviderByToken,
	forgetSubjects,
	insertProvider,
	listAllProviders,
	listProvidersOf,
	pageProviders,
	saveProvider,
} from "./store";
import type { IdentityProviderRow } from "./table";

export { listAllProviders };

/** What providers are called and kept by. */
export interface ProviderSettings {
	readonly folderSecret: string;
	/** Whether providers may be at private addresses, and at plain HTTP. */
	readonly allowPrivate: boolean;
}

/** 404 for one that the account does not have. */
export function getProvider(work: Work, id: string): IdentityProviderRow {
	const provider = findProvider(work, id);
	if (!provider) throw new HttpRefusal(404, `There is no identity provider '${id}' in this account.`);
	return provider;
}

/** Newest first. */
export const listProviders = (work: Work, query: IdentityProviderListQuery): Page<IdentityProviderRow> =>
	pageProviders(work, query);

/** The first provider without which an account is not entered; undefined where passwords do. */
export const requiredProviderOf = (work: Work, accountId: string): IdentityProviderRow | undefined =>
	listProvidersOf(work, accountId).find(({ isRequired }) => isRequired);

export function createProvider(
	work: Work,
	input: IdentityProviderCreate,
	{ folderSecret, allowPrivate }: ProviderSettings,
): IdentityProviderRow {
	assertOwner(work);
	const { name, clientId, clientSecret, domains = [], roleMapping = {}, isRequired = false } = input;
	assertMapping(work, roleMapping);
	const others = listProvidersOf(work, work.actor.accountId);
	if (others.length >= providersMax)
		throw fail("BadUserInput", `This account has ${providersMax} identity providers already; delete one.`);
	assertNameIsFree(others, name);
	const id = work.newId();
	return insertProvider(work, {
		id,
		name,
		issuer: issuerOf(input.issuer, allowPrivate),
		clientId,
		sealedSecret: seal(clientSecretKey(folderSecret, id), clientSecret),
		domains: lowerCased(domains),
		roleMapping,
		isRequired,
		scimTokenHash: null,
	});
}

/** Changes what is sent. Who has signed in stays signed in. */
export function updateProvider(
	work: Work,
	id: string,
	input: IdentityProviderUpdate,
	{ folderSecret, allowPrivate }: ProviderSettings,
): IdentityProviderRow {
	assertOwner(work);
	const provider = getProvider(work, id);
	const { name, issuer, clientId, clientSecret, domains, roleMapping, isRequired } = input;
	if (roleMapping) assertMapping(work, roleMapping);
	if (name !== undefined && name !== provider.name) assertNameIsFree(listProvidersOf(work, work.actor.accountId), name);
	// The people of another issuer are others, even where their subjects are alike.
	if (issuer !== undefined && issuer !== provider.issuer) forgetSubjects(work, provider);
	return saveProvider(work, provider, {
		...(name !== undefined && { name }),
		...(issuer !== undefined && { issuer: issuerOf(issuer, allowPrivate) }),
		...(clientId !== undefined && { clientId }),
		...(clientSecret !== undefined && { sealedSecret: seal(clientSecretKey(folderSecret, id), clientSecret) }),
		...(domains && { domains: lowerCased(domains) }),
		...(roleMapping && { roleMapping }),
		...(isRequired !== undefined && { isRequired }),
	});
}

/** Nobody signs in by it any more, and whom it let in is out at once (`assertEntered`). Its people stay members. */
export function deleteProvider(work: Work, id: string): IdentityProviderRow {
	assertOwner(work);
	const provider = getProvider(work, id);
	deleteProviderRow(work, provider);
	return provider;
}

/**
 * Lets passwords in again, for the command line: the way back where a required provider lets nobody in. By the id or the name;
 * of no account in particular. BadUserInput where none is called so, or several are.
 */
export function endRequirement(work: Work, idOrName: string): IdentityProviderRow {
	const named = listAllProviders(work).filter(({ id, name }) => id === idOrName || name === idOrName);
	const [provider] = named;
	if (!provider || named.length > 1)
		throw fail(
			"BadUserInput",
			provider
				? `Several identity providers are called '${idOrName}'; name one by its id.`
				: `There is no identity provider '${idOrName}'.`,
		);
	return saveProvider(work, provider, { isRequired: false });
}

/** A new token for SCIM; the one before ends at once. It is shown this once. */
export function makeScimToken(work: Work, id: string): string {
	assertOwner(work);
	const token = newSecret("scim");
	saveProvider(work, getProvider(work, id), { scimTokenHash: hashSecret(token) });
	work.secrets.push(token);
	return token;
}

/** From now on nobody provisions by this provider. */
export function revokeScimToken(work: Work, id: string): IdentityProviderRow {
	assertOwner(work);
	return saveProvider(work, getProvider(work, id), { scimTokenHash: null });
}

/** Throws Unauthenticated. */
export function providerOfToken(work: Work, token: string | undefined): IdentityProviderRow {
	const provider = token === undefined ? undefined : findProviderByToken(work, hashSecret(token));
	if (!provider)
		throw fail(
			"Unauthenticated",
			"Send the token of POST /api/v1/identity-providers/{id}/scim-token as 'Authorization: Bearer'.",
		);
	return provider;
}

/** Forgets at most so many; answers how many that were. */
export const purgeUsedStates = deleteExpiredStates;

/** Whoever chooses a provider can come in as anybody by it, as an owner too. */
function assertOwner(work: Work): void {
	if (myStanding(work).role !== "OWNER")
		throw fail("AccessDeniedError", "Identity providers decide who comes in as whom: only owners change them.");
}

function assertMapping(work: Work, mapping: RoleMapping): void {
	for (const role of rolesIn(mapping)) assertMayBeGiven(work, { role, environmentRoles: [] });
}

function assertNameIsFree(others: readonly IdentityProviderRow[], name: string): void {
	if (others.some((one) => one.name === name))
		throw fail("DuplicatedEntityNotAllowed", `There is an identity provider '${name}' already; choose another name.`);
}
