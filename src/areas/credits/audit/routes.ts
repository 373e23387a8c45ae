import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { answer } from "../../../kernel/schema";
import type { Services } from "../../../services";
import { auditOperations as operations } from "./openapi";
import { revenueOf } from "./operations.revenue";
import { Revenue, RevenueQuery } from "./schema";
import { revenueCsv, viewRevenue } from "./view";

/** Our addition to the interface, for who keeps the books. */
export const creditRevenueRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/credits/revenue", tags: ["Credit ledger"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query: { format, ...asked }, request }) => {
				const revenue = read((work) => revenueOf(work, asked));
				return (format ?? formatAccepted(request)) === "csv" ? revenueCsv(revenue) : viewRevenue(revenue);
			},
			{ detail: operations.revenue, permit: "CREDIT:READ", query: RevenueQuery, response: answer(Revenue) },
		);

/** JSON, unless CSV is asked for and JSON is not. */
function formatAccepted(request: Request): "json" | "csv" {
	const accepted = request.headers.get("accept")?.toLowerCase() ?? "";
	return accepted.includes("text/csv") && !accepted.includes("json") ? "csv" : "json";
}
