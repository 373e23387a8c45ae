import type { Instant } from "../../kernel/clock";
import { type Decimal, minus, plus, zero } from "../../kernel/decimal";
import { earliest } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import type { Dimensions } from "../pricing/models/formula";
import type { UnitTransformation } from "../pricing/unit-conversion";
import { type AttributedEntity, attributedEntities } from "./operations.attribution";
import { scopeEntities } from "./rules.assignments";
import { resetOf, windowAt } from "./rules.cadence";
import { allows, appliesTo, type BudgetState, limitOfWindow, unusedOf } from "./rules.chains";
import { type ChainedAssignment, selectAllocated, selectApplicable, selectChain } from "./store.assignments";
import { findCounter } from "./store.counters";
import { nextExpiryOf, selectExpiredHolds } from "./store.usage";
import type { BudgetCounterRow, Capability } from "./table";
import { beginOf, chainOfNamed, type NamedEntity, namedEntities } from "./templates/operations";

/** A use of a customer, before it is recorded. */
export interface GovernedUse {
	/** Row id. */
	readonly customerId: string;
	readonly dimensions: Dimensions | null | undefined;
	/** The instant whose windows count. */
	readonly at: Instant;
}

/** A demand for a feature or a currency (its row id). */
export interface CapabilityDemand {
	readonly capability: Capability;
	readonly capabilityId: string;
	readonly units: UnitTransformation | null;
	/** See `Demand`. Called only where budgets decide. */
	readonly amount: () => Decimal | null;
}

/** A budget that decided, and what it decided. */
export interface DecidedBudget extends BudgetState, Pick<CapabilityDemand, "capability" | "capabilityId" | "units"> {
	readonly isGranted: boolean;
	/** Its counter as the decision has read it; undefined before the first usage of the window. */
	readonly counter: BudgetCounterRow | undefined;
	readonly budget: ChainedAssignment;
}

export interface BudgetDecision {
	/** A chain for each attributed entity with budgets, from the entity up. */
	readonly chains: readonly (readonly DecidedBudget[])[];
	/** The amounts for the capabilities with budgets. Zero where the amount is unknown. */
	readonly demands: ReadonlyArray<{ readonly capabilityId: string; readonly amount: Decimal }>;
	/** Some of its budgets do not exist, because counting the use creates them. */
	readonly hasNew: boolean;
	/** The first budget that does not allow the use; null if all do. */
	readonly exceeded: DecidedBudget | null;
	/** When the decision can change without a request. */
	readonly until: Instant | null;
}

/**
 * Decides about a use by all budgets of the entities to which its dimensions attribute it. This is the only decision about budgets: checks,
 * consumption, reservations and commits call it. Returns undefined if the dimensions attribute the use to no entity.
 */
export function decideBudgets(
	work: Work,
	use: GovernedUse,
	demands: readonly CapabilityDemand[],
): BudgetDecision | undefined {
	const entities = attributedEntities(work, use.customerId, use.dimensions);
	// An entity that the use creates decides as it will once it exists.
	const named = namedEntities(work, use);
	if (entities.length === 0 && named.length === 0) return undefined;
	const counted = countedUsage(work, use);
	const chains: DecidedBudget[][] = [];
	const amounts: Array<BudgetDecision["demands"][number]> = [];
	for (const demand of demands) {
		const governed = chainsOf(work, use, demand.capabilityId, entities, named);
		if (governed.length === 0) continue;
		const amount = demand.amount();
		amounts.push({ capabilityId: demand.capabilityId, amount: amount ?? zero });
		for (const chain of governed)
			chains.push(
				chain.map((one) => {
					// A use can name the parent in addition to its child, so the child can be in another chain.
					const allocatedToOthers =
						one.allocates === 1 ? allocatedElsewhere(work, one, governed.flat(), demand.units, counted) : zero;
					return decideOne(one, counted(one), allocatedToOthers, demand, amount);
				}),
			);
	}
	return {
		chains,
		demands: amounts,
		hasNew: named.length > 0,
		exceeded: firstExceeded(chains),
		until: earliest(chains.flatMap((chain) => chain.flatMap(({ window, changesAt }) => [resetOf(window), changesAt]))),
	};
}

function firstExceeded(chains: readonly (readonly DecidedBudget[])[]): DecidedBudget | null {
	for (const chain of chains) for (const one of chain) if (!one.isGranted) return one;
	return null;
}

/** Returns the chains with budgets, in the order of the entities' types. */
function chainsOf(
	work: Work,
	use: GovernedUse,
	capabilityId: string,
	entities: readonly AttributedEntity[],
	named: readonly NamedEntity[],
): ReadonlyArray<readonly ChainedAssignment[]> {
	const ids = entities.map(({ id }) => id);
	if (named.length === 0) return selectApplicable(work, ids, capabilityId);
	const attributed = new Set(ids);
	const chainOf = (one: AttributedEntity | NamedEntity): ChainedAssignment[] =>
		"id" in one ? selectChain(work, one.id, capabilityId) : chainOfNamed(work, one, capabilityId, beginOf(work, use));
	return inOrder([...entities, ...named])
		.map((one) => chainOf(one).filter(({ scope }) => appliesTo(scopeEntities(scope), attributed)))
		.filter((chain) => chain.length > 0);
}

/** Lists each field: a budget is decided at each level of each use, and to spread objects takes longer than the decision. */
function decideOne(
	budget: ChainedAssignment,
	{ usageLimit, window, used, reserved, isNoticed, changesAt, counter }: Counted,
	allocatedToOthers: Decimal,
	{ capability, capabilityId, units }: CapabilityDemand,
	amount: Decimal | null,
): DecidedBudget {
	const { id: assignmentId, entityId, entityRef, displayName, scope, hasSoftLimit } = budget;
	const isGranted = allows({ usageLimit, hasSoftLimit, allocatedToOthers, used, reserved }, { amount, units });
	return {
		assignmentId,
		entityId,
		entityRef,
		displayName,
		scope: scopeEntities(scope),
		usageLimit,
		hasSoftLimit,
		allocatedToOthers,
		window,
		used,
		reserved,
		isNoticed,
		changesAt,
		capability,
		capabilityId,
		units,
		isGranted,
		counter,
		budget,
	};
}

/** Returns the unused parts of the limits that a node reserves for children, except for the child that the use comes from. */
const allocatedElsewhere = (
	work: Work,
	{ nodeId, scope }: ChainedAssignment,
	used: readonly ChainedAssignment[],
	units: UnitTransformation | null,
	counted: (budget: ChainedAssignment) => Counted,
): Decimal =>
	scope === ""
		? selectAllocated(work, nodeId)
				.filter((part) => used.every((one) => one.nodeId !== part.nodeId))
				.reduce((sum, part) => plus(sum, unusedOf({ ...counted(part), usageLimit: part.usageLimit }, units)), zero)
		: zero;

/** Sorts by type, as attribution does. */
const inOrder = <T extends { readonly typeId: string }>(attributed: readonly T[]): T[] =>
	attributed.toSorted((one, other) => (one.typeId < other.typeId ? -1 : 1));

/** Returns each budget once that counts a use of a capability. Two attributed entities can have common ancestors. */
export function applicableBudgets(work: Work, use: GovernedUse, capabilityId: string): ChainedAssignment[] {
	const ids = attributedEntities(work, use.customerId, use.dimensions).map(({ id }) => id);
	const found = selectApplicable(work, ids, capabilityId).flat();
	return [...new Map(found.map((one) => [one.id, one])).values()];
}

/** Returns each budget once that decided about a capability; none if some did not exist. */
export const decidedBudgets = ({ chains, hasNew }: BudgetDecision, capabilityId: string): DecidedBudget[] => {
	if (hasNew) return [];
	const found = chains.flat().filter((one) => one.capabilityId === capabilityId);
	return [...new Map(found.map((one) => [one.assignmentId, one])).values()];
};

/** The usage of a budget in one window. */
type Counted = Pick<BudgetState, "usageLimit" | "window" | "used" | "reserved" | "isNoticed" | "changesAt"> &
	Pick<DecidedBudget, "counter">;

/** Returns a function that reads the usage of budgets of a customer in the windows of an instant. */
export function countedUsage(work: Work, { customerId, at }: Pick<GovernedUse, "customerId" | "at">) {
	let expired: ReadonlyMap<number, Decimal> | undefined;
	return (budget: Pick<ChainedAssignment, "id" | "usageLimit" | "cadence" | "anchorAt">): Counted => {
		const window = windowAt(budget, at);
		const counter = findCounter(work, budget, window);
		const usageLimit = limitOfWindow(budget.usageLimit, counter?.raised);
		const isNoticed = counter !== undefined && counter.exceededAt !== null;
		if (!counter || counter.reserved === zero)
			return { usageLimit, window, used: counter?.used ?? zero, reserved: zero, isNoticed, changesAt: null, counter };
		// The counters include expired amounts until the next reservation.
		expired ??= expiredByCounter(work, customerId);
		const reserved = minus(counter.reserved, expired.get(counter.id) ?? zero);
		const changesAt = nextExpiryOf(work, customerId);
		return { usageLimit, window, used: counter.used, reserved, isNoticed, changesAt, counter };
	};
}

function expiredByCounter(work: Work, customerId: string): Map<number, Decimal> {
	const expired = new Map<number, Decimal>();
	for (const { counters, amount } of selectExpiredHolds(work, customerId))
		for (const id of counters) expired.set(id, plus(expired.get(id) ?? zero, amount));
	return expired;
}
