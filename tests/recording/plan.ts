/** The plan of a recording: the environments, and the requests in the order in which they are sent. */

/** A request to one environment at a time of its clock. */
export interface Step {
	readonly environment: string;
	/** The environment's time, ISO 8601. */
	readonly at: string;
	readonly method: string;
	/**
	 * Below /api/v1. The path and the body may contain references, which the player resolves when it sends the request:
	 * `{invoice:CUSTOMER:3}`, `{draft:CUSTOMER:0}`, `{legalEntity:NAME}`, `{grant:CUSTOMER:NAME}`, `{task:last}`. Positions begin with 0.
	 */
	readonly path: string;
	readonly body?: unknown;
	/** The background work that must be complete before the next request. `credits` includes `usage`. */
	readonly waitsFor?: "tasks" | "usage" | "credits";
}

/** A step whose environment and time are not known yet. */
export type Request = Omit<Step, "environment" | "at">;

export interface PlannedEnvironment {
	readonly name: string;
	readonly billingAnchor: "SUBSCRIPTION_START" | "START_OF_THE_MONTH";
	/** The time at which the recording ends and reads everything. */
	readonly until: string;
}

export interface Plan {
	readonly environments: readonly PlannedEnvironment[];
	readonly steps: readonly Step[];
}

/** Sizes of the plan. `customers` is per catalogue, `histories` per price list. */
export interface Size {
	readonly catalogues: number;
	readonly customers: number;
	readonly priceLists: number;
	readonly histories: number;
	readonly contracts: number;
	readonly months: number;
}

/** A thousand customers with at least one subscription each, twenty contracts, three years. */
export const fullSize: Size = {
	catalogues: 6,
	customers: 40,
	priceLists: 10,
	histories: 76,
	contracts: 20,
	months: 36,
};

/** The plan of the tests. */
export const smallSize: Size = {
	catalogues: 1,
	customers: 3,
	priceLists: 1,
	histories: 8,
	contracts: 2,
	months: 12,
};

/**
 * All clocks begin here. It is far from the machine's time, so that a recording can tell both kinds of time apart. The
 * first year is a leap year.
 */
export const begin = Date.UTC(2040, 0, 1);

export const iso = (at: number): string => new Date(at).toISOString();
