import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { rechargeOperations as operations } from "./openapi";
import { type FindCreditPrice, getAutoRecharge, saveAutoRecharge } from "./operations";
import { AutoRecharge, AutoRechargeQuery, AutoRechargeSave } from "./schema";
import { viewAutoRecharge } from "./view";

export const autoRechargeRoutes = (services: Services, creditPriceOf: FindCreditPrice) =>
	new Elysia({ prefix: "/api/v1/credits/auto-recharge", tags: ["Credit grants"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) => read((work) => ({ data: viewAutoRecharge(work, query, getAutoRecharge(work, query)) })),
			{
				detail: operations.retrieve,
				permit: "CREDIT:READ",
				query: AutoRechargeQuery,
				response: single(AutoRecharge),
			},
		)
		.put(
			"",
			({ write, body }) =>
				write((work) => ({ data: viewAutoRecharge(work, body, saveAutoRecharge(work, body, creditPriceOf)) })),
			{ detail: operations.save, permit: "CREDIT:WRITE", body: AutoRechargeSave, response: single(AutoRecharge) },
		);
