import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import { type Work, workAt } from "../../../kernel/work";
import { recordFormerPeriod } from "../../billing/operations";
import type { ChargeRow } from "../../billing/table";
import type { ChargeItem } from "../../pricing/rate";
import type { Taxation } from "../../taxes/rules.levels";
import { billingPeriodAt } from "../rules";
import type { ChargedPeriod, DiscountAndTax, SubscriptionRow } from "../table";
import { itemsInAdvance } from "../terms/items-of-period";
import type { Sale } from "../terms/sale";
import {
	type AdvancePeriod,
	billedItem,
	type ChargedSubscription,
	chargedTogether,
	creditBy,
	formerCharges,
	inAdvance,
	keyed,
} from "./charged";
import { type IssuedBill, ownerOf } from "./counted-usage";
import { firstPeriodOf } from "./cycle";
import { discountAndTax, type Payer, payerOf } from "./payer";
import {
	aboveCharged,
	type BillSection,
	creditSection,
	exceptSameCharge,
	isOneOff,
	isSameCharge,
	prorateItems,
	subjectOf,
	taxed,
	withChargeIds,
} from "./rules.bill";
import { unchangedItems } from "./unchanged";

/** The limit of a change with an earlier date: more than two years of daily periods. */
const formerPeriodsMax = 1000;

interface Rerating {
	readonly before: ChargedSubscription;
	readonly after: SubscriptionRow;
	/** What it sold before, and sells now. */
	readonly saleBefore: Sale;
	readonly sale: Sale;
	/** From when the new terms apply. */
	readonly from: Instant;
	/** The start of the running period, which the change bills itself. */
	readonly until: Instant;
	readonly payer: Payer;
}

/** A past billing period that a change with an earlier date rates again. */
export interface FormerPeriod {
	/** Its credits, then its charges. */
	readonly sections: readonly BillSection[];
	/** The charges to credit. */
	readonly credited: readonly AdvancePeriod[];
	/** The charges on the new terms. */
	readonly charged: ChargedPeriod;
	readonly from: Instant;
}

/**
 * Rates the past billing periods again that a change with an earlier date changes, in order of time. Each is credited exactly as it was
 * charged, and charged on the new terms with the discount and the taxes of then.
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
		periods.push({ start: period.start, end: period.end < until ? period.end : until });
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
	{ before, after, saleBefore, sale, from: effectiveAt, payer }: Rerating,
	time: Period,
	charges: readonly AdvancePeriod[],
): FormerPeriod[] {
	// A charge that is never credited stays when others of its key follow. The last one has the highest number of units.
	const rows = [...new Map(charges.map((one) => [one.charge.key, one])).values()];
	const former = chargedTogether(rows, rows[0]?.period.startsAt ?? time.start, null);
	const period = former?.charged.period ?? time;
	const from = effectiveAt > period.start ? effectiveAt : period.start;
	if (!former && isFreePeriod(work, before, saleBefore, time)) return [];
	if (former?.isElsewhere)
		throw fail(
			"UnsupportedParameter",
			"'effectiveDate': another system charged this time; choose a date from the first period that Tollgate has charged.",
		);
	const terms = termsOfThen(workAt(work, from), after, former?.charged);
	const taxation = payer.taxation && taxationOfThen(payer.taxation, itemsInAdvance(work, before, saleBefore, period), former?.charged);
	const items = taxed(
		itemsInAdvance(work, after, sale, period).filter((item) => !isOneOff(item)),
		taxation,
	);
	const unchanged = unchangedItems(former?.charged ?? null, items, terms);
	const reversesKept = effectiveAt <= period.start;
	const credit = creditSection(former?.charged ?? null, from, { except: unchanged, reversesKept });
	const wanted = reversesKept || !former ? items : aboveCharged(items, former.charged);
	const named = withChargeIds(work.newId, exceptSameCharge(wanted, unchanged));
	const currency = former?.charged.currency ?? "";
	const charged: ChargedPeriod = {
		...{ period, currency, items: named, coupon: terms.coupon, taxPercentage: terms.taxPercentage, minimum: null },
		...(from > period.start && { from }),
	};
	return [
		{
			sections: [...(credit ? [credit] : []), { ...terms, ...(taxation && { taxation }), items: prorateItems(named, period, from) }],
			credited: rows.filter(({ terms: { item } }) => !unchanged.some((one) => isSameCharge([one], [item]))),
			...{ charged, from },
		},
	];
}

/** Returns the discount and the tax percentage of a period: those of its charge, else those that applied then. */
function termsOfThen(then: Work, after: SubscriptionRow, charged: ChargedPeriod | undefined): DiscountAndTax {
	const { coupon, taxPercentage, discounts } = discountAndTax(payerOf(then, after), after.taxPercentage);
	if (discounts || charged?.items.some(({ chargedDiscounts }) => chargedDiscounts))
		throw fail(
			"UnsupportedParameter",
			`'effectiveDate': several coupons, or one for some charges, have discounted periods since then, and these cannot be rated again; choose a date in the running period.`,
		);
	return charged ? { coupon: charged.coupon, taxPercentage: charged.taxPercentage } : { coupon, taxPercentage };
}

/**
 * Returns the taxes that applied then. Those of the customer and the environment, and an exemption, may be others now; the catalogue and
 * the subscription have assigned the same ones since.
 */
function taxationOfThen(
	{ own, inherited, ...taxation }: Taxation,
	stated: readonly ChargeItem[],
	charged: ChargedPeriod | undefined,
): Taxation {
	const known = (charged?.items ?? []).flatMap((item) => {
		const before = stated.find((one) => subjectOf(one) === subjectOf(item));
		return before ? [{ ofCharge: before.taxes, charged: item.taxes ?? [] }] : [];
	});
	const inheriting = known.find(({ ofCharge }) => ofCharge === undefined);
	const stating = known.find(({ ofCharge }) => ofCharge !== undefined);
	const isReplaced = stating && !Bun.deepEquals(stating.ofCharge, stating.charged);
	return {
		own: stating ? (isReplaced ? stating.charged : null) : own,
		inherited: inheriting ? inheriting.charged : inherited,
		...taxation,
	};
}

const isFreePeriod = (work: Work, row: SubscriptionRow, { plan }: Sale, period: Period): boolean =>
	(row.trialEndAt ?? row.startAt) >= period.start && firstPeriodOf(work, row, plan) === "FREE";

/** Records the past periods that a bill has rated again. */
export function recordFormerPeriods(
	work: Work,
	row: SubscriptionRow,
	periods: readonly FormerPeriod[],
	{ rated, invoice }: IssuedBill,
): void {
	const lines = rated.flatMap((one) => one.lines);
	const recorded = new Map<string, ChargeRow>();
	for (const { credited, charged, from } of periods) {
		for (const one of credited) creditBy(work, one, lines);
		for (const [position, [key, item]] of [...keyed(inAdvance, charged.items)].entries()) {
			const { charge, period } = billedItem(row, charged, { key, item, position, lines, from, invoice });
			recorded.set(key, recordFormerPeriod(work, ownerOf(row), charge, period, recorded.get(key)));
		}
	}
}
