import type { Instant } from "../../../../kernel/clock";
import { fail } from "../../../../kernel/errors";
import type { Period } from "../../../../kernel/period";
import { type Work, workAt } from "../../../../kernel/work";
import { recordFormerPeriod } from "../../../billing/operations";
import type { ChargeRow } from "../../../billing/table";
import { billingPeriodAt } from "../../rules";
import type { ChargedPeriod, SubscriptionRow } from "../../table";
import { itemsInAdvance } from "../../terms/items-of-period";
import type { Sale } from "../../terms/sale";
import {
	type AdvancePeriod,
	type AmountLine,
	billedItem,
	type ChargedSubscription,
	chargedTogether,
	creditBy,
	formerCharges,
	inAdvance,
	keyed,
} from "../charged";
import { type IssuedBill, ownerOf } from "../counted-usage";
import { firstPeriodOf } from "../cycle";
import type { Payer } from "../payer";
import {
	aboveCharged,
	type BillSection,
	creditSection,
	exceptSameCharge,
	isOneOff,
	isSameCharge,
	prorateItems,
	taxed,
	withChargeIds,
} from "../rules.bill";
import { formerPeriodsMax } from "./reversal";
import { knownTaxes, taxationOfThen, termsOfThen } from "./terms-of-then";
import { unchangedItems } from "./unchanged";

interface Rerating {
	readonly before: ChargedSubscription;
	readonly saleBefore: Sale;
	/** The new terms; null: nothing is charged from the date on. */
	readonly next: { readonly after: SubscriptionRow; readonly sale: Sale; readonly payer: Payer } | null;
	/** From when the new terms apply. */
	readonly from: Instant;
	/** The start of the running period, which the change bills itself. */
	readonly until: Instant;
}

/** A past billing period that a change with an earlier date rates again. */
export interface FormerPeriod {
	/** Its credits, then its charges. */
	readonly sections: readonly BillSection[];
	/** The charges to credit. */
	readonly credited: readonly AdvancePeriod[];
	/** The charges on the new terms; null: none. */
	readonly charged: ChargedPeriod | null;
	readonly from: Instant;
}

/**
 * Rates the past billing periods again that a change or an end with an earlier date affects, in order of time. Each is credited exactly
 * as it was charged, and charged on the new terms with the discount and the taxes of then.
 */
export function rerateFormerPeriods(work: Work, rerating: Rerating): FormerPeriod[] {
	const { before, from, until } = rerating;
	const periods: Period[] = [];
	for (let at = from; at < until; ) {
		const period = billingPeriodAt(before, at);
		if (!period) return [];
		if (periods.length >= formerPeriodsMax)
			throw fail(
				"InvalidArgumentError",
				`'effectiveDate' lies more than ${formerPeriodsMax} billing periods in the past; choose a later date.`,
			);
		periods.push({ start: period.start, end: Math.min(period.end, until) as Instant });
		at = period.end;
	}
	const [first] = periods;
	if (!first) return [];
	const charges = formerCharges(work, before, { start: first.start, end: until });
	return periods.flatMap((period) =>
		rerateOne(
			work,
			rerating,
			period,
			charges.filter((one) => one.period.startsAt >= period.start && one.period.startsAt < period.end),
		),
	);
}

function rerateOne(
	work: Work,
	{ before, saleBefore, next, from: effectiveAt }: Rerating,
	time: Period,
	charges: readonly AdvancePeriod[],
): FormerPeriod[] {
	// A charge that is never credited stays when others of its key follow. The last one has the highest number of units.
	const rows = [...new Map(charges.map((one) => [one.charge.key, one])).values()];
	const former = chargedTogether(rows, rows[0]?.period.startsAt ?? time.start, null);
	const period = former?.charged.period ?? time;
	const from = effectiveAt > period.start ? effectiveAt : period.start;
	const reversesKept = effectiveAt <= period.start;
	if (former?.isElsewhere)
		throw fail(
			"UnsupportedParameter",
			"Another system charged a part of the time since that date; choose a date from the first period that Tollgate has charged.",
		);
	if (!next) {
		const credit = creditSection(former?.charged ?? null, from, { isEnd: !reversesKept, reversesKept });
		return credit ? [{ sections: [credit], credited: rows, charged: null, from }] : [];
	}
	if (!former && isFreePeriod(work, before, saleBefore, time)) return [];
	const { after, sale, payer } = next;
	const terms = termsOfThen(workAt(work, from), after, former?.charged);
	const stated = itemsInAdvance(work, before, saleBefore, period);
	const taxation = payer.taxation && taxationOfThen(payer.taxation, knownTaxes(stated, former?.charged));
	const items = taxed(
		itemsInAdvance(work, after, sale, period).filter((item) => !isOneOff(item)),
		taxation,
	);
	const unchanged = unchangedItems(former?.charged ?? null, items, terms);
	const credit = creditSection(former?.charged ?? null, from, { except: unchanged, reversesKept });
	const wanted = reversesKept || !former ? items : aboveCharged(items, former.charged);
	const named = withChargeIds(work.newId, exceptSameCharge(wanted, unchanged));
	const charged: ChargedPeriod = {
		...{ period, currency: former?.charged.currency ?? "", items: named, minimum: null },
		...{ coupon: terms.coupon, taxPercentage: terms.taxPercentage },
		...(from > period.start && { from }),
	};
	return [
		{
			sections: [
				...(credit ? [credit] : []),
				{ ...terms, ...(taxation && { taxation }), items: prorateItems(named, period, from) },
			],
			credited: rows.filter(({ terms: { item } }) => !unchanged.some((one) => isSameCharge([one], [item]))),
			...{ charged, from },
		},
	];
}

const isFreePeriod = (work: Work, row: SubscriptionRow, { plan }: Sale, period: Period): boolean =>
	(row.trialEndAt ?? row.startAt) >= period.start && firstPeriodOf(work, row, plan) === "FREE";

/** Records past periods that the lines of a bill credit and charge. */
export function recordFormerPeriods(
	work: Work,
	row: SubscriptionRow,
	periods: ReadonlyArray<Omit<FormerPeriod, "sections">>,
	{
		rated,
		invoice,
	}: Pick<IssuedBill, "invoice"> & { readonly rated: ReadonlyArray<{ readonly lines: readonly AmountLine[] }> },
): void {
	const lines = rated.flatMap((one) => one.lines);
	const recorded = new Map<string, ChargeRow>();
	for (const { credited, charged, from } of periods) {
		for (const one of credited) creditBy(work, one, lines);
		if (!charged) continue;
		for (const [position, [key, item]] of [...keyed(inAdvance, charged.items)].entries()) {
			const { charge, period } = billedItem(row, charged, { key, item, position, lines, from, invoice });
			recorded.set(key, recordFormerPeriod(work, ownerOf(row), charge, period, recorded.get(key)));
		}
	}
}
