import { Elysia } from "elysia";
import { contentTypeOf } from "../../http/body";
import { identity } from "../../http/identity";
import { type Instant, parseInstant, toIso } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import { assert, fail } from "../../kernel/errors";
import { viewPage } from "../../kernel/page";
import { listOf, single, textOf } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../services";
import { getCustomer } from "../customers/operations";
import { getFeature } from "../features/operations";
import { formatOfType } from "./formats/schema";
import { EventIntake } from "./ingest/operations";
import { usageOperations as operations } from "./openapi";
import { usageHistory } from "./operations";
import { listReports } from "./reports/operations.list";
import { ReportedUsage, ReportedUsageQuery } from "./reports/schema";
import { Accepted, EventReport, UsageHistory, UsageHistoryPath, UsageHistoryQuery } from "./schema";

/** When the usage of a feature began to count anew. Entitlements come after usage, so app.ts hands it in. */
type UsageResets = (
	work: Work,
	of: {
		/** The caller's ids. */
		readonly customerRef: string;
		readonly featureRef: string;
		readonly resourceRef: string | null;
		readonly from: Instant;
		readonly until: Instant;
	},
) => ReadonlyArray<{ readonly at: Instant; readonly type: "PERIODIC_RESET" | "SUBSCRIPTION_CHANGE_RESET" }>;

export const usageRoutes = (services: Services, usageResets: UsageResets) => {
	const intake = new EventIntake(services);
	return new Elysia({ prefix: "/api/v1", tags: ["Usage"], normalize: false })
		.use(identity(services))
		.post(
			"/events",
			({ actor, body, once, request }) =>
				once(async () => {
					await intake.accept(actor, body, formatOfType[contentTypeOf(request) ?? ""] ?? "report");
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
			({ read, params, query }) => read((work) => ({ data: viewHistory(work, params, query, usageResets) })),
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
};

function viewHistory(
	work: Work,
	params: { readonly customerId: string; readonly featureId: string },
	query: UsageHistoryQuery,
	usageResets: UsageResets,
): UsageHistory {
	const start = instantOf(query.startDate);
	const end = query.endDate === undefined ? work.now : instantOf(query.endDate);
	if (start >= end)
		throw fail("BadUserInput", "query/startDate: must lie before endDate, which is now when it is left out.");
	const customerId = getCustomer(work, params.customerId).id;
	const featureId = getFeature(work, params.featureId).id;
	const resourceId = query.resourceId || null;
	const of = { customerId, featureId, resourceId };
	const refs = { customerRef: params.customerId, featureRef: params.featureId, resourceRef: resourceId };
	const resets = usageResets(work, { ...refs, from: start, until: end });
	const groupBy = query.groupBy?.split(",") ?? [];
	const series = usageHistory(work, { ...of, period: { start, end }, groupBy, resets });
	return {
		markers: resets.filter(({ at }) => at >= start).map(({ at, type }) => ({ timestamp: toIso(at), type })),
		series: series.map(({ tags, points }) => ({
			tags: [...tags],
			points: points.map(({ at, value, isResetPoint }) => ({
				isResetPoint,
				timestamp: toIso(at),
				value: toWire(value),
			})),
		})),
	};
}

function instantOf(text: string): Instant {
	const at = parseInstant(text);
	assert(at !== undefined, "the schema has checked the instant");
	return at;
}
