import type { GraphqlArea } from "../../graphql/area";

const typeDefs = `
	input EntitlementCheckResult {
		hasAccess: Boolean! accessDeniedReason: String currentUsage: Float requestedUsage: Float usageLimit: Float
		hasUnlimitedUsage: Boolean nextResetDate: DateTime resetPeriod: EntitlementResetPeriod
		yearlyResetPeriodConfiguration: YearlyResetPeriodConfigInput
		monthlyResetPeriodConfiguration: MonthlyResetPeriodConfigInput
		weeklyResetPeriodConfiguration: WeeklyResetPeriodConfigInput
	}
	input EntitlementCheckRequested {
		customerId: String! featureId: String! resourceId: String requestedUsage: Float
		entitlementCheckResult: EntitlementCheckResult! environmentId: String
	}
`;

/** Clients of the first release report each check in batches and ignore the response, so nothing is refused. */
export const trackedChecksGraphql: GraphqlArea = {
	typeDefs,
	mutations: {
		reportEntitlementCheckRequested: {
			signature: "(entitlementCheckRequested: EntitlementCheckRequested!): Boolean",
			comment: "Has no effect: checks that clients decide by themselves are not counted.",
			scope: "CUSTOMER:READ",
			perform: async () => true,
		},
	},
};
