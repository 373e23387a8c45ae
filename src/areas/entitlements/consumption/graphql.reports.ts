import { fieldsOf, type GraphqlArea } from "../../../graphql/area";
import { type Input, operation } from "../../../graphql/input/operation";
import { isoText, itemsOf, sent } from "../../../graphql/input/subscription-input";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { type UsageMeasurement, UsageReportBody } from "../../usage/reports/schema";
import { reportUsage } from "./operations";

/** Two names of one input: the first release's, and today's. */
const reportFields = `
		customerId: String!
		featureId: String!
		value: Float!
		resourceId: String
		updateBehavior: UsageUpdateBehavior
		"When the usage happened; left out: now."
		createdAt: DateTime
		dimensions: JSON
		idempotencyKey: String
		environmentId: String
	`;

const typeDefs = `
	"What was taken of the customer's credits, and what there is since."
	type UsageMeasurementCredit {
		currencyId: String!
		consumed: Float!
		currentUsage: Float!
		usageLimit: Float!
		timestamp: DateTime!
		usagePeriodEnd: DateTime
	}
	type UsageMeasurement {
		id: ID!
		"As id."
		measurementId: ID!
		customerId: String!
		featureId: String!
		resourceId: String
		value: Float!
		"Null when nothing entitles the customer any more."
		currentUsage: Float
		usagePeriodStart: DateTime
		usagePeriodEnd: DateTime
		nextResetDate: DateTime
		timestamp: DateTime!
		createdAt: DateTime!
		"Null where it costs no credits."
		credit: UsageMeasurementCredit
	}
	input UsageMeasurementCreateInput {${reportFields}}
	input ReportUsageInput {${reportFields}}
	"All or nothing."
	input ReportUsageBulkInput { usages: [ReportUsageInput!]! environmentId: String }
	extend type Mutation {
		"As reportUsage, of the first release."
		createUsageMeasurement(usageMeasurement: UsageMeasurementCreateInput!): UsageMeasurement
		reportUsage(input: ReportUsageInput!): UsageMeasurement
		reportUsageBulk(input: ReportUsageBulkInput!): [UsageMeasurement!]
	}
`;

const measurement = fieldsOf<UsageMeasurement>({ fields: { measurementId: ({ id }) => id } });

/** The environment is the key's (docs/interface/graphql.md). */
const reportOf = ({ environmentId: _, createdAt, ...report }: Input): Input =>
	sent({ ...report, createdAt: isoText(createdAt) });

const one = {
	scope: "USAGE:WRITE",
	read: (input: Input) => ({ usages: [reportOf(input)] }),
	body: UsageReportBody,
	run(work: Work, body: UsageReportBody): UsageMeasurement {
		const [measured] = reportUsage(work, body);
		assert(measured, "one report is one measurement");
		return measured;
	},
} as const;

export const usageReportsGraphql: GraphqlArea = {
	typeDefs,
	types: { UsageMeasurement: measurement },
	mutations: {
		createUsageMeasurement: operation({ ...one, argument: "usageMeasurement" }),
		reportUsage: operation(one),
		reportUsageBulk: operation({
			...one,
			read: ({ usages }) => ({ usages: itemsOf(usages)?.map(reportOf) }),
			run: (work, body) => reportUsage(work, body),
		}),
	},
};
