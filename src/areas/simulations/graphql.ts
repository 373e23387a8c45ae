import { type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import type { Work } from "../../kernel/work";
import { assertAllowed } from "../access/rules";
import { findPlanSimulation, simulatePlan } from "./operations";
import { PlanSimulate, PlanSimulation, SimulationPath } from "./schema";
import { viewSimulation } from "./view";

const schemas = { PlanSimulate, SimulationPath, PlanSimulation };

const typeDefs = `
	"Both dates, or neither for the last billing periods. versionNumber defaults to the draft."
	input SimulatePlanInput from PlanSimulate { refId * }
	type PlanSimulationStarted { taskId: String! }
	input PlanSimulationInput from SimulationPath
	type PlanSimulation from PlanSimulation {
		"The status of its task."
		status
		* currencyTotals as SimulatedTotal { * }
		"The greatest differences first, at most a thousand."
		customers as SimulatedCost { * }
		customersCount failures as SimulationFailure { * } failuresCount
	}
`;

/** As in REST. Customers' costs need a second scope. */
const scope = "CATALOG:READ";
const assertMaySeeCosts = ({ actor }: Work): void => assertAllowed(actor, { scope: "SUBSCRIPTION:READ" });

export const simulationsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	queries: {
		planSimulation: {
			...{ signature: "(input: PlanSimulationInput!): PlanSimulation", scope },
			comment: "Null without a simulation. Tollgate keeps the latest one of each plan.",
			resolve(args, { work }) {
				assertMaySeeCosts(work);
				const input = inputOf(args, "input");
				const found = findPlanSimulation(work, textOf(input, "refId") ?? "", textOf(input, "taskId") ?? "");
				return found && viewSimulation(work, found);
			},
		},
	},
	mutations: {
		simulatePlan: mutationsOf({ returns: "PlanSimulationStarted", scope }).change(
			"SimulatePlanInput",
			PlanSimulate,
			(work, id, body) => {
				assertMaySeeCosts(work);
				return { taskId: simulatePlan(work, id, body).id };
			},
			{ comment: "Calculates the past costs of the plan's subscriptions under another version. Nothing is changed." },
		),
	},
};
