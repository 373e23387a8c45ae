import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { HttpRefusal } from "../../http/refusal";
import { RefId, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { simulationOperations as operations } from "./openapi";
import { findPlanSimulation, simulatePlan } from "./operations";
import { PlanSimulate, PlanSimulation, SimulationPath, SimulationStarted } from "./schema";
import { viewSimulation } from "./view";

const params = Type.Object({ id: RefId });
// A simulation changes nothing, but shows unpublished prices, and the amounts of customers.
const simulation = { scope: "CATALOG:READ", also: "SUBSCRIPTION:READ" } as const;

export const simulationRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/plans", tags: ["Plans"], normalize: false })
		.use(identity(services))
		.post(
			"/:id/simulate",
			({ write, params: { id }, body }) =>
				write((work) => ({ data: { taskId: simulatePlan(work, id, body ?? {}).id } })),
			{
				detail: operations.simulate,
				permit: simulation,
				params,
				body: Type.Union([PlanSimulate, Type.Undefined()]),
				response: single(SimulationStarted),
			},
		)
		.get(
			"/:id/simulations/:taskId",
			({ read, params: { id, taskId } }) =>
				read((work) => {
					const found = findPlanSimulation(work, id, taskId);
					// Simulations are an addition to the interface, so its catalogue has no code for this.
					if (!found) throw new HttpRefusal(404, `The plan '${id}' has no simulation '${taskId}', or a later one.`);
					return { data: viewSimulation(work, found) };
				}),
			{
				detail: operations.retrieve,
				permit: simulation,
				params: SimulationPath,
				response: single(PlanSimulation),
			},
		);
