import type { AnyElysia } from "elysia";
import { environmentRoutes } from "../areas/access/environments/routes";
import { keyRoutes } from "../areas/access/keys/routes";
import { memberRoutes, roleRoutes } from "../areas/access/members/routes";
import { accessRoutes } from "../areas/access/routes";
import { auditRoutes } from "../areas/audit/routes";
import { environmentMergeRoutes } from "../areas/catalog/routes";
import { accountEntered, assertPasswordSuffices } from "../areas/identity-providers/operations.sign-in";
import { identityProviderRoutes } from "../areas/identity-providers/routes";
import { oidcRoutes } from "../areas/identity-providers/routes.sign-in";
import { scimRoutes } from "../areas/scim/routes";
import { assertTaxes } from "../areas/taxes/operations";
import type { Services } from "../server/context";
import { clockRoutes } from "../test-clocks/routes";

/** Composes the routes of accounts: signing in, members and roles, keys, environments, the audit log, identity providers. */
export const routes = (services: Services): AnyElysia[] => [
	accessRoutes(services, { assertPasswordSuffices, accountEntered }),
	memberRoutes(services),
	roleRoutes(services),
	keyRoutes(services),
	environmentRoutes(services, assertTaxes),
	auditRoutes(services),
	identityProviderRoutes(services),
	oidcRoutes(services),
	scimRoutes(services),
	clockRoutes(services),
	environmentMergeRoutes(services),
];
