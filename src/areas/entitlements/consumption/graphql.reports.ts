import { fieldsOf, type GraphqlArea } from "../../../graphql/area";
import { operation, sent } from "../../../graphql/input/operation";
import { itemsOf } from "../../../graphql/input/subscription-input";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { type UsageMeasurement, UsageReportBody } from "../../usage/reports/schema";
import { reportUsage } from "./operations";
import { Consumption } from "./schema";

const reportFields = `
	customerId featureId value resourceId updateBehavior
	"The time of the usage. Defaults to now."
	createdAt as DateTime
	dimensions idempotencyKey environmentId
`;

const schemas = { Consumption, UsageReportBody };

const typeDefs = `
	type UsageMeasurement from Consumption.usage {
		id
		"As id."
		measurementId: ID!
		*
		"Null when the customer has no entitlement any more."
		currentUsage
		usagePeriodStart usagePeriodEnd nextResetDate timestamp createdAt
		"Null when it costs no credits."
		credit as UsageMeasurementCredit "The consumed credits of the customer, and the wallet after it." { * }
	}
	input UsageMeasurementCreateInput from UsageReportBody.usages { ${reportFields} }
	input ReportUsageInput from UsageReportBody.usages { ${reportFields} }
	"All or none."
	input ReportUsageBulkInput { usages: [ReportUsageInput!]! environmentId: String }
`;

const measurement = fieldsOf<UsageMeasurement>({ fields: { measurementId: ({ id }) => id } });

const report = {
	scope: "USAGE:WRITE",
	read: (input: Readonly<Record<string, unknown>>) => ({ usages: [sent(input)] }),
	body: UsageReportBody,
	run(work: Work, body: UsageReportBody): UsageMeasurement {
		const [measured] = reportUsage(work, body);
		assert(measured, "one report is one measurement");
		return measured;
	},
} as const;

export const usageReportsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { UsageMeasurement: measurement },
	mutations: {
		createUsageMeasurement: operation({
			...{ ...report, signature: "(usageMeasurement: UsageMeasurementCreateInput!): UsageMeasurement" },
			comment: "As reportUsage, for clients of the first release.",
		}),
		reportUsage: operation({ ...report, signature: "(input: ReportUsageInput!): UsageMeasurement" }),
		reportUsageBulk: operation({
			...{ ...report, signature: "(input: ReportUsageBulkInput!): [UsageMeasurement!]" },
			read: ({ usages }) => ({ usages: itemsOf(usages)?.map(sent) }),
			run: (work, body) => reportUsage(work, body),
		}),
	},
};
