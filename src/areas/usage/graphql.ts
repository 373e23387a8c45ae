import { type GraphqlArea, inputOf } from "../../graphql/area";
import { type Input, operation, sent } from "../../graphql/input/operation";
import { itemsOf } from "../../graphql/input/subscription-input";
import { isoOf } from "../../graphql/scalars";
import { fail } from "../../kernel/errors";
import { readUsageHistory, type UsageResets } from "./operations.history";
import { MarkerType, UsageEvent, UsageHistory, UsageHistoryPath, UsageHistoryQuery } from "./schema";

const schemas = { MarkerType, UsageHistory, UsageEvent };

const typeDefs = `
	enum UsageMarkerType from MarkerType
	type UsageMarker { timestamp: DateTime! type: UsageMarkerType! }
	type UsageHistoryPoint from UsageHistory.series.points { * isResetPoint }
	type UsageHistoryTag from UsageHistory.series.tags
	type UsageHistorySeries from UsageHistory.series { tags points as UsageHistoryPoint }
	type UsageHistoryV2 { markers: [UsageMarker!]! series: [UsageHistorySeries!]! }
	type UsageMeasurementPoint from UsageHistory.series.points { date: DateTime! value isResetPoint }
	type UsageHistory { usageMeasurements: [UsageMeasurementPoint!]! }
	"The caller's ids. The end defaults to now."
	input UsageHistoryInput {
		customerRefId: String! featureRefId: String! resourceRefId: String startDate: DateTime! endDate: DateTime
		environmentId: String
	}
	input UsageHistoryV2Input {
		customerId: String! featureId: String! resourceId: String startDate: DateTime! endDate: DateTime
		"At most three dimensions."
		groupBy: [String!]
		environmentId: String
	}
	input UsageEventReportInput from UsageEvent { * timestamp as DateTime dimensions }
	input UsageEventsReportInput { usageEvents: [UsageEventReportInput!]! environmentId: String }
`;

/** The measured cost of a history of about a thousand points. */
const historyCost = 40_000;

const history = {
	scope: "USAGE:READ",
	path: { customerId: "customerId", featureId: "featureId" },
	params: UsageHistoryPath.properties,
	body: UsageHistoryQuery,
} as const;

const queryOf = ({ groupBy, ...query }: Input): Input =>
	sent({ ...query, groupBy: Array.isArray(groupBy) && groupBy.length > 0 ? groupBy.join(",") : undefined });

/** The same request as the text of a `POST /events`. */
function reportOf(args: Input): string {
	if ((args.events == null) === (args.input == null))
		throw fail("BadUserInput", "Send the events either as 'events' or as 'input'.");
	const { usageEvents } = inputOf(args, args.events == null ? "input" : "events");
	const events = itemsOf(usageEvents)?.map(({ timestamp, ...event }) =>
		sent({ ...event, timestamp: isoOf(timestamp) }),
	);
	return JSON.stringify({ events });
}

/** The entitlements area is later, so `usageResets` comes from `graphql/schema.ts`. */
export const usageGraphql = (usageResets: UsageResets): GraphqlArea => ({
	schemas,
	typeDefs,
	queries: {
		usageHistory: {
			...operation({
				...{ ...history, signature: "(usageHistoryInput: UsageHistoryInput!): UsageHistory!" },
				read: ({ customerRefId, featureRefId, resourceRefId, ...period }) =>
					queryOf({ ...period, customerId: customerRefId, featureId: featureRefId, resourceId: resourceRefId }),
				run: (work, query, path) => ({
					usageMeasurements: readUsageHistory(work, path, query, usageResets).series.flatMap(({ points }) =>
						points.map(({ timestamp, ...point }) => ({ date: timestamp, ...point })),
					),
				}),
			}),
			cost: historyCost,
		},
		usageHistoryV2: {
			...operation({
				...{ ...history, signature: "(input: UsageHistoryV2Input!): UsageHistoryV2!", read: queryOf },
				run: (work, query, path) => readUsageHistory(work, path, query, usageResets),
			}),
			cost: historyCost,
		},
	},
	mutations: {
		reportEvent: {
			signature: "(events: UsageEventsReportInput, input: UsageEventsReportInput): Boolean",
			comment: "True when the events are on disk. Send one of the arguments. A known event is not counted again.",
			scope: "USAGE:WRITE",
			async perform(args, actor, { intake }) {
				await intake.accept(actor, reportOf(args), "report");
				return true;
			},
		},
	},
});
