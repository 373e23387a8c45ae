import type { Instant } from "../../kernel/clock";
import type { Decimal } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import type { Dimensions } from "../pricing/models/formula";
import { applicableBudgets } from "./operations.decide";
import { entitiesByIds } from "./operations.entities";
import { attributionsOf } from "./rules.attribution";
import { usedAfter } from "./rules.chains";
import { type CountingSpan, spanAt } from "./rules.spans";
import { selectAttributing, selectEntity } from "./store";
import { type ChainedAssignment, hasBudgetsFor, selectNewestAssignment } from "./store.assignments";
import { openCounter, saveUsed, selectCounter } from "./store.counters";
import { addNumberedEntry } from "./store.usage";
import { eventSource } from "./table";
import { createNamedEntities, hasDefaultBudgets, type NamingUse, namedEntities } from "./templates/operations";

/**
 * The dimensions that attribute events, each with the row id of the entity that it names. Null: the events have no such dimension, so that
 * the next key of the type attributes them.
 */
export type EventAttribution = ReadonlyArray<readonly [key: string, entityId: string | null]>;

/** The budgets of a feature that count the events with the same attribution. */
export interface EventBudgets {
	readonly attribution: EventAttribution;
	readonly budgets: readonly ChainedAssignment[];
}

/** Returns the keys of the environment's entity types, by type; none while governance is off. */
export const attributionKeys = (work: Work): ReadonlyArray<readonly string[]> =>
	selectAttributing(work).map(({ attributionKeys: keys }) => keys);

/** Whether a feature (row id) has budgets, of one customer or of any, or gets budgets when usage creates an entity. */
export const hasBudgets = (work: Work, featureId: string, customerId?: string): boolean =>
	hasBudgetsFor(work, featureId, customerId) || hasDefaultBudgets(work, featureId);

/** Returns a number that grows with each new budget, also with those that usage creates: these do not change the epoch. */
export const newestBudget = (work: Work): number => selectNewestAssignment(work);

/** Returns the budgets that count events of a customer (row id) with some dimensions; undefined for none. */
export function eventBudgets(
	work: Work,
	of: { readonly customerId: string; readonly featureId: string; readonly dimensions: Dimensions },
): EventBudgets | undefined {
	const { customerId, featureId, dimensions } = of;
	const budgets = applicableBudgets(work, { customerId, dimensions, at: work.now }, featureId);
	if (budgets.length === 0) return undefined;
	const types = selectAttributing(work);
	const attribution = attributionsOf(types, dimensions).flatMap(
		({ typeId, key, entityRef }): Array<readonly [string, string | null]> => {
			const entity = selectEntity(work, customerId, entityRef);
			if (entity?.typeId !== typeId) return [];
			const keys = types.find(({ id }) => id === typeId)?.attributionKeys ?? [];
			const absent = keys.slice(0, keys.indexOf(key)).map((one) => [one, null] as const);
			return [...absent, [key, entity.id]];
		},
	);
	return { attribution, budgets };
}

/** Whether events of a customer (row id) with some dimensions create entities. */
export const createsEntities = (work: Work, of: Pick<NamingUse, "customerId" | "dimensions">): boolean =>
	namedEntities(work, of).length > 0;

/** Creates the entities that events name. The budgets of an entity begin at the earliest event that names it. */
export function createEntitiesOfEvents(work: Work, uses: readonly NamingUse[]): void {
	for (const use of uses.toSorted((one, other) => one.at - other.at)) {
		if (!createsEntities(work, use)) continue;
		work.cause.operation ??= "scheduler.CREATE_ENTITIES";
		createNamedEntities(work, use);
	}
}

/** Returns a function for the callers' ids of entities. */
export function entityRefs(work: Work, ids: readonly string[]): (entityId: string) => string | undefined {
	const found = entitiesByIds(work, ids);
	return (entityId) => found.get(entityId)?.refId;
}

/** Returns the span around an instant in which the same windows count events. */
export const eventSpan = ({ budgets }: EventBudgets, at: Instant): EventSpan => spanAt(budgets, at);

export type EventSpan = CountingSpan<ChainedAssignment>;

/** Counts many events at budgets in one transaction. It writes each counter once, in `save`. */
export class EventCounts {
	readonly #work: Work;
	readonly #counters = new Map<string, { readonly id: number; used: Decimal }>();

	constructor(work: Work) {
		this.#work = work;
	}

	/** Counts the sum of events of one attribution within a span. Returns the entry. */
	count(
		{ customerId, featureId, amount }: { customerId: string; featureId: string; amount: Decimal },
		{ windows }: EventSpan,
	): number {
		const counters = windows.map(({ budget, window }) => {
			const counter = this.#counter(customerId, budget, window);
			counter.used = usedAfter(counter.used, amount);
			return counter.id;
		});
		return addNumberedEntry(this.#work, {
			customerId,
			capabilityId: featureId,
			sourceId: eventSource,
			amount,
			counters,
		});
	}

	save(): void {
		for (const { id, used } of this.#counters.values()) saveUsed(this.#work, id, used);
	}

	#counter(customerId: string, budget: ChainedAssignment, window: Period) {
		const key = `${budget.id} ${window.start} ${budget.cadence}`;
		const known = this.#counters.get(key);
		if (known) return known;
		const { id, used } = openCounter(this.#work, customerId, budget, window);
		const opened = { id, used };
		this.#counters.set(key, opened);
		return opened;
	}
}

/** Reverses an amount at the counters of an earlier entry. Returns the new entry. */
export function reverseAtCounters(
	work: Work,
	entry: { readonly customerId: string; readonly capabilityId: string; readonly counters: number[] },
	amount: Decimal,
): number {
	for (const id of entry.counters) {
		const counter = selectCounter(work, id);
		if (counter) saveUsed(work, id, usedAfter(counter.used, amount));
	}
	work.usageChanged(entry.customerId);
	const { customerId, capabilityId, counters } = entry;
	return addNumberedEntry(work, { customerId, capabilityId, sourceId: eventSource, amount, counters });
}
