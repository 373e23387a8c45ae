import { type Instant, toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import { type Work, workAt } from "../../../kernel/work";
import type { InvoiceRow } from "../../invoices/table";
import type { ChargeItem, RatedInvoice } from "../../pricing/rate";
import { billingPeriodAt, type Cycle } from "../rules";
import { isBilledHere } from "../rules.due";
import type { ProrationBehavior } from "../schema.provision";
import { changeSubscription } from "../store";
import type { ChargedPeriod, SubscriptionRow } from "../table";
import { endCoupons } from "../terms/coupons";
import { itemsInAdvance } from "../terms/items-of-period";
import type { Sale } from "../terms/sale";
import { saleOf } from "../terms/subscription-sale";
import { boundEnd, termFromStart, withOwed } from "../terms/term";
import { settleStretches, startCharges } from "./arrears";
import {
	type ChargedSubscription,
	carryCharges,
	chargedColumns,
	recordCharged,
	recordCredits,
	withCharged,
} from "./charged";
import { startCommitments } from "./commitments/running";
import { noUsage, recordBilled } from "./counted-usage";
import { assertCanRerate, assertRuns, runningPeriodStart } from "./dated/dated-change";
import { type FormerPeriod, recordFormerPeriods, rerateFormerPeriods } from "./dated/former-periods";
import { type Rerated, rerateSince, settlementAt } from "./dated/rerate";
import {
	asChargedElsewhere,
	type BillingCycle,
	billingCycleOf,
	cycleColumns,
	type FirstPeriodStart,
	inFirstPhase,
} from "./first-cycle";
import { issueBill, keepForNextInvoice } from "./issue";
import { discountAndTax, type Parties, type Payer, payerOf } from "./payer";
import {
	chargedElsewhere,
	chargedPeriodOf,
	isOneOff,
	prorateItems,
	rateBill,
	subjectOf,
	withChargeIds,
	withDrawdown,
} from "./rules.bill";
import { usageDueAfter } from "./rules.usage-intervals";
import { hasArrears, type Settlement, settlementOf } from "./settlement";
import { excludeEarlierOverage } from "./usage";

/** This bill settles the replaced subscriptions; the caller ends them. */
export interface FirstPeriodOptions extends FirstPeriodStart {
	/** The customer and the payer, where the caller has loaded them. */
	readonly parties?: Parties | undefined;
	readonly behavior: ProrationBehavior;
	readonly isPaid?: boolean | undefined;
	/** Charges the running period of a start in the past, which otherwise counts as charged by another system. */
	readonly isBackdated?: boolean | undefined;
	/** The replaced subscriptions continue until the payment, so their usage is not settled yet. */
	readonly awaitsPayment?: boolean | undefined;
	/** From when it is charged in place of the replaced subscription, where that is before now. The lines are dated now. */
	readonly effectiveAt?: Instant | undefined;
	/** The scheduler starts it at its time. */
	readonly fallsDue?: boolean;
}

export interface FirstPeriodBill {
	readonly subscription: SubscriptionRow;
	/** The invoices, issued or kept for the next invoice. */
	readonly rated: readonly RatedInvoice[];
	readonly invoice: InvoiceRow | undefined;
}

/**
 * Starts to charge a subscription: sets its billing periods, charges the first one, credits the unused time of the
 * replaced subscriptions, and bills their usage up to now, all in one bill. A plan that replaces another of the same
 * billing period continues its cycle unless the call says otherwise, and pays for the rest of the period. A start in
 * the past is not charged before the next period (docs/interface/subscriptions.md). With an earlier date the plan is charged as of that
 * date, and the billing periods since then are rated again.
 */
export function billFirstPeriod(
	work: Work,
	row: SubscriptionRow,
	base: Sale,
	options: FirstPeriodOptions,
): FirstPeriodBill {
	const { replaced, behavior, isPaid = false, awaitsPayment = false, effectiveAt, fallsDue = false } = options;
	// The usage of its own trial is settled too, if it is billed.
	const settled = row.status === "IN_TRIAL" && row.trialBillsUsage ? [...replaced, row] : replaced;
	const settledHere = settled.map((one) => withCharged(work, one));
	const at = effectiveAt === undefined ? work.now : laterOf(effectiveAt, runningFrom(work, settledHere));
	const then = effectiveAt === undefined ? work : workAt(work, at);
	const payer = payerOf(then, row, options.parties);
	const terms = discountAndTax(payer, row.taxPercentage);
	const cycle = billingCycleOf(then, row, base, effectiveAt === undefined ? options : { ...options, from: at });
	const { sale, phase } = inFirstPhase(row, base, cycle, options.isBackdated && cycle ? cycle.from : at);
	const firstTerm = inFirstTerm(work, row, base, cycle);
	const items =
		cycle && isBilledHere(row)
			? withChargeIds(work.newId, itemsInAdvance(work, { ...row, timeZone: cycle.timeZone }, sale, cycle.period))
			: [];
	const due = cycle ? dueNow(items, cycle, options) : [];
	const section = { items: due, ...terms, beginsPeriod: true };
	const dated =
		effectiveAt === undefined || !cycle
			? { former: [], rerated: [] }
			: rerateDated(work, row, sale, { effectiveAt, at, cycle, phase, items, payer, settled: settledHere });
	const { former, rerated } = dated;
	const settlements = settledHere.map((one) => {
		const terms = {
			// A charge of another system reduces a price, and is not paid out.
			creditsUnusedTime: behavior !== "NONE",
			isEnd: !isBilledHere(row),
			billsUsage: !awaitsPayment,
			reversesKept: effectiveAt !== undefined && effectiveAt <= runningFrom(work, [one]),
		};
		return effectiveAt === undefined
			? settlementOf(then, one, terms)
			: settlementAt(work, one, { from: effectiveAt, until: at }, terms);
	});
	const rated = rateBill({
		sections: [
			...former.flatMap(({ sections }) => sections),
			...settlements.flatMap(({ sections }) => sections),
			section,
			...rerated.flatMap(({ sections }) => sections),
		],
		pending: [...rerated.flatMap(({ reversed }) => reversed), ...settlements.flatMap(({ pending }) => pending)],
	});
	const isCharged = due.some((item) => !isOneOff(item));
	const continued = settledHere.find(({ id }) => id === cycle?.continued?.id);
	const carried = cycle && !isCharged && !cycle.isPast ? carriedOver(cycle, continued, behavior, settlements) : null;
	const charged = !cycle
		? null
		: isCharged
			? chargedPeriodOf(items, cycle, terms, [section], null, setAgainst(settledHere, settlements))
			: cycle.isPast
				? asChargedElsewhere(items, cycle, terms)
				: carried;
	const billed = cycle
		? changeSubscription(work, row, {
				...cycleColumns(cycle),
				...(phase && { phase }),
				...firstTerm,
				billedUntil: cycle.period.end,
				usageBilledFrom: effectiveAt ?? cycle.from,
				...(effectiveAt !== undefined && { usageBilledUntil: cycle.from }),
				termsChangedAt: effectiveAt ?? cycle.from,
				usageDueAt: usageDueAfter(sale, cycle, cycle.period.end, work.now),
				...chargedColumns(charged),
			})
		: row;
	if (cycle) endCoupons(work, billed, cycle.from);
	if (cycle)
		excludeEarlierOverage(work, billed, sale, effectiveAt ?? cycle.from, settled.includes(row) ? sale : undefined);
	const issue = {
		payer,
		billingReason: settlements.some(({ sections }, at) => settled[at] !== row && sections.length > 0)
			? "SUBSCRIPTION_UPDATE"
			: "SUBSCRIPTION_CREATION",
		period: cycle?.period ?? null,
		isPaid,
		fallsDue,
	} as const;
	const waits = behavior === "CREATE_PRORATIONS" && cycle?.isMidway === true;
	const subscription = waits ? keepForNextInvoice(work, billed, rated, issue) : billed;
	const invoice = waits ? undefined : issueBill(work, billed, rated, issue);
	if (cycle && carried && continued) carryCharges(work, continued, billed);
	else if (cycle) recordCharged(work, billed, charged, { chargedBy: [], rated, invoice, from: cycle.from });
	recordFormerPeriods(work, billed, former, { rated, invoice });
	if (cycle && isBilledHere(row) && hasArrears(sale))
		startCharges(work, billed, sale, {
			start: (cycle.isPast && !options.isBackdated) || cycle.isFree ? cycle.period.end : cycle.from,
			whole: cycle.period,
			isPaid: (item) => carried?.items.some((paid) => subjectOf(paid) === subjectOf(item)) ?? false,
		});
	if (cycle && isBilledHere(row))
		startCommitments(work, billed, sale, {
			start: (cycle.isPast && !options.isBackdated) || cycle.isFree || carried ? cycle.period.end : cycle.from,
			period: cycle.period,
		});
	for (const [at, one] of settled.entries()) {
		if (!awaitsPayment) recordCredits(work, one, { rated });
		settleStretches(work, one, settlements[at]?.arrears ?? [], { rated, invoice });
		const counted = settlements[at]?.counted ?? noUsage;
		// A minimum spend that continues here is not recorded as unused there.
		const isContinued = carried !== null && one === cycle?.continued;
		recordBilled(work, one, isContinued ? { ...counted, unspent: undefined } : counted, { rated, invoice });
	}
	for (const one of rerated) one.record({ rated, invoice });
	return { subscription, rated, invoice };
}

/** Returns the start of the last running period of replaced subscriptions. */
const runningFrom = (work: Work, replaced: readonly ChargedSubscription[]): Instant =>
	replaced.map((one) => runningPeriodStart(work, one)).reduce(laterOf, 0 as Instant);

const laterOf = (one: Instant, other: Instant): Instant => (one > other ? one : other);

interface DatedPlan {
	readonly effectiveAt: Instant;
	readonly at: Instant;
	readonly cycle: BillingCycle;
	readonly phase: SubscriptionRow["phase"];
	readonly items: readonly ChargeItem[];
	readonly payer: Payer;
	readonly settled: readonly ChargedSubscription[];
}

/** Rates the time again that ended since the date of the new plan: billing periods, usage and charges in arrears. */
function rerateDated(
	work: Work,
	row: SubscriptionRow,
	sale: Sale,
	{ effectiveAt, at, cycle, phase, items, payer, settled }: DatedPlan,
): { readonly former: FormerPeriod[]; readonly rerated: readonly Rerated[] } {
	if (!cycle.continued) assertRuns(work, cycle.period, { at, effectiveAt });
	if (phase && phase.endAt <= work.now)
		throw fail(
			"UnsupportedParameter",
			`'effectiveDate': the first phase of the plan would have ended at ${toIso(phase.endAt)}; choose a later date.`,
		);
	const { period } = cycle;
	const after = { ...row, timeZone: cycle.timeZone };
	const counted = { ...after, ...cycleColumns(cycle) };
	for (const before of settled)
		assertCanRerate(work, {
			...{ before, after, sale, effectiveAt, period, repricesUsage: true },
			items: [...(before.charged?.items ?? []), ...items],
		});
	return {
		former: settled.flatMap((before) =>
			effectiveAt < at
				? rerateFormerPeriods(work, {
						...{ before, saleBefore: saleOf(work, before), next: { after, sale, payer } },
						...{ from: effectiveAt, until: at },
					})
				: [],
		),
		rerated: settled.map((before) =>
			rerateSince(work, {
				...{ before, after: counted, sale, from: effectiveAt, until: at, repricesUsage: true },
				whole: billingPeriodAt(before, effectiveAt) ?? period,
			}),
		),
	};
}

/** Returns the columns of the term that runs. The end that the sale was agreed with is bound to it. */
function inFirstTerm(
	work: Work,
	row: SubscriptionRow,
	{ plan }: Sale,
	cycle: Cycle | undefined,
): Partial<Pick<SubscriptionRow, "runningTerm" | "cancelAt">> {
	const zoned = { ...row, timeZone: cycle?.timeZone ?? null };
	const runningTerm = cycle ? termFromStart(zoned, plan, work.now) : null;
	if (!runningTerm || row.cancelAt === null) return runningTerm ? { runningTerm } : {};
	const { endAt, owedUntil } = boundEnd({ ...zoned, runningTerm }, row.cancelAt, work.now);
	return { runningTerm: withOwed({ runningTerm }, owedUntil), cancelAt: endAt };
}

/** Returns the charge of another system for a replaced subscription, if this bill credited it. */
const setAgainst = (
	replaced: readonly ChargedSubscription[],
	settlements: readonly Settlement[],
): ChargedPeriod | undefined =>
	replaced
		.filter((_, at) => settlements[at]?.credits.length)
		.map(({ charged }) => chargedElsewhere(charged))
		.find((charged) => charged !== undefined);

/** Without proration, the charge of the running period stays. */
function carriedOver(
	{ isMidway }: BillingCycle,
	continued: ChargedSubscription | undefined,
	behavior: ProrationBehavior,
	settlements: readonly Settlement[],
): ChargedPeriod | null {
	if (!continued?.charged || !isMidway || behavior !== "NONE") return null;
	return withDrawdown(
		continued.charged,
		settlements.flatMap(({ usage }) => usage),
	);
}

/** Returns the items of a period that are charged at once. */
function dueNow(
	items: readonly ChargeItem[],
	{ period, from, isPast, isMidway, isFree }: BillingCycle,
	options: FirstPeriodOptions,
): ChargeItem[] {
	if (isPast && !options.isBackdated) return [];
	if (isFree || (isMidway && options.behavior === "NONE")) return items.filter(isOneOff);
	return prorateItems(items, period, from);
}
