import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { addUnits, type Period } from "../../../kernel/period";
import type { LineBasis } from "../../pricing/basis";
import type { RatedCharge } from "../../pricing/models/charge";
import { type CycleUnits, priceRows, rateUsageRows, rateUsedRows } from "../../pricing/models/contract-rows";
import type { PricedTier } from "../../pricing/models/tiers";
import { type Share, wholePeriod } from "../../pricing/proration";
import { differenceOf, sumTotals, type Totals, totalLines } from "../../pricing/totals";
import type { UnitTransformation } from "../../pricing/unit-conversion";
import { pricingModel } from "../rules.models";
import { type Cycle, type RatedItem, unbilled, unbilledCycles } from "./rules.cycles";

/** The usage of a pay-as-you-go item in a cycle. */
export interface CycleUsage extends CycleUnits {
	readonly reported: Decimal;
	readonly unitTransformation: UnitTransformation | null;
}

/** The terms of a schedule in addition to its items. */
export interface ScheduleTerms {
	/** The earliest date of an invoice: the publication, or now for a draft. */
	readonly notBefore: Instant;
	/** The default days until due of a legal entity, by its id; null: due at issue. */
	readonly netTermsOf: (legalEntityId: string) => number | null;
	/** Null if no usage is known yet: each row then counts once with its price, as in the totals of a draft. */
	readonly usageIn: (item: RatedItem, cycle: Period) => CycleUsage | null;
}

/** A line item for one cycle, rounded once. */
export interface PlannedLine extends Totals {
	readonly item: RatedItem;
	readonly cycle: Period;
	readonly quantity: Decimal | null;
	readonly unitPrice: Decimal | null;
	readonly tiers: readonly PricedTier[] | null;
	/** Null if its usage is not known yet. */
	readonly basis: LineBasis | null;
}

export interface PlannedInvoice extends Totals {
	/** When the invoice is due to be issued. It has this date, unless the contract was published later. */
	readonly dueSince: Instant;
	readonly issueAt: Instant;
	readonly payableAt: Instant;
	/** The span from the first start to the last end of its lines. */
	readonly period: Period;
	readonly currency: string;
	readonly legalEntityId: string;
	readonly lines: readonly PlannedLine[];
}

/**
 * Returns the future invoices of items in order of time. Previews of drafts, schedules of live contracts and issued
 * invoices all use this. Lines share an invoice if they are due together with the same cadence, payment time, net terms
 * and issuer; a line with `separateInvoice` has its own. An item without rows costs nothing, and is on no invoice.
 */
export const scheduleOf = (items: readonly RatedItem[], terms: ScheduleTerms): PlannedInvoice[] =>
	grouped(
		items
			.filter(hasRows)
			.flatMap((item) => [...unbilledCycles(item, terms.notBefore)].map((cycle) => ({ item, cycle }))),
		terms,
	);

export const hasRows = ({ rows }: Pick<RatedItem, "rows">): boolean => rows.length > 0;

/**
 * Whether a line is on its invoice: a fixed line always, even if it costs nothing; a pay-as-you-go line only with
 * usage.
 */
export const isInvoiced = ({ item, quantity, subTotal }: PlannedLine): boolean =>
	hasRows(item) && (!isPayAsYouGo(item) || exact(quantity ?? zero).gt(0) || !exact(subTotal).eq(0));

/** Returns the invoices that are due first, at one instant, with items that cost nothing. None if all is invoiced. */
export function nextInvoices(items: readonly RatedItem[], terms: ScheduleTerms): PlannedInvoice[] {
	const first = firstCycles(items, terms.notBefore);
	const at = Math.min(...first.map(dueSince));
	return grouped(
		first.filter((one) => dueSince(one) === at),
		terms,
	);
}

/** Returns when the next invoice is issued; null after the last one. */
export function nextIssueAt(items: readonly RatedItem[], notBefore: Instant): Instant | null {
	const first = firstCycles(items, notBefore);
	return first.length === 0 ? null : later(Math.min(...first.map(dueSince)) as Instant, notBefore);
}

/** Returns the totals of an item for the whole term: invoiced and future cycles. */
export function itemTotals(item: RatedItem): Totals {
	const { count, at } = unbilled(item, 0 as Instant);
	const edges = count === 0 ? [] : count === 1 ? [at(0)] : [at(0), at(count - 1)];
	const between = count > 2 ? [repeated(lineOf(item, at(1), null), count - 2)] : [];
	const parts = [...edges.map((cycle) => lineOf(item, cycle, null)), ...between];
	return sumTotals(item.billed ? [item.billed, ...parts] : parts);
}

/** Rates one item for one cycle. With `usage` null each priced row counts once. */
export function lineOf(item: RatedItem, cycle: Cycle, usage: CycleUsage | null): PlannedLine {
	const { quantity, unitPrice, tiers, amount } = chargeOf(item, usage);
	const share = shareOfLine(item, cycle);
	const { subTotal, discount, tax, total } = totalLines([{ amount, share }], {
		currency: item.currency,
		coupon: item.discount === null ? null : { percentOff: item.discount, amountsOff: null },
		taxPercentage: item.tax,
	});
	return {
		item,
		cycle: { start: cycle.start, end: cycle.end },
		...{ quantity, unitPrice, tiers },
		...{ subTotal, discount, tax, total },
		basis: basisOf(item, share, usage),
	};
}

/** Returns all inputs of the line's amounts. */
function basisOf(
	{ id: itemId, pricingModelId, rows, discount }: RatedItem,
	share: Share,
	usage: CycleUsage | null,
): LineBasis | null {
	const { rowModel: model, isPayAsYouGo } = pricingModel(pricingModelId);
	if (isPayAsYouGo && usage === null) return null;
	return {
		contractItem: { itemId, model, isPayAsYouGo, rows },
		quantity: usage?.reported ?? zero,
		...(usage && { billed: usage.billed }),
		...(usage?.unitTransformation && { unitTransformation: usage.unitTransformation }),
		...(share !== wholePeriod && { share }),
		...(discount !== null && { discount: { percentOff: discount } }),
	};
}

export const isPayAsYouGo = ({ pricingModelId }: Pick<RatedItem, "pricingModelId">): boolean =>
	pricingModel(pricingModelId).isPayAsYouGo;

/** Usage is charged in full. */
const shareOfLine = (item: RatedItem, { share }: Cycle) => (isPayAsYouGo(item) ? wholePeriod : share);

function chargeOf({ pricingModelId, rows, currency }: RatedItem, usage: CycleUsage | null): RatedCharge {
	const { rowModel, isPayAsYouGo } = pricingModel(pricingModelId);
	if (!isPayAsYouGo) return priceRows(rowModel, rows);
	if (usage === null) return { quantity: null, unitPrice: null, tiers: null, amount: rateUsageRows(rows) };
	return rateUsedRows(rowModel, rows, usage, currency);
}

const repeated = (line: Totals, times: number): Totals => ({
	subTotal: toDecimal(exact(line.subTotal).times(times)),
	discount: toDecimal(exact(line.discount).times(times)),
	tax: toDecimal(exact(line.tax).times(times)),
	total: toDecimal(exact(line.total).times(times)),
});

interface Charged {
	readonly item: RatedItem;
	readonly cycle: Cycle;
}

/** Returns the time of an item whose invoices were due before: until the end of the last such cycle. Null: none. */
export function dueBefore(item: RatedItem, now: Instant): Period | null {
	const { count, at } = unbilled(item, now);
	let due = 0;
	while (due < count && dueSince({ item, cycle: at(due) }) < now) due += 1;
	return due === 0 ? null : { start: at(0).start, end: at(due - 1).end };
}

/**
 * Returns the price of the cycles up to the end of one of them, for an item without invoices; zero for usage, which is
 * unknown.
 */
export function costBefore(item: RatedItem, until: Instant): Totals {
	if (isPayAsYouGo(item)) return sumTotals([]);
	return differenceOf(itemTotals(item), itemTotals({ ...item, billedUntil: until }));
}

const firstCycles = (items: readonly RatedItem[], now: Instant): Charged[] =>
	items.flatMap((item) => {
		const { count, at } = unbilled(item, now);
		return count === 0 ? [] : [{ item, cycle: at(0) }];
	});

/** In advance at the start of the cycle, in arrears at its end. */
const dueSince = ({ item, cycle }: Charged): Instant => (item.paymentTime === "IN_ADVANCE" ? cycle.start : cycle.end);

function grouped(charged: readonly Charged[], terms: ScheduleTerms): PlannedInvoice[] {
	const netTerms = (item: RatedItem) => netTermsFor(item, terms.netTermsOf);
	const groups = Map.groupBy(charged, (one) => `${dueSince(one)},${invoicedAlike(one.item, netTerms(one.item))}`);
	return [...groups.values()]
		.map((together) => planned(together, terms, netTerms))
		.sort((one, other) => one.dueSince - other.dueSince);
}

/** Returns the days until due: the item's own, else those of its legal entity. */
export const netTermsFor = ({ netTerms, legalEntityId }: RatedItem, netTermsOf: ScheduleTerms["netTermsOf"]): number =>
	netTerms ?? netTermsOf(legalEntityId) ?? 0;

/** Equal for items that share an invoice if they are due together. */
export function invoicedAlike(item: RatedItem, netTerms: number): string {
	const { billingCycleUnit, billingCycleCount, paymentTime, legalEntityId, paymentAccountId, currency } = item;
	const cadence = [billingCycleUnit, billingCycleCount, paymentTime];
	const issuer = [legalEntityId, paymentAccountId, currency, netTerms];
	return [...cadence, ...issuer, item.separateInvoice ? item.id : ""].join();
}

function planned(
	together: readonly Charged[],
	{ notBefore, usageIn }: ScheduleTerms,
	netTerms: (item: RatedItem) => number,
): PlannedInvoice {
	const lines = together.map(({ item, cycle }) =>
		lineOf(item, cycle, isPayAsYouGo(item) ? usageIn(item, cycle) : null),
	);
	const [one] = together as [Charged];
	const due = dueSince(one);
	const issueAt = later(due, notBefore);
	return {
		...sumTotals(lines),
		dueSince: due,
		issueAt,
		payableAt: addUnits(issueAt, "days", netTerms(one.item)),
		period: {
			start: Math.min(...lines.map(({ cycle }) => cycle.start)) as Instant,
			end: Math.max(...lines.map(({ cycle }) => cycle.end)) as Instant,
		},
		currency: one.item.currency,
		legalEntityId: one.item.legalEntityId,
		lines,
	};
}

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
