import { type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { byRefId, operation } from "../../graphql/input/operation";
import { assertAllowed } from "../access/rules";
import { findPlanSimulation, simulatePlan } from "./operations";
import { PlanSimulate } from "./schema";
import { viewSimulation } from "./view";

const typeDefs = `
	"Both dates, or neither for the last billing periods; the draft when versionNumber is left out."
	input SimulatePlanInput { refId: String! startDate: String endDate: String versionNumber: Int }
	type PlanSimulationStarted { taskId: String! }
	input PlanSimulationInput { refId: String! taskId: String! }
	type SimulatedTotal {
		currency: Currency!
		before: Float!
		after: Float!
		difference: Float!
		subscriptionsCount: Int!
	}
	type SimulatedCost {
		customerId: String!
		subscriptionId: String!
		currency: Currency!
		before: Float!
		after: Float!
		difference: Float!
	}
	type SimulationFailure { subscriptionId: String! code: String! message: String! }
	type PlanSimulation {
		"As of its task."
		status: String!
		progress: Int!
		versionNumber: Int!
		startDate: DateTime
		endDate: DateTime
		currencyTotals: [SimulatedTotal!]!
		"The greatest differences first; at most a thousand."
		customers: [SimulatedCost!]!
		customersCount: Int!
		failures: [SimulationFailure!]!
		failuresCount: Int!
	}
	extend type Query {
		"Null where there is none, or not any more: one is kept for each plan."
		planSimulation(input: PlanSimulationInput!): PlanSimulation
	}
	extend type Mutation {
		"What a version would have cost in the past those who run on the plan; it changes none of them."
		simulatePlan(input: SimulatePlanInput!): PlanSimulationStarted
	}
`;

/** As in REST; what customers pay needs a scope as well. */
const simulation = { scope: "CATALOG:READ" } as const;

export const simulationsGraphql: GraphqlArea = {
	typeDefs,
	queries: {
		planSimulation: {
			...simulation,
			resolve(args, { work }) {
				assertAllowed(work.actor, { scope: "SUBSCRIPTION:READ" });
				const input = inputOf(args, "input");
				const found = findPlanSimulation(work, textOf(input, "refId") ?? "", textOf(input, "taskId") ?? "");
				return found && viewSimulation(work, found);
			},
		},
	},
	mutations: {
		simulatePlan: operation({
			...simulation,
			path: byRefId,
			body: PlanSimulate,
			run(work, body, { id }) {
				assertAllowed(work.actor, { scope: "SUBSCRIPTION:READ" });
				return { taskId: simulatePlan(work, id, body).id };
			},
		}),
	},
};
