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
	clearSubjects,
	deleteExpiredStates,
	deleteProviderRow,
	findProvider,
	findProviderByToken,
	insertProvider,
	listAllProviders,
	listProvidersOf,
	pageProviders,
	saveProvider,
} from "./store";
import type { IdentityProviderRow } from "./table";

export { listAllProviders };

/** The settings for calls of providers and for their secrets. */
export interface ProviderSettings {
	readonly folderSecret: string;
	/** Whether private addresses and plain HTTP are allowed. */
	readonly allowPrivate: boolean;
}

/** Throws 404 for a provider that the account does not have. */
export function getProvider(work: Work, id: string): IdentityProviderRow {
	const provider = findProvider(work, id);
	if (!provider) throw new HttpRefusal(404, `There is no identity provider '${id}' in this account.`);
	return provider;
}

/** Newest first. */
export const listProviders = (work: Work, query: IdentityProviderListQuery): Page<IdentityProviderRow> =>
	pageProviders(work, query);

/** Returns the first required provider of an account; undefined if passwords are accepted. */
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

/** Changes the sent fields. Existing sessions continue. */
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
	// A new issuer has other people, even with equal subjects.
	if (issuer !== undefined && issuer !== provider.issuer) clearSubjects(work, provider);
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

/** Deletes a provider. Its sessions end immediately (`assertEntered`). Its people stay members. */
export function deleteProvider(work: Work, id: string): IdentityProviderRow {
	assertOwner(work);
	const provider = getProvider(work, id);
	deleteProviderRow(work, provider);
	return provider;
}

/**
 * Accepts passwords again, for the command line: the remedy if a required provider fails. Finds the provider by id or name in all
 * accounts. Throws BadUserInput for none or several.
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

/** Returns a new SCIM token, which is shown once. The former one stops working. */
export function makeScimToken(work: Work, id: string): string {
	assertOwner(work);
	const token = newSecret("scim");
	saveProvider(work, getProvider(work, id), { scimTokenHash: hashSecret(token) });
	work.secrets.push(token);
	return token;
}

/** Revokes the SCIM token. */
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

/** Deletes up to `rowsMax` expired states. Returns the number of deleted rows. */
export const purgeUsedStates = deleteExpiredStates;

/** A person who controls a provider can sign in as anyone, so only owners may. */
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
