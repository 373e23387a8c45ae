import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { single } from "../../kernel/schema";
import type { Services } from "../../services";
import { checkEntitlement, listEntitlements } from "./operations";
import { ResolvedCache } from "./resolved-cache";
import {
	EffectiveEntitlement,
	EntitlementCheckQuery,
	EntitlementsAnswer,
	EntitlementsPath,
	EntitlementsQuery,
} from "./schema";

const permit = { scope: "CUSTOMER:READ", publishable: true } as const;
const params = EntitlementsPath;

export const entitlementRoutes = (services: Services) => {
	const { resolve } = new ResolvedCache(services.doors);
	return new Elysia({ prefix: "/api/v1/customers/:id/entitlements", tags: ["Entitlements"], normalize: false })
		.use(identity(services))
		.get(
			"/",
			({ read, params: { id }, query: { resourceId } }) =>
				read((work) => ({ data: listEntitlements(work, id, resourceId || null, resolve) })),
			{ permit, params, query: EntitlementsQuery, response: single(EntitlementsAnswer) },
		)
		.get(
			"/check",
			({ read, params: { id }, query }) => read((work) => ({ data: checkEntitlement(work, id, query, resolve) })),
			{ permit, params, query: EntitlementCheckQuery, response: single(EffectiveEntitlement) },
		);
};
