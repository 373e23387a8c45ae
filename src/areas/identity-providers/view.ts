import { toIso } from "../../kernel/clock";
import { callbackPath, startPath } from "./rules";
import type { IdentityProvider } from "./schema";
import type { IdentityProviderRow } from "./table";

/** The client secret is never shown. */
export const viewProvider = (row: IdentityProviderRow): IdentityProvider => ({
	id: row.id,
	accountId: row.accountId,
	name: row.name,
	issuer: row.issuer,
	clientId: row.clientId,
	domains: row.domains,
	roleMapping: row.roleMapping,
	isRequired: row.isRequired,
	hasScimToken: row.scimTokenHash !== null,
	startPath: startPath(row.id),
	callbackPath: callbackPath(row.id),
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});
