import { type ExactCharge, finite } from "../support/oracle/pricing";
import { add, less, parse, type Rational, ratio, times } from "../support/oracle/rational";
import type { Uplift } from "./agreements/term";
import { alikeKey, type Item, isOnce, rate } from "./bill";
import { dayAnchor, firstOfMonth, monthsAround, type Span } from "./calendar";
import { type Buying, type Changing, type Override, plain } from "./calls";
import { chargesIn, countryFor, currencyFor, minimumIn } from "./currencies";
import {
	type Behavior,
	type Cycle,
	cyclesOf,
	type ListedCharge,
	type ListedPackage,
	type ListedPhase,
	monthsOf,
	type PriceList,
} from "./price-list";

/** The terms of a subscription. */
export interface Terms {
	readonly plan: ListedPackage;
	/** The country whose prices apply, if there are any. */
	readonly country: string | null;
	/** Null: nothing has a price. */
	readonly currency: string | null;
	readonly cycle: Cycle | null;
	readonly addons: ReadonlyArray<{ readonly package: ListedPackage; readonly quantity: number }>;
	readonly units: Readonly<Record<string, number>>;
	readonly overrides: readonly Override[];
	readonly minimum: { readonly amount: string; readonly currency: string } | null;
	/** The phase whose prices apply. */
	readonly phase: ListedPhase | null;
	/** The price increases so far, and how many of them its own prices and its own minimum contain. */
	readonly uplifts: readonly Uplift[];
	readonly inOwnPrices: number;
	readonly inMinimum: number;
	readonly tax: string | null;
	readonly behavior: Behavior;
	readonly daysDue: number | null;
}

const packageOf = (list: PriceList, id: string): ListedPackage => {
	const found = [...list.plans, ...list.addons].find((one) => one.id === id);
	if (!found) throw new Error(`Nothing is called ${id}.`);
	return found;
};

/**
 * `previous` are the terms of the replaced subscription; the customer's terms stay unless the call names them. `customer` is the
 * customer's currency.
 */
export function termsOf(list: PriceList, asked: Buying, customer: string | null, previous?: Terms): Terms {
	const plan = packageOf(list, asked.planId);
	const cycles = cyclesOf(plan);
	const cycle = cycles.length === 0 ? null : (asked.billingPeriod ?? cycles[0] ?? null);
	const packages = [plan, ...(asked.addons ?? []).map(({ id }) => packageOf(list, id))];
	// The country that a call names takes precedence over the country of the replaced subscription.
	const named = asked.billingCountryCode ?? previous?.country ?? null;
	const country = named ?? (cycle && countryFor(packages, cycle, list.country, customer));
	const requested = asked.billingCurrency ?? null;
	const former = previous?.currency ?? null;
	const terms: Terms = {
		plan,
		country,
		cycle,
		currency: cycle ? currencyFor(packages, cycle, country, { requested, former, customer }) : requested,
		addons: [],
		units: {},
		overrides: asked.priceOverrides ?? [],
		minimum: null,
		phase: null,
		uplifts: [],
		inOwnPrices: 0,
		inMinimum: 0,
		tax: previous?.tax ?? null,
		behavior: previous?.behavior ?? "INVOICE_IMMEDIATELY",
		daysDue: previous?.daysDue ?? null,
	};
	const { addons, charges, billingInformation, minimumSpend } = asked;
	return changedTerms(list, terms, {
		...(addons && { addons }),
		...(charges && { charges }),
		...(billingInformation && { billingInformation }),
		...(minimumSpend && { minimumSpend }),
	});
}

/** A scheduled plan is sold at the prices at its start. */
export const soldByThen = (list: PriceList, terms: Terms): Terms => changedTerms(list, terms, { toLatest: true });

/** Absent fields stay as they are; units that the plan sells default to their minimum. */
export function changedTerms(list: PriceList, terms: Terms, changes: Changing): Terms {
	const { billingInformation = {}, minimumSpend } = changes;
	const { taxPercentage, invoiceDaysUntilDue, prorationBehavior } = billingInformation;
	const addons =
		changes.addons?.map(({ id, quantity }) => ({ package: packageOf(list, id), quantity })) ?? terms.addons;
	const cycle = changes.billingPeriod ?? terms.cycle;
	const named = Object.fromEntries((changes.charges ?? []).map(({ id, quantity }) => [id, quantity]));
	const phased = (terms.plan.phases ?? []).flatMap(({ charges = [] }) => charges);
	const least: Record<string, number> = {};
	for (const { model, prices, feature = "", least: fewest = 1 } of [...terms.plan.charges, ...phased])
		if (model === "PER_UNIT" && prices.some((price) => price.cycle === cycle))
			least[feature] = Math.max(fewest, least[feature] ?? 0);
	const uplifts = [...terms.uplifts, ...(changes.uplifts ?? [])];
	return {
		...terms,
		plan: changes.toLatest ? packageOf(list, terms.plan.id) : terms.plan,
		cycle,
		addons,
		units: { ...least, ...terms.units, ...named },
		overrides: changes.priceOverrides ?? terms.overrides,
		phase: changes.phase === undefined ? terms.phase : changes.phase,
		uplifts,
		inOwnPrices: changes.priceOverrides ? uplifts.length : terms.inOwnPrices,
		inMinimum: minimumSpend === undefined ? terms.inMinimum : uplifts.length,
		minimum:
			minimumSpend === undefined
				? terms.minimum
				: minimumSpend && { amount: plain(minimumSpend.amount), currency: minimumSpend.currency },
		tax: taxPercentage === undefined ? terms.tax : plain(taxPercentage),
		behavior: prorationBehavior ?? terms.behavior,
		daysDue: invoiceDaysUntilDue ?? terms.daysDue,
	};
}

/** Positive for an upgrade: from free to paid, then to the longer period, then to the higher total of a period. */
export function directionOf(before: Terms, after: Terms): number {
	const [old, next] = [priceOf(before), priceOf(after)];
	if ((old.amount === 0n) !== (next.amount === 0n)) return old.amount === 0n ? 1 : -1;
	const longer = before.cycle && after.cycle ? monthsOf[after.cycle] - monthsOf[before.cycle] : 0;
	if (longer !== 0) return longer;
	if (old.currency !== next.currency) return 0;
	return next.amount > old.amount ? 1 : next.amount < old.amount ? -1 : 0;
}

export const isFree = ({ plan }: Terms): boolean => plan.charges.length === 0;
export const cycleAround = (anchor: number, cycle: Cycle, at: number): Span =>
	monthsAround(anchor, monthsOf[cycle], at);

/** Returns an instant from which the periods of a plan count that begin to be billed at a time. */
export function anchorOf({ isFromTheFirst }: PriceList, plan: ListedPackage, cycle: Cycle, at: number): number {
	const anchor = plan.anchor ?? { type: isFromTheFirst ? "START_OF_THE_MONTH" : "SUBSCRIPTION_START" };
	switch (anchor.type) {
		case "SUBSCRIPTION_START":
			return at;
		case "START_OF_THE_MONTH":
			return firstOfMonth(at);
		case "CALENDAR":
			return dayAnchor(at, 1, monthsOf[cycle], 0);
		case "DAY":
			return dayAnchor(
				at,
				anchor.dayOfMonth,
				monthsOf[cycle],
				anchor.month === undefined ? undefined : anchor.month - 1,
			);
		case "DATE":
			return Date.parse(anchor.date);
	}
}

/** Whether two plans state the same anchor, so that one that replaces the other continues its cycle. */
export const haveSameAnchor = (one: ListedPackage, other: ListedPackage): boolean =>
	JSON.stringify(one.anchor) === JSON.stringify(other.anchor);

export interface Held {
	readonly listed: ListedCharge;
	/** The period of its price. */
	readonly cycle: Cycle;
	readonly charge: ExactCharge;
	readonly addon: string | null;
	readonly count: number;
}

/** Returns the prices of plan and addons for the billing period, with overrides. */
export function pricesOf(terms: Terms): Held[] {
	const { plan, country, currency, addons, cycle, phase } = terms;
	if (cycle === null) return [];
	const own = phase?.charges ? [] : terms.overrides;
	return [{ package: planIn(plan, phase), quantity: 1 }, ...addons].flatMap(({ package: sold, quantity: count }) =>
		chargesIn(sold, cycle, country, currency ?? sold.currency).flatMap((listed): Held[] => {
			const isUsage = listed.model === "USAGE_BASED";
			const price =
				listed.prices.find((one) => one.cycle === cycle) ??
				// Usage is billed by its own period within a longer one.
				listed.prices.find((one) => isUsage && one.cycle === "MONTHLY");
			if (!price) return [];
			const addon = sold.isAddon ? sold.id : null;
			const override = own.find((one) => isFor(one, listed, addon));
			const amount = override ? plain(override.amount) : price.amount;
			const factor =
				addon === null && !listed.isOnce ? factorOf(terms, isUsage, override ? terms.inOwnPrices : 0) : null;
			// Formats numbers as Tollgate does: 28.0 is 28.
			const exact = (value: string) => finite(factor ? times(parse(value), factor) : parse(value));
			const money = (value: string | null) =>
				value === null ? null : { amount: exact(value), currency: currency ?? sold.currency };
			return [
				{
					listed,
					cycle: price.cycle,
					addon,
					count,
					charge: {
						billingModel: listed.model,
						billingCadence: listed.isOnce ? "ONE_OFF" : "RECURRING",
						isOverage: listed.beyond !== undefined,
						price: amount === undefined ? null : money(amount),
						tiersMode: override ? null : (listed.mode ?? null),
						tiers:
							override || !price.tiers
								? null
								: price.tiers.map(({ upTo, unit, flat }) => ({
										upTo,
										unitPrice: money(unit),
										flatPrice: money(flat),
									})),
						blockSize: listed.block ?? null,
						...(price.lowest !== undefined && { lowest: exact(price.lowest) }),
						...(price.highest !== undefined && { highest: exact(price.highest) }),
						...(listed.chargesUnused && { chargesUnused: true }),
					},
				},
			];
		}),
	);
}

/** Returns the plan at the prices of a phase, if that has its own. */
const planIn = ({ others: _, abroad: __, ...plan }: ListedPackage, phase: ListedPhase | null): ListedPackage =>
	phase?.charges
		? { ...plan, charges: phase.charges, minimums: [] }
		: { ...plan, ...(_ && { others: _ }), ...(__ && { abroad: __ }) };

/** Returns the part of its prices that a plan costs: increases of renewals, less the percentage of its phase. */
function factorOf({ phase, uplifts }: Terms, isUsage: boolean, contained: number): Rational {
	const increases = uplifts.slice(contained).filter(({ isOfUsage }) => isOfUsage || !isUsage);
	const factors = increases.map(({ percent }) => add(ratio(1), times(parse(percent), ratio(1, 100))));
	const lower = less(ratio(1), times(parse(phase?.percent ?? "0"), ratio(1, 100)));
	return factors.reduce(times, lower);
}

/** Overage has no overrides. */
function isFor(
	{ baseCharge, featureId, addonId }: Override,
	{ model, feature, beyond }: ListedCharge,
	addon: string | null,
) {
	if (beyond || (addonId ?? null) !== addon) return false;
	if (featureId !== undefined) return feature === featureId;
	return baseCharge ? model === "FLAT_FEE" : addon !== null;
}

/** Returns how often a price of usage is billed. */
export const billedEach = ({ plan }: Terms, { listed, cycle }: Held): Cycle =>
	listed.beyond !== undefined && plan.isOverageMonthly ? "MONTHLY" : (listed.interval ?? cycle);

/** Whether the interval of a price ends at an instant. */
export const endsAt = (terms: Terms, held: Held, anchor: number | null, at: number): boolean =>
	anchor !== null && cycleAround(anchor, billedEach(terms, held), at).start === at;

/** Whether a renewal at an instant bills a price: a window that spans several periods can continue. */
export const isDueAtRenewal = (terms: Terms, held: Held, anchor: number | null, at: number): boolean =>
	terms.cycle === null || monthsOf[billedEach(terms, held)] <= monthsOf[terms.cycle] || endsAt(terms, held, anchor, at);

/** Returns the fees and units of a period that its start charges, or its end. */
function feesOf(terms: Terms, span: Span, paid: "in advance" | "in arrears"): Item[] {
	const { units } = terms;
	return pricesOf(terms)
		.filter(({ listed }) => listed.model !== "USAGE_BASED" && (listed.inArrears ?? false) === (paid === "in arrears"))
		.map(({ listed, charge, addon, count }): Item => {
			const { model, feature = null, isOnce: once } = listed;
			const ofPlan = addon === null && model === "PER_UNIT" ? (units[feature ?? ""] ?? 1) : undefined;
			const { prorated: by, keepsPaid, isWhole } = listed;
			return {
				charge,
				addon,
				feature,
				quantity: String(ofPlan ?? count),
				span: once ? null : span,
				...(by && { by }),
				...((keepsPaid || isWhole) && { keepsPaid: true }),
				...(isWhole && { isWhole }),
			};
		});
}

/** Returns the charges at the end of a period. */
export const arrearsItems = (terms: Terms, span: Span): Item[] => feesOf(terms, span, "in arrears");

/** Returns the charges in advance of a period: fees, units, and the minimum last. */
export function advanceItems(terms: Terms, span: Span): Item[] {
	const { cycle, phase } = terms;
	const plan = planIn(terms.plan, phase);
	const minimum = phase?.charges ? null : terms.minimum;
	const currency = terms.currency ?? plan.currency;
	const items = feesOf(terms, span, "in advance");
	const ofPlan = cycle && minimumIn(plan, cycle, currency);
	const stated = minimum ?? (ofPlan && { amount: plain(Number(ofPlan.amount)), currency });
	if (!stated || cycle === null) return items;
	const factor = factorOf(terms, false, minimum ? terms.inMinimum : 0);
	const least = { ...stated, amount: finite(times(parse(stated.amount), factor)) };
	const charge: ExactCharge = {
		billingModel: "MINIMUM_SPEND",
		billingCadence: "RECURRING",
		isOverage: false,
		price: least,
		tiersMode: null,
		tiers: null,
		blockSize: null,
	};
	return [...items, { charge, addon: null, feature: null, quantity: "1", span }];
}

export const subjectOf = ({ addon, feature, charge }: Item): string =>
	JSON.stringify([addon, feature, charge.billingModel]);

export const usagePrices = (terms: Terms) =>
	pricesOf(terms)
		.filter(({ listed }) => listed.model === "USAGE_BASED")
		.map(({ charge, listed, addon }) => [charge, listed.feature, addon, listed.interval]);

function priceOf(terms: Terms): { amount: bigint; currency: string | undefined } {
	const span = { start: 0, end: 1 };
	const items = [...advanceItems(terms, span), ...arrearsItems(terms, span)].filter((item) => !isOnce(item));
	const [rated] = rate([{ items, discount: null, tax: null }]);
	return { amount: rated?.total ?? 0n, currency: rated?.currency };
}

export function areAlike(one: readonly Item[], other: readonly Item[]): boolean {
	const keys = (items: readonly Item[]) =>
		items
			.filter((item) => !isOnce(item))
			.map(alikeKey)
			.sort();
	return JSON.stringify(keys(one)) === JSON.stringify(keys(other));
}
