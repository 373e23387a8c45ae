import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable, RefId, Timestamp } from "../../kernel/schema";
import { taskStatuses } from "../../tasks/rules";
import { versionNumberMax } from "../packages/schema";

const closed = { additionalProperties: false };

/** The longest span, a year of any kind. Each subscription is calculated once for each of its periods. */
export const simulatedDaysMax = 366;

/** An addition to the interface: the past price of subscriptions on another version of their plan. */
export const PlanSimulate = Type.Object(
	{
		startDate: Type.Optional(Timestamp),
		endDate: Type.Optional(Timestamp),
		versionNumber: Type.Optional(
			Type.Integer({ minimum: 1, maximum: versionNumberMax, description: "The draft when it is left out" }),
		),
	},
	closed,
);
export type PlanSimulate = Static<typeof PlanSimulate>;

export const SimulationStarted = Type.Object({ taskId: Type.String() });

export const SimulationPath = Type.Object({ id: RefId, taskId: RefId });

const amounts = {
	currency: Type.String(),
	before: Type.Number({ description: "By the version that was charged; discounted, before tax" }),
	after: Type.Number({ description: "By the simulated version" }),
	difference: Type.Number({ description: "after less before" }),
};

/** The greatest differences, enough of them to export; totals cover the rest. */
export const listedMax = 1000;

export const PlanSimulation = Type.Object(
	{
		status: literals(...taskStatuses),
		progress: Type.Integer({ minimum: 0, maximum: 100 }),
		versionNumber: Type.Integer(),
		startDate: nullable(Type.String()),
		endDate: nullable(Type.String()),
		currencyTotals: Type.Array(Type.Object({ ...amounts, subscriptionsCount: Type.Integer() })),
		customers: Type.Array(Type.Object({ customerId: Type.String(), subscriptionId: Type.String(), ...amounts }), {
			maxItems: listedMax,
			description: "The greatest differences first",
		}),
		customersCount: Type.Integer({ description: "All of them, also those that are not listed" }),
		failures: Type.Array(Type.Object({ subscriptionId: Type.String(), code: Type.String(), message: Type.String() }), {
			maxItems: listedMax,
			description: "What cannot be sold on the simulated version; in no total",
		}),
		failuresCount: Type.Integer(),
	},
	{ $id: "PlanSimulation" },
);
export type PlanSimulation = Static<typeof PlanSimulation>;
