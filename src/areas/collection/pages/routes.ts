import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { CustomerRefId, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { methodPageOperations as operations } from "./openapi";
import { getPage } from "./operations";
import { openMethodPage } from "./operations.open";
import { MethodPage, MethodPagePath, MethodSetup } from "./schema";
import { viewPageOf } from "./view";

/** Routes of the pages on which customers save a payment method. */
export const methodPageRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id/payment-methods/setup", tags: ["Charging"], normalize: false })
		.use(identity(services))
		.post(
			"",
			async ({ actor, cause, once, params: { id }, body, status }) =>
				status(201, await once(async () => ({ data: await openMethodPage(services, actor, cause(), id, body) }))),
			{
				detail: operations.open,
				permit: { scope: "CUSTOMER:WRITE", takesLong: true },
				params: Type.Object({ id: CustomerRefId }),
				body: MethodSetup,
				response: { 201: single(MethodPage) },
			},
		)
		.get(
			"/:pageId",
			({ read, params: { id, pageId } }) => read((work) => ({ data: viewPageOf(getPage(work, id, pageId)) })),
			{ detail: operations.retrieve, permit: "CUSTOMER:READ", params: MethodPagePath, response: single(MethodPage) },
		);
