import type { GraphqlArea } from "../../graphql/area";
import { inputOf } from "../../graphql/area";
import { type Input, operation } from "../../graphql/input/operation";
import { isoText, itemsOf, sent } from "../../graphql/input/subscription-input";
import { fail } from "../../kernel/errors";
import { readUsageHistory, type UsageResets } from "./operations.history";
import { UsageHistoryPath, UsageHistoryQuery } from "./schema";

const typeDefs = `
	enum UsageMarkerType { PERIODIC_RESET SUBSCRIPTION_CHANGE_RESET }
	type UsageMarker { timestamp: DateTime! type: UsageMarkerType! }
	type UsageHistoryPoint { timestamp: DateTime! value: Float! isResetPoint: Boolean! }
	type UsageHistoryTag { key: String! value: String! }
	type UsageHistorySeries { tags: [UsageHistoryTag!]! points: [UsageHistoryPoint!]! }
	type UsageHistoryV2 { markers: [UsageMarker!]! series: [UsageHistorySeries!]! }
	type UsageMeasurementPoint { date: DateTime! value: Float! isResetPoint: Boolean! }
	type UsageHistory { usageMeasurements: [UsageMeasurementPoint!]! }
	"The caller's ids. Left out, the end is now."
	input UsageHistoryInput {
		customerRefId: String!
		featureRefId: String!
		resourceRefId: String
		startDate: DateTime!
		endDate: DateTime
		environmentId: String
	}
	input UsageHistoryV2Input {
		customerId: String!
		featureId: String!
		resourceId: String
		startDate: DateTime!
		endDate: DateTime
		"At most three dimensions."
		groupBy: [String!]
		environmentId: String
	}
	input UsageEventReportInput {
		eventName: String!
		customerId: String!
		idempotencyKey: String!
		resourceId: String
		timestamp: DateTime
		dimensions: JSON
	}
	input UsageEventsReportInput { usageEvents: [UsageEventReportInput!]! environmentId: String }
	extend type Query {
		usageHistory(usageHistoryInput: UsageHistoryInput!): UsageHistory!
		usageHistoryV2(input: UsageHistoryV2Input!): UsageHistoryV2!
	}
	extend type Mutation {
		"True once the events are on disk. Either argument; an event that is known already counts no second time."
		reportEvent(events: UsageEventsReportInput, input: UsageEventsReportInput): Boolean
	}
`;

/** Our choice: what a history of some thousand points took. */
const historyCost = 40_000;

const history = {
	scope: "USAGE:READ",
	path: { customerId: "customerId", featureId: "featureId" },
	params: UsageHistoryPath.properties,
	body: UsageHistoryQuery,
} as const;

const queryOf = ({ resourceId, startDate, endDate, groupBy, ...of }: Input): Input =>
	sent({
		customerId: of.customerId,
		featureId: of.featureId,
		resourceId,
		startDate: isoText(startDate),
		endDate: isoText(endDate),
		groupBy: Array.isArray(groupBy) && groupBy.length > 0 ? groupBy.join(",") : undefined,
	});

/** The text of a `POST /events` that asks for the same. */
function reportOf(args: Input): string {
	if ((args.events == null) === (args.input == null))
		throw fail("BadUserInput", "Send the events either as 'events' or as 'input'.");
	const { usageEvents } = inputOf(args, args.events == null ? "input" : "events");
	const events = itemsOf(usageEvents)?.map(({ timestamp, ...event }) =>
		sent({ ...event, timestamp: isoText(timestamp) }),
	);
	return JSON.stringify({ events });
}

/** `usageResets`: entitlements come after usage (operations.history.ts). */
export const usageGraphql = (usageResets: UsageResets): GraphqlArea => ({
	typeDefs,
	queries: {
		usageHistory: {
			...operation({
				...history,
				argument: "usageHistoryInput",
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
				...history,
				read: queryOf,
				run: (work, query, path) => readUsageHistory(work, path, query, usageResets),
			}),
			cost: historyCost,
		},
	},
	mutations: {
		reportEvent: {
			scope: "USAGE:WRITE",
			async perform(args, actor, { intake }) {
				await intake.accept(actor, reportOf(args), "report");
				return true;
			},
		},
	},
});
