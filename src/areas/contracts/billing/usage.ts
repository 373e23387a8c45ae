import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { currentCharge } from "../../billing/operations";
import { type GainedPeriod, gainedPeriods } from "../../billing/operations.usage";
import { type ChargeOwner, isOfItem } from "../../billing/rules.charge";
import { lateUsage, type PeriodUsage } from "../../billing/rules.rate";
import { resourcesByIds } from "../../customers/operations";
import { getFeature } from "../../features/operations";
import type { FeatureRow } from "../../features/table";
import { convertUnits, type UnitTransformation } from "../../pricing/unit-conversion";
import { subscriptionsByIds } from "../../subscriptions/operations";
import { type CountedEvents, countedEvents, currentUsage, type UsageOf } from "../../usage/operations";
import { averageUsage } from "../../usage/reports/operations";
import { membersOf } from "../store";
import type { BilledItemRow } from "../store.billing";
import type { ContractItemRow, ContractRow } from "../table";
import { isPayAsYouGo, type PlannedLine } from "./rules.schedule";

/** The source of a pay-as-you-go item's usage. */
interface Metered {
	readonly unitTransformation: UnitTransformation | null;
	readonly billedUsage: FeatureRow["billedUsage"];
	/** One for each resource of the contract's subscriptions. */
	readonly of: readonly UsageOf[];
}

export const ownerOf = ({ id }: Pick<ContractRow, "id">): ChargeOwner => ({ kind: "CONTRACT", id });

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
): Omit<PeriodUsage, "billed"> {
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

export interface LateCycle extends GainedPeriod {
	readonly line: PlannedLine;
	/** All that is billed of the cycle then, in priced units. */
	readonly quantity: Decimal;
}

/** Returns the invoiced cycles of an item that have gained usage since, rated at the terms of their bills. */
export function lateCycles(work: Work, contract: ContractRow, item: BilledItemRow): LateCycle[] {
	if (!isPayAsYouGo(item) || item.billedUntil === null) return [];
	const metered = meteredBy(work, contract, item);
	const charge = currentCharge(work, contract.id, item.id);
	return gainedPeriods(work, charge, eventsOf(work, metered)).map((gained) => {
		const { terms, period } = gained;
		assert(isOfItem(terms), "the charges of a contract are of its items");
		const cycle = { start: period.startsAt, end: period.endsAt };
		const used = usageIn(work, { ...metered, unitTransformation: terms.unitTransformation }, cycle);
		const { rated, quantity } = lateUsage({ key: item.id, terms }, { ...used, billed: period.usageQuantity ?? zero });
		const billed = {
			...item,
			rows: terms.price.rows,
			discount: terms.discount?.percentOff ?? null,
			tax: terms.taxPercentage,
			...(terms.taxes && { taxes: terms.taxes }),
		};
		return { ...gained, line: { item: billed, cycle, ...rated }, quantity };
	});
}
