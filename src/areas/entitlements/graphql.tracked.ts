import type { GraphqlArea } from "../../graphql/area";

const typeDefs = `
	input EntitlementCheckResult {
		hasAccess: Boolean!
		accessDeniedReason: String
		currentUsage: Float
		requestedUsage: Float
		usageLimit: Float
		hasUnlimitedUsage: Boolean
		nextResetDate: DateTime
		resetPeriod: EntitlementResetPeriod
		yearlyResetPeriodConfiguration: YearlyResetPeriodConfigInput
		monthlyResetPeriodConfiguration: MonthlyResetPeriodConfigInput
		weeklyResetPeriodConfiguration: WeeklyResetPeriodConfigInput
	}
	input EntitlementCheckRequested {
		customerId: String!
		featureId: String!
		resourceId: String
		requestedUsage: Float
		entitlementCheckResult: EntitlementCheckResult!
		environmentId: String
	}
	extend type Mutation {
		"Has no effect: what clients decide by themselves is not counted."
		reportEntitlementCheckRequested(entitlementCheckRequested: EntitlementCheckRequested!): Boolean
	}
`;

/** Clients of the first release send one report for each check and ignore the answer, so nothing is refused. */
export const trackedChecksGraphql: GraphqlArea = {
	typeDefs,
	mutations: {
		reportEntitlementCheckRequested: { scope: "CUSTOMER:READ", perform: async () => true },
	},
};
