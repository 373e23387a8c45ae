import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import { type Work, workAt, workIn } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { findCustomer } from "../../customers/operations";
import { currentUsage } from "../../usage/operations";
import { followedCustomer } from "../../usage/operations.following";
import { windowsOf } from "../billing/measures/usage-windows";
import { type UsedPrice, usedPrices } from "../billing/measures/used-prices";
import { saveHighestTotal, selectHighestTotal, type TotalsOf } from "../billing/store.highest-totals";
import { selectLive } from "../store.of-customers";
import type { SubscriptionRow } from "../table";
import { saleOf } from "../terms/subscription-sale";
import type { EnvironmentTime } from "./rules";

/** The events of a customer or resource from its first negative value on, in the order of the log. */
export interface Series {
	readonly customer: number;
	readonly resourceRef: string | null;
	readonly featureId: string;
	/** The last ones. */
	readonly events: Array<{ readonly at: Instant; readonly value: Decimal }>;
	/** The ones before. */
	summed: SummedSeries | undefined;
}

/** The sums of events by window. */
interface SummedSeries {
	/** The subscriptions and prices that have the windows. Other ones have other windows. */
	readonly of: string;
	readonly windows: Map<string, SummedWindow>;
}

/** The events of a window. */
interface SummedWindow {
	readonly sum: Big;
	/** The highest sum of the first events; 0 before all of them. */
	readonly highest: Big;
	/** The window of these times has all of them. */
	readonly firstAt: Instant;
	readonly lastAt: Instant;
}

/** A price that charges the units of a series, with its subscription. */
interface ChargingPrice {
	/** In the environment of the subscription, at its time. */
	readonly work: Work;
	readonly row: SubscriptionRow;
	readonly used: UsedPrice;
	readonly totals: TotalsOf;
	/** The start of the usage that it charges. */
	readonly first: Instant;
}

/** Returns the prices of the live subscriptions that charge the units of a series. */
export function pricesOf(
	work: Work,
	{ customer: number, featureId, resourceRef }: Series,
	environments: ReadonlyMap<string, EnvironmentTime>,
): ChargingPrice[] {
	const { environmentId, customerRef } = followedCustomer(work, number) ?? {};
	const time = environmentId === undefined ? undefined : environments.get(environmentId);
	if (environmentId === undefined || customerRef === undefined || !time) return [];
	const within = workAt(workIn(work, systemActor(environmentId)), time.now);
	const customer = findCustomer(within, customerRef);
	return (customer ? selectLive(within, customer.id) : []).flatMap((row) =>
		usedPrices(within, row, saleOf(within, row, (time.now - 1) as Instant)).flatMap((used) => {
			const { totals, featureId: of, resourceId } = used.of;
			if (!totals || of !== featureId || resourceId !== resourceRef) return [];
			return [{ work: within, row, used, totals, first: row.usageBilledFrom ?? row.startAt }];
		}),
	);
}

/** Returns the window of a price at an instant; undefined before the first one. */
function windowAt({ row, used, first }: ChargingPrice, at: Instant): Period | undefined {
	if (at < first) return undefined;
	const [window] = windowsOf(row, used, { start: at, end: (at + 1) as Instant }, first);
	return window && { start: window.start, end: window.whole.end };
}

const nameOf = ({ totals, first }: ChargingPrice): string => `${totals.subscriptionId}/${totals.key}/${first}`;
const nameOfWindow = (price: ChargingPrice, { start, end }: Period): string => `${nameOf(price)}/${start}/${end}`;

/** Adds the events of a series to its sums. Returns undefined if the windows of the sums have changed. */
export function sumsAfter({ events, summed }: Series, prices: readonly ChargingPrice[]): SummedSeries | undefined {
	const of = prices.map(nameOf).join("\n");
	if (summed && summed.of !== of) return undefined;
	const windows = new Map(summed?.windows);
	for (const price of prices)
		for (const { at, value } of events) {
			const window = windowAt(price, at);
			if (!window) continue;
			const name = nameOfWindow(price, window);
			windows.set(name, withEvent(windows.get(name), at, value));
		}
	const isStill = prices.every((price) =>
		[...windows].every(([name, { firstAt, lastAt }]) => {
			if (!name.startsWith(`${nameOf(price)}/`)) return true;
			return [firstAt, lastAt].every((at) => {
				const window = windowAt(price, at);
				return window !== undefined && nameOfWindow(price, window) === name;
			});
		}),
	);
	return isStill ? { of, windows } : undefined;
}

function withEvent(before: SummedWindow | undefined, at: Instant, value: Decimal): SummedWindow {
	const sum = exact(before?.sum ?? 0).plus(value);
	const highest = before?.highest ?? exact(0);
	return {
		sum,
		highest: sum.gt(highest) ? sum : highest,
		firstAt: Math.min(at, before?.firstAt ?? at) as Instant,
		lastAt: Math.max(at, before?.lastAt ?? at) as Instant,
	};
}

/** Stores the highest totals of a price's windows. Returns whether one is new. */
export function saveOfPrice(price: ChargingPrice, { windows }: SummedSeries): boolean {
	let isNew = false;
	for (const [name, summed] of windows) {
		const window = windowAt(price, summed.firstAt);
		if (window && nameOfWindow(price, window) === name) isNew = saveOfWindow(price, window, summed) || isNew;
	}
	return isNew;
}

/** The highest total since before the first event is the total before it and the highest sum from then on. */
function saveOfWindow(
	{ work, used: { of }, totals }: ChargingPrice,
	{ start, end }: Period,
	{ sum, highest: reached, lastAt }: SummedWindow,
): boolean {
	const total = exact(currentUsage(work, { ...of, period: { start, end } }));
	const highest = total.minus(sum).plus(reached);
	if (!highest.gt(total)) return false;
	const stored = selectHighestTotal(work, totals, start);
	if (stored && !highest.gt(stored.highest)) return false;
	saveHighestTotal(work, {
		...rowOf(work, totals, start),
		highest: toDecimal(highest),
		lastAt: Math.max(stored?.lastAt ?? 0, lastAt) as Instant,
		changes: (stored?.changes ?? 0) + 1,
	});
	return true;
}

const rowOf = (work: Work, { subscriptionId, key }: TotalsOf, startsAt: Instant) => ({
	...{ subscriptionId, key, startsAt },
	environmentId: work.actor.environmentId,
});
