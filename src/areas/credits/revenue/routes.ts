import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { formatAccepted } from "../../../http/responses/csv";
import { answer } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { revenueOperations as operations } from "./openapi";
import { revenueOf } from "./operations";
import { Revenue, RevenueQuery } from "./schema";
import { revenueCsv, viewRevenue } from "./view";

/** An addition to the reference interface, for accounting. */
export const creditRevenueRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/credits/revenue", tags: ["Credit ledger"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ actor, query: { format, ...range }, request }) => {
				const revenue = services.transactions.read(actor, (work) => revenueOf(work, range));
				return (format ?? formatAccepted(request)) === "csv" ? revenueCsv(revenue) : viewRevenue(revenue);
			},
			{ detail: operations.get, permit: "CREDIT:READ", query: RevenueQuery, response: answer(Revenue) },
		);
