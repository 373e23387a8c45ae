import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { formatAccepted } from "../../../http/responses/csv";
import { answer } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { auditOperations as operations } from "./openapi";
import { revenueOf } from "./operations";
import { Revenue, RevenueQuery } from "./schema";
import { revenueCsv, viewRevenue } from "./view";

/** Our addition to the interface, for who keeps the books. */
export const creditRevenueRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/credits/revenue", tags: ["Credit ledger"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ actor, query: { format, ...asked }, request }) => {
				const revenue = services.transactions.read(actor, (work) => revenueOf(work, asked));
				return (format ?? formatAccepted(request)) === "csv" ? revenueCsv(revenue) : viewRevenue(revenue);
			},
			{ detail: operations.revenue, permit: "CREDIT:READ", query: RevenueQuery, response: answer(Revenue) },
		);
