import { Elysia } from "elysia";
import { contentTypeOf } from "../../http/body";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single, textOf } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { formatOfType } from "./formats/schema";
import { usageOperations as operations } from "./openapi";
import { readUsageHistory, type UsageResets } from "./operations.history";
import { listReports } from "./reports/operations.list";
import { ReportedUsage, ReportedUsageQuery } from "./reports/schema";
import { Accepted, EventReport, UsageHistory, UsageHistoryPath, UsageHistoryQuery } from "./schema";

export const usageRoutes = (services: Services, usageResets: UsageResets) =>
	new Elysia({ prefix: "/api/v1", tags: ["Usage"], normalize: false })
		.use(identity(services))
		.post(
			"/events",
			({ actor, body, once, request }) =>
				once(async () => {
					await services.intake.accept(actor, body, formatOfType[contentTypeOf(request) ?? ""] ?? "report");
					return { data: {} };
				}),
			{
				detail: operations.report,
				permit: { scope: "USAGE:WRITE", body: "text", contentTypes: Object.keys(formatOfType) },
				body: textOf(EventReport),
				response: single(Accepted),
			},
		)
		.get(
			"/usage/:customerId/history/:featureId",
			({ read, params, query }) => read((work) => ({ data: readUsageHistory(work, params, query, usageResets) })),
			{
				detail: operations.history,
				permit: "USAGE:READ",
				params: UsageHistoryPath,
				query: UsageHistoryQuery,
				response: single(UsageHistory),
			},
		)
		.get(
			"/usage/:customerId/reports/:featureId",
			({ read, params: { customerId, featureId }, query }) =>
				read((work) => {
					const page = listReports(work, { customerRef: customerId, featureRef: featureId }, query);
					return viewPage(page, (report) => report);
				}),
			{
				detail: operations.reports,
				permit: "USAGE:READ",
				params: UsageHistoryPath,
				query: ReportedUsageQuery,
				response: listOf(ReportedUsage),
			},
		);
