import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { resourcesByIds } from "../../customers/operations";
import { getFeature } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import { usedUnits } from "../../pricing/models/contract-rows";
import { wholePeriod } from "../../pricing/proration";
import { convertUnits } from "../../pricing/unit-conversion";
import { subscriptionsByIds } from "../../subscriptions/operations";
import { type CountedEvents, countedEvents, currentUsage, type UsageOf } from "../../usage/operations";
import { averageUsage } from "../../usage/reports/operations";
import { membersOf } from "../store";
import type { ContractItemRow, ContractRow } from "../table";
import { type CycleUsage, lineOf, type PlannedLine } from "./rules.schedule";
import type { UsageTerms } from "./rules.usage";
import { selectCyclesBefore } from "./store";
import type { BilledCycleRow } from "./table";

/** The source of a pay-as-you-go item's usage. */
interface Metered extends Pick<UsageTerms, "unitTransformation"> {
	readonly billedUsage: FeatureRow["billedUsage"];
	/** One for each resource of the contract's subscriptions. */
	readonly of: readonly UsageOf[];
}

/**
 * Returns the usage source of an item: its customer's usage of its feature, on the resources of the contract's
 * subscriptions. Usage without a resource counts if a subscription has none, or if there is no subscription. So
 * contracts of one customer share its usage as their subscriptions do.
 */
export function meteredBy(work: Work, contract: ContractRow, item: Pick<ContractItemRow, "itemName">): Metered {
	assert(item.itemName !== null, "a pay-as-you-go item names its feature");
	const feature = getFeature(work, item.itemName);
	const grouped = subscriptionsByIds(work, membersOf(work, [contract.id]).get(contract.id) ?? []);
	const resourceIds = [...new Set([...grouped.values()].map(({ resourceId }) => resourceId))];
	const resources = resourcesByIds(
		work,
		resourceIds.filter((id) => id !== null),
	);
	const refs = resourceIds.map((id) => (id === null ? null : (resources.get(id)?.refId ?? null)));
	const { customerId } = contract;
	return {
		unitTransformation: feature.unitTransformation,
		billedUsage: feature.billedUsage,
		of: (refs.length === 0 ? [null] : refs).map((resourceId) => ({ featureId: feature.id, customerId, resourceId })),
	};
}

/** In priced units. */
export const quantityIn = (work: Work, metered: Metered, period: Period): Decimal =>
	usageIn(work, metered, period).quantity;

/** Returns the reported usage, and the same in priced units; at least zero. */
export function usageIn(
	work: Work,
	{ unitTransformation, billedUsage, of }: Metered,
	period: Period,
): Omit<CycleUsage, "billed"> {
	const isAverage = billedUsage === "TIME_WEIGHTED_AVERAGE";
	const parts = of.map((one) =>
		exact(
			isAverage && period.end > period.start
				? averageUsage(work, one, period, period.end - period.start)
				: currentUsage(work, { ...one, period }),
		),
	);
	const reported = toDecimal(sum(parts));
	const quantity = exact(reported).lte(0) ? zero : convertUnits(reported, unitTransformation);
	return { reported, quantity, unitTransformation };
}

export const termsOfUsage = (
	{ pricingModelId, rows, discount, tax }: ContractItemRow,
	{ unitTransformation }: Metered,
): UsageTerms => ({ pricingModelId, rows, discount, tax, unitTransformation });

/** Counts all resources together. */
export function eventsOf(work: Work, { of }: Metered): CountedEvents {
	const each = of.map((one) => countedEvents(work, one));
	const summed = (count: (events: CountedEvents) => number) => each.reduce((total, events) => total + count(events), 0);
	return {
		meterId: each.find(({ meterId }) => meterId !== null)?.meterId ?? null,
		isLevel: each.some(({ isLevel }) => isLevel),
		within: (period) => summed((events) => events.within(period)),
		before: (at) => summed((events) => events.before(at)),
	};
}

export interface LateCycle {
	readonly row: BilledCycleRow;
	readonly line: PlannedLine;
	readonly quantity: Decimal;
	readonly events: number;
}

/** Cycles read at once, newest first. Late usage nearly always belongs to the newest ones. */
const cyclesPerRead = 50;

/**
 * Returns the invoiced cycles of an item that have gained usage since, rated at their own prices. They are checked,
 * newest first, only if the number of events before them has grown, until all new events are found. So an invoice costs
 * the same however long a contract runs.
 */
export function lateCycles(work: Work, contract: ContractRow, item: ContractItemRow): LateCycle[] {
	const { billedUntil, usageEvents, usageMeterId } = item;
	if (billedUntil === null || usageEvents === null) return [];
	const metered = meteredBy(work, contract, item);
	const events = eventsOf(work, metered);
	if (usageMeterId !== null && events.meterId !== usageMeterId) return [];
	const late: LateCycle[] = [];
	let missing = events.before(billedUntil) - usageEvents;
	for (let before = billedUntil; missing > 0; ) {
		const rows = selectCyclesBefore(work, item, before, cyclesPerRead);
		for (const row of rows) {
			const cycle = { start: row.cycleStart, end: row.cycleEnd };
			const counted = events.within(cycle);
			const gained = counted - (row.events ?? counted);
			if (gained > 0 && row.terms)
				late.push(lateCycle(work, metered, item, { row, terms: row.terms, events: counted }));
			// A late change of a level affects every later cycle.
			missing = events.isLevel ? gained : missing - gained;
			if (missing <= 0) break;
		}
		const oldest = rows.at(-1);
		if (!oldest) break;
		before = oldest.cycleStart;
	}
	return late;
}

function lateCycle(
	work: Work,
	metered: Metered,
	item: ContractItemRow,
	{ row, terms, events }: { readonly row: BilledCycleRow; readonly terms: UsageTerms; readonly events: number },
): LateCycle {
	const { unitTransformation, ...priced } = terms;
	const cycle = { start: row.cycleStart, end: row.cycleEnd };
	const used = usageIn(work, { ...metered, unitTransformation }, cycle);
	const billed = row.quantity ?? zero;
	const line = lineOf({ ...item, ...priced }, { ...cycle, share: wholePeriod }, { ...used, billed });
	// Canceled usage that was invoiced is not invoiced again when it returns.
	return { row, line, quantity: usedUnits({ ...used, billed }), events };
}
