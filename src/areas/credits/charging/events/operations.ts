import type { Instant } from "../../../../kernel/clock";
import { type Decimal, zero } from "../../../../kernel/decimal";
import { assert } from "../../../../kernel/errors";
import type { Work } from "../../../../kernel/work";
import { createEntitiesOfEvents } from "../../../governance/operations.events";
import type { EventIds } from "../../../usage/events/rules.event-ids";
import type { FollowedEvent } from "../../../usage/operations.following";
import { priceUnits, unpriceUnits, walletFor } from "../../costs/operations";
import { consumeFromWallets, type WalletUse } from "../../operations.consume";
import { reverseConsumption } from "../../operations.reverse";
import type { PricedCustomer } from "./event-prices";
import { costOfUnits, pricerOf, pricesWholeUnitsOf } from "./rules";
import { chargesAround, findPricing, insertCharge, storePricing } from "./store";
import type { EventChargeRow } from "./table";
import { hourOf, type UseGroup } from "./uses";

/** The positions in the log of the events of a step. `after` is exclusive, `upTo` inclusive. */
export interface StepRange {
	readonly after: number;
	readonly upTo: number;
}

/** Consumes the credits that events of one customer cost, and records what priced them. */
export function chargeEvents(
	work: Work,
	{ customerId }: PricedCustomer,
	groups: readonly UseGroup[],
	range: StepRange,
	eventIds: EventIds,
): void {
	const charges = groups.flatMap((group) => {
		const amount = costOfGroup(work, customerId, group);
		return amount === zero ? [] : { group, amount, id: work.newId() };
	});
	const uses = charges.map(({ group, amount, id }): WalletUse => {
		const { price, resourceRef, lastAt, dimensions, events, position } = group;
		return {
			wallet: walletFor(work, { customerId, resourceRef }, price.rate),
			amount,
			at: lastAt,
			featureId: price.feature.id,
			eventId: position === null ? id : eventIds.idOf(work.actor.environmentId, position),
			dimensions,
			events: events === 1 ? null : events,
		};
	});
	createEntitiesOfEvents(
		work,
		charges.map(({ group: { dimensions, firstAt: at } }) => ({ customerId, dimensions, at })),
	);
	const totals = consumeFromWallets(work, uses);
	for (const [at, { group, amount, id }] of charges.entries()) {
		const { price, resourceRef, hour, periodStart, firstAt, lastAt, events, units, position } = group;
		const walletId = totals[at]?.walletId;
		assert(walletId, "each use returns the totals of its wallet");
		storePricing(work, price.pricingId, price.pricing);
		insertCharge(work, {
			...{ id, customerId, walletId, hour, periodStart, firstAt, lastAt, events, units, amount },
			environmentId: work.actor.environmentId,
			featureId: price.feature.id,
			resourceRef: resourceRef ?? "",
			pricingId: price.pricingId,
			...(position === null ? range : { after: position - 1, upTo: position }),
		});
	}
}

function costOfGroup(
	work: Work,
	customerId: string,
	{ price, resourceRef, periodStart, units, cost }: UseGroup,
): Decimal {
	if (cost !== null) return cost;
	assert(units !== null, "without a formula, events are priced by units");
	if (!price.pricesWholeUnits) return costOfUnits(price.pricing, units);
	const of = {
		customerId,
		featureId: price.feature.id,
		resourceRef: resourceRef ?? "",
		periodStart: periodStart ?? noPeriod,
	};
	return priceUnits(work, price.pricing, of, units);
}

const noPeriod = 0 as Instant;

/** Releases the credits of a canceled event, by the meter and rate that priced it. Returns whether it had consumed any. */
export function reverseEvent(
	work: Work,
	{ customerId }: { readonly customerId: string },
	event: FollowedEvent,
	eventIds: EventIds,
): boolean {
	const { position, at } = event;
	const around = chargesAround(work, { customerId, hour: hourOf(at), position }).filter(
		({ resourceRef, firstAt, lastAt }) => resourceRef === (event.resourceRef ?? "") && firstAt <= at && at <= lastAt,
	);
	// Several charges of one feature differ in dimensions only. The event is in one of them, and all have the same pricing.
	const byFeature = new Map(around.map((charge) => [charge.featureId, charge]));
	for (const charge of byFeature.values()) {
		const amount = creditsOfEvent(work, charge, event);
		if (amount !== zero)
			reverseConsumption(work, {
				...{ walletId: charge.walletId, amount, at, featureId: charge.featureId },
				eventId: eventIds.idOf(work.actor.environmentId, position),
				dimensions: event.dimensions(),
			});
	}
	return byFeature.size > 0;
}

function creditsOfEvent(work: Work, charge: EventChargeRow, { facts, dimensions }: FollowedEvent): Decimal {
	const pricing = findPricing(work, charge.pricingId);
	assert(pricing, "each charge has a pricing");
	const priced = pricerOf(pricing)(facts, dimensions);
	if (!priced) return zero;
	if (priced.cost !== null) return priced.cost;
	if (!pricesWholeUnitsOf(pricing)) return costOfUnits(pricing, priced.units);
	const { customerId, featureId, resourceRef, periodStart } = charge;
	const of = { customerId, featureId, resourceRef, periodStart: periodStart ?? noPeriod };
	return unpriceUnits(work, pricing, of, priced.units);
}
