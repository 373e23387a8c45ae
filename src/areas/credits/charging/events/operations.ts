import type { Instant } from "../../../../kernel/clock";
import { type Decimal, zero } from "../../../../kernel/decimal";
import { assert } from "../../../../kernel/errors";
import type { Transactions, Work } from "../../../../kernel/work";
import { systemActor } from "../../../access/rules.actors";
import type { EventIds } from "../../../usage/events/rules.event-ids";
import { type FollowedEvent, lastCancellationOf, lastEventOf } from "../../../usage/operations.following";
import { priceUnits, unpriceUnits, walletFor } from "../../costs/operations";
import { type Draw, drawCredits } from "../../operations.consume";
import { giveBackCredits } from "../../operations.reverse";
import type { PricedCustomer } from "./event-prices";
import { costOfUnits, isPricedByWholeUnits, pricerOf } from "./rules";
import { drawsAround, type EventCursor, findPricing, insertDraw, keepPricing, readCursor, writeCursor } from "./store";
import type { CreditEventDrawRow } from "./table";
import { hourOf, type UseGroup } from "./uses";

/** Where in the log the events of a step lie: after the one position, up to the other. */
export interface StepRange {
	readonly after: number;
	readonly upTo: number;
}

/**
 * How far events have taken credits. What came before there was a cursor was never to take any: so a start sees to it that
 * there is one before the first event is accepted.
 */
export function beginEventCredits(transactions: Transactions): EventCursor {
	const everywhere = systemActor("");
	return (
		transactions.read(everywhere, readCursor) ??
		transactions.writeUsage(everywhere, (work) => {
			const last = lastEventOf(work);
			const first = { takenTo: last, stepTo: last, customerTo: 0, canceledTo: lastCancellationOf(work) };
			writeCursor(work, first);
			return first;
		})
	);
}

/** Takes what events of one customer cost, and writes down by what they were priced. */
export function takeForEvents(
	work: Work,
	{ customerId }: PricedCustomer,
	groups: readonly UseGroup[],
	range: StepRange,
	eventIds: EventIds,
): void {
	const taken = groups.flatMap((group) => {
		const amount = amountOf(work, customerId, group);
		return amount === zero ? [] : { group, amount, id: work.newId() };
	});
	const draws = taken.map(({ group, amount, id }): Draw => {
		const { by, resourceRef, lastAt, dimensions, events, position } = group;
		return {
			wallet: walletFor(work, { customerId, resourceRef }, by.rate),
			amount,
			at: lastAt,
			featureId: by.feature.id,
			eventId: position === null ? id : eventIds.idOf(work.actor.environmentId, position),
			dimensions,
			events: events === 1 ? null : events,
		};
	});
	const shown = drawCredits(work, draws);
	for (const [at, { group, amount, id }] of taken.entries()) {
		const { by, resourceRef, hour, periodStart, firstAt, lastAt, events, units, position } = group;
		const walletId = shown[at]?.walletId;
		assert(walletId, "each draw is answered");
		keepPricing(work, by.pricingId, by.pricing);
		insertDraw(work, {
			...{ id, customerId, walletId, hour, periodStart, firstAt, lastAt, events, units, amount },
			environmentId: work.actor.environmentId,
			featureId: by.feature.id,
			resourceRef: resourceRef ?? "",
			pricingId: by.pricingId,
			...(position === null ? range : { after: position - 1, upTo: position }),
		});
	}
}

function amountOf(work: Work, customerId: string, { by, resourceRef, periodStart, units, cost }: UseGroup): Decimal {
	if (cost !== null) return cost;
	assert(units !== null, "what no formula prices has units");
	if (!by.isByWholeUnits) return costOfUnits(by.pricing, units);
	const of = {
		customerId,
		featureId: by.feature.id,
		resourceRef: resourceRef ?? "",
		periodStart: periodStart ?? never,
	};
	return priceUnits(work, by.pricing, of, units);
}

const never = 0 as Instant;

/** Gives back what an event took that was canceled, by the meter and the rate of then. Answers whether it had taken anything. */
export function giveBackForEvent(
	work: Work,
	{ customerId }: { readonly customerId: string },
	event: FollowedEvent,
	eventIds: EventIds,
): boolean {
	const { position, at } = event;
	const around = drawsAround(work, { customerId, hour: hourOf(at), position }).filter(
		({ resourceRef, firstAt, lastAt }) => resourceRef === (event.resourceRef ?? "") && firstAt <= at && at <= lastAt,
	);
	// Several of one feature tell other dimensions apart: it is in one of them, and each says what it was priced by.
	const byFeature = new Map(around.map((draw) => [draw.featureId, draw]));
	for (const draw of byFeature.values()) {
		const amount = worthOf(work, draw, event);
		if (amount !== zero)
			giveBackCredits(work, {
				...{ walletId: draw.walletId, amount, at, featureId: draw.featureId },
				eventId: eventIds.idOf(work.actor.environmentId, position),
				dimensions: event.dimensions(),
			});
	}
	return byFeature.size > 0;
}

function worthOf(work: Work, draw: CreditEventDrawRow, { facts, dimensions }: FollowedEvent): Decimal {
	const pricing = findPricing(work, draw.pricingId);
	assert(pricing, "what was taken names its pricing");
	const priced = pricerOf(pricing)(facts, dimensions);
	if (!priced) return zero;
	if (priced.cost !== null) return priced.cost;
	if (!isPricedByWholeUnits(pricing)) return costOfUnits(pricing, priced.units);
	const { customerId, featureId, resourceRef, periodStart } = draw;
	const of = { customerId, featureId, resourceRef, periodStart: periodStart ?? never };
	return unpriceUnits(work, pricing, of, priced.units);
}
