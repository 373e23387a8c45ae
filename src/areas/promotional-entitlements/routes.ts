import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { promotionalEntitlementOperations as operations } from "./openapi";
import { grantPromotionalEntitlements, listPromotionalEntitlements, revokePromotionalEntitlement } from "./operations";
import {
	PromotionalEntitlement,
	PromotionalEntitlementListQuery,
	PromotionalEntitlementPath,
	PromotionalEntitlementsPath,
	PromotionalGrants,
} from "./schema";
import { viewPromotionalEntitlement } from "./view";

const params = PromotionalEntitlementsPath;

export const promotionalEntitlementRoutes = (services: Services) =>
	new Elysia({
		prefix: "/api/v1/customers/:id/promotional-entitlements",
		tags: ["Promotional entitlements"],
		normalize: false,
	})
		.use(identity(services))
		.get(
			"",
			({ read, params: { id }, query }) =>
				read((work) => viewPage(listPromotionalEntitlements(work, id, query), viewPromotionalEntitlement)),
			{
				detail: operations.list,
				permit: "CUSTOMER:READ",
				params,
				query: PromotionalEntitlementListQuery,
				response: listOf(PromotionalEntitlement),
			},
		)
		.post(
			"",
			({ create, params: { id }, body }) =>
				create((work) => ({ data: grantPromotionalEntitlements(work, id, body).map(viewPromotionalEntitlement) })),
			{
				detail: operations.create,
				permit: "CUSTOMER:WRITE",
				params,
				body: PromotionalGrants,
				response: { 201: single(Type.Array(PromotionalEntitlement)) },
			},
		)
		.delete(
			"/:featureId",
			({ write, params: { id, featureId } }) =>
				write((work) => ({ data: viewPromotionalEntitlement(revokePromotionalEntitlement(work, id, featureId)) })),
			{
				detail: operations.revoke,
				permit: "CUSTOMER:WRITE",
				params: PromotionalEntitlementPath,
				response: single(PromotionalEntitlement),
			},
		);
