import { type Decimal, minus, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { type Work, workIn } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { findCustomer } from "../../customers/operations";
import { EventCounts, reverseAtCounters } from "../../governance/operations.events";
import { type FollowedEvent, followedCustomer, followedEvent } from "../operations.following";
import type { CountedSpan } from "./governed-events";
import { amountOfEvent, isCountedIn, mostSpecific } from "./matching";
import { countsFrom, findMeter, insertCount, storeMeter } from "./store";

/** The part of the log that a step counts. `after` is exclusive, `upTo` inclusive. */
export interface StepRange {
	readonly after: number;
	readonly upTo: number;
	/** The step skips events that were canceled up to this cancellation. */
	readonly canceledTo: number;
}

/** Counts the sums of a step at their budgets, in one transaction. */
export function countStep(work: Work, spans: readonly CountedSpan[], range: StepRange): void {
	const counts = new EventCounts(work);
	for (const {
		customer,
		meter: { meter },
		budgets,
		span,
		sum,
	} of spans) {
		const amount = sum?.value ?? zero;
		if (amount === zero) continue;
		const { customerId } = customer;
		const entry = counts.count({ customerId, featureId: meter.featureId, amount }, span);
		storeMeter(work, meter.id, { aggregation: meter.aggregation, filters: meter.filters });
		insertCount(work, {
			...{ entry, customerId, environmentId: meter.environmentId, meterId: meter.id, ...range, isReversal: false },
			...{ start: span.start, end: span.end, attribution: budgets.attribution.map(([key, id]) => [key, id]) },
		});
		work.usageChanged(customerId);
	}
	counts.save();
}

/** More than the entries of one customer in a step. */
const entriesMax = 1_024;

/** Reverses a canceled event at the counters that counted it, by the meter that counted it. Returns whether any did. */
export function reverseEvent(everywhere: Work, position: number, canceledTo: number): boolean {
	const event = followedEvent(everywhere, position);
	const owner = followedCustomer(everywhere, event.customer);
	if (!owner) return false;
	const work = workIn(everywhere, systemActor(owner.environmentId));
	const customer = findCustomer(work, owner.customerRef);
	const from = customer ? countsFrom(work, customer.id, position, entriesMax) : [];
	const [first] = from;
	if (!first || first.count.after >= position) return false;
	const ofStep = from.filter(({ count }) => count.upTo === first.count.upTo && isCountedIn(work, count, event));
	for (const entries of Map.groupBy(ofStep, ({ count }) => count.meterId).values()) {
		const found = mostSpecific(entries);
		if (!found) continue;
		const amount = amountIn(work, found.count.meterId, event);
		if (amount === zero) continue;
		const entry = reverseAtCounters(work, found.entry, minus(zero, amount));
		insertCount(work, {
			...found.count,
			...{ entry, after: position - 1, upTo: position, canceledTo, isReversal: true },
		});
	}
	return ofStep.length > 0;
}

function amountIn(work: Work, meterId: string, { facts }: FollowedEvent): Decimal {
	const definition = findMeter(work, meterId);
	assert(definition, "each entry of events has a meter");
	return amountOfEvent(definition, facts);
}
