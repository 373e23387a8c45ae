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

/** The first release sends one for each check, in batches, and looks at no answer: a refusal would be noise in its log. */
export const trackedChecksGraphql: GraphqlArea = {
	typeDefs,
	mutations: {
		reportEntitlementCheckRequested: { scope: "CUSTOMER:READ", perform: async () => true },
	},
};
