import type { Instant } from "../../../kernel/clock";
import { exact, toDecimal, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { addDays, type Period } from "../../../kernel/period";
import { groupIntoInvoices } from "../../billing/rules.invoices";
import { dueAt, periodsDue } from "../../billing/rules.periods";
import { type PeriodUsage, type RatedPeriod, ratePeriod } from "../../billing/rules.rate";
import { roundTaxes } from "../../pricing/tax-rounding";
import { differenceOf, sumTotals, type Totals } from "../../pricing/totals";
import { pricingModel } from "../rules.models";
import { type Cycle, chargeOf, type RatedItem, type ScheduledItem, termsOf, unbilled } from "./rules.cycles";

/** The terms of a schedule in addition to its items. */
export interface ScheduleTerms {
	/** The earliest date of an invoice: the publication, or now for a draft. */
	readonly notBefore: Instant;
	/** The default days until due of a legal entity, by its id; null: due at issue. */
	readonly netTermsOf: (legalEntityId: string) => number | null;
	/** Null if no usage is known yet: each row then counts once with its price, as in the totals of a draft. */
	readonly usageIn: (item: ScheduledItem, cycle: Period) => PeriodUsage | null;
}

/** A line item for one cycle, rounded once. */
export interface PlannedLine extends RatedPeriod {
	readonly item: ScheduledItem;
	readonly cycle: Period;
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
export const scheduleOf = (items: readonly ScheduledItem[], terms: ScheduleTerms): PlannedInvoice[] =>
	grouped(
		items.filter(hasRows).flatMap((item) => {
			const charge = chargeOf(item, terms.notBefore);
			return [...periodsDue(charge, forever)].map((cycle) => ({ item, cycle, dueAt: dueAt(charge, cycle) }));
		}),
		terms,
	);

const forever = Number.POSITIVE_INFINITY as Instant;

export const hasRows = ({ rows }: Pick<ScheduledItem, "rows">): boolean => rows.length > 0;

/**
 * Whether a line is on its invoice: a fixed line always, even if it costs nothing; a pay-as-you-go line only with
 * usage.
 */
export const isInvoiced = ({ item, quantity, subTotal }: PlannedLine): boolean =>
	hasRows(item) && (!isPayAsYouGo(item) || exact(quantity ?? zero).gt(0) || !exact(subTotal).eq(0));

/** Returns the invoices that are due first, at one instant, with items that cost nothing. None if all is invoiced. */
export function nextInvoices(items: readonly ScheduledItem[], terms: ScheduleTerms): PlannedInvoice[] {
	const first = firstCycles(items, terms.notBefore);
	const at = Math.min(...first.map((one) => one.dueAt));
	return grouped(
		first.filter((one) => one.dueAt === at),
		terms,
	);
}

/** Returns when the next invoice is issued; null after the last one. */
export function nextIssueAt(items: readonly ScheduledItem[], notBefore: Instant): Instant | null {
	const first = firstCycles(items, notBefore);
	return first.length === 0 ? null : later(Math.min(...first.map((one) => one.dueAt)) as Instant, notBefore);
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
export const lineOf = (item: ScheduledItem, { start, end, share }: Cycle, usage: PeriodUsage | null): PlannedLine => ({
	item,
	cycle: { start, end },
	...ratePeriod({ key: item.id, terms: termsOf(item) }, share, usage),
});

export const isPayAsYouGo = ({ pricingModelId }: Pick<ScheduledItem, "pricingModelId">): boolean =>
	pricingModel(pricingModelId).isPayAsYouGo;

const repeated = (line: Totals, times: number): Totals => ({
	subTotal: toDecimal(exact(line.subTotal).times(times)),
	discount: toDecimal(exact(line.discount).times(times)),
	tax: toDecimal(exact(line.tax).times(times)),
	total: toDecimal(exact(line.total).times(times)),
});

/** Returns the time of an item whose invoices were due before, and its price; null: none was. Usage is unknown. */
export function dueBefore(item: RatedItem, now: Instant): (Period & { readonly rated: Totals }) | null {
	const due = [...periodsDue(chargeOf(item, now), (now - 1) as Instant)];
	const [first, last] = [due[0], due.at(-1)];
	if (!first || !last) return null;
	const left = { ...item, billedUntil: last.end };
	const rated = isPayAsYouGo(item) ? sumTotals([]) : differenceOf(itemTotals(item), itemTotals(left));
	return { start: first.start, end: last.end, rated };
}

interface Charged {
	readonly item: ScheduledItem;
	readonly cycle: Cycle;
	readonly dueAt: Instant;
}

const firstCycles = (items: readonly ScheduledItem[], now: Instant): Charged[] =>
	items.flatMap((item) => {
		const charge = chargeOf(item, now);
		return [...periodsDue(charge, forever).take(1)].map((cycle) => ({ item, cycle, dueAt: dueAt(charge, cycle) }));
	});

function grouped(charged: readonly Charged[], { notBefore, usageIn, netTermsOf }: ScheduleTerms): PlannedInvoice[] {
	const netTerms = (item: ScheduledItem) => netTermsFor(item, netTermsOf);
	const lines = charged.map(({ item, cycle, dueAt }) => ({
		...lineOf(item, cycle, isPayAsYouGo(item) ? usageIn(item, cycle) : null),
		dueAt,
	}));
	return groupIntoInvoices(lines, ({ item }) => invoicedAlike(item, netTerms(item))).map(
		({ dueAt: dueSince, lines, ...sums }) => {
			const [first] = lines;
			assert(first, "a group has a line");
			const { item } = first;
			const issueAt = later(dueSince, notBefore);
			const rounded = item.taxRounding === "INVOICE" ? roundedForInvoice(lines, item.currency) : lines;
			return {
				...sums,
				...sumTotals(rounded),
				...{ dueSince, issueAt, lines: rounded },
				payableAt: addDays(issueAt, netTerms(item)),
				currency: item.currency,
				legalEntityId: item.legalEntityId,
			};
		},
	);
}

/** Rounds each tax once for an invoice. */
function roundedForInvoice<Line extends PlannedLine>(lines: readonly Line[], currency: string): Line[] {
	const open = lines.map((line, at) => ({ ...line, amount: line.subTotal, at })).filter(({ taxes }) => taxes);
	const rounded = new Map(roundTaxes(open, currency).map((line) => [line.at, line]));
	return lines.map((line, at) => {
		const { amount: subTotal, tax, total, taxes, basis } = rounded.get(at) ?? { ...line, amount: line.subTotal };
		return { ...line, subTotal, tax, total, ...(taxes && { taxes }), basis };
	});
}

/** Returns the days until due: the item's own, else those of its legal entity. */
export const netTermsFor = (
	{ netTerms, legalEntityId }: ScheduledItem,
	netTermsOf: ScheduleTerms["netTermsOf"],
): number => netTerms ?? netTermsOf(legalEntityId) ?? 0;

/** Equal for items that share an invoice if they are due together. */
export function invoicedAlike(item: ScheduledItem, netTerms: number): string {
	const { billingCycleUnit, billingCycleCount, paymentTime, legalEntityId, paymentAccountId, currency } = item;
	const cadence = [billingCycleUnit, billingCycleCount, paymentTime];
	const issuer = [legalEntityId, paymentAccountId, currency, netTerms];
	return [...cadence, ...issuer, item.separateInvoice ? item.id : ""].join();
}

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
