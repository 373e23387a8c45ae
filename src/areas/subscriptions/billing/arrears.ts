import type { Instant } from "../../../kernel/clock";
import { exact, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { type Period, utc } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { currentChargesOf, endCharge, moveStart, openCharge, recordStretch } from "../../billing/operations";
import type { ArrearsTerms } from "../../billing/rules.charge";
import type { ChargeRow } from "../../billing/table";
import { shareOf } from "../../pricing/proration";
import type { ChargeItem } from "../../pricing/rate";
import { intervalOf } from "../../pricing/rules.billing-period";
import { billingPeriodContaining, cycleOf } from "../rules";
import type { SubscriptionRow } from "../table";
import { itemsInArrears } from "../terms/items-of-period";
import type { Sale } from "../terms/sale";
import { keyed, prorationOf, termsOf } from "./charged";
import { type IssuedBill, ownerOf } from "./counted-usage";
import { amountsOf } from "./rules.amounts";
import { isSameCharge } from "./rules.bill";

/** The keys of fees and units that the end of a period charges. */
export const inArrears = "arrears/";

/** A charge in arrears that runs, on unchanged terms. */
export interface RunningCharge {
	readonly charge: ChargeRow;
	readonly terms: ArrearsTerms;
}

/** A stretch of a running charge, and the item that bills it. */
export interface BilledStretch extends RunningCharge, Period {
	readonly whole: Period;
	readonly item: ChargeItem;
}

/** Returns the charges in arrears of a subscription that run. */
export const runningCharges = (work: Work, row: Pick<SubscriptionRow, "id">): RunningCharge[] =>
	currentChargesOf(work, row, [inArrears, inArrears])
		.flatMap((charge) => (charge.terms && "stretch" in charge.terms ? [{ charge, terms: charge.terms }] : []))
		.sort((one, other) => one.charge.position - other.charge.position);

/** The start of the time that no bill has charged. */
export const unbilledFrom = ({ charge }: RunningCharge): Instant => charge.billedUntil ?? charge.startsAt;

/** Returns the time up to an instant that no bill has charged yet, one item for each stretch of unchanged terms. */
export const stretchesUntil = (
	work: Work,
	row: SubscriptionRow,
	until: Instant,
	{ isEnd = false, of = runningCharges(work, row) }: { isEnd?: boolean; of?: readonly RunningCharge[] } = {},
): BilledStretch[] =>
	of
		.filter((one) => unbilledFrom(one) < until)
		.map((one) => {
			const part = { start: unbilledFrom(one), end: until };
			const whole = wholeOf(row, one, part.start);
			const { proration } = prorationOf(one.charge);
			const isWhole = proration?.mode === "NONE" || (part.start <= whole.start && until >= whole.end);
			const item = {
				...one.terms.stretch,
				...(proration && { proration }),
				...(!isWhole && { share: shareOf(whole, { ...part, isEnd }, proration) }),
				chargeId: work.newId(),
				period: part,
			};
			return { ...one, ...part, whole, item };
		});

/** Returns the whole period of which a stretch may be a part. */
export function wholeOf(row: SubscriptionRow, { terms: { whole } }: RunningCharge, at: Instant): Period {
	if (whole.start <= at && at < whole.end) return whole;
	const cycle = cycleOf(row);
	assert(cycle && row.billingPeriod !== null, "a charge in arrears has billing periods");
	return billingPeriodContaining(cycle, row.billingPeriod, at);
}

/** Records the stretches that a bill charges. */
export function recordStretches(work: Work, stretches: readonly BilledStretch[], { rated, invoice }: IssuedBill): void {
	const lines = rated.flatMap((one) => one.lines);
	for (const { charge, item, start, end, whole } of stretches)
		recordStretch(work, charge, {
			...{ start, end, wholeStartsAt: start > whole.start ? whole.start : null, usage: null },
			rated: amountsOf(lines.filter(({ chargeId }) => chargeId === item.chargeId)),
			...{ invoiceId: invoice?.id ?? null, lineChargeId: item.chargeId ?? null },
		});
}

/** Records the last stretches of a subscription, whose charges in arrears end. */
export function settleStretches(
	work: Work,
	row: Pick<SubscriptionRow, "id">,
	stretches: readonly BilledStretch[],
	bill: IssuedBill,
): void {
	if (stretches.length === 0) return;
	recordStretches(work, stretches, bill);
	endCharges(work, row);
}

/** Records the stretches that a pause bills, and ends their charges. Charges that something else pays for stay postponed. */
export function pauseStretches(
	work: Work,
	row: SubscriptionRow,
	stretches: readonly BilledStretch[],
	bill: IssuedBill,
): void {
	recordStretches(work, stretches, bill);
	for (const one of runningCharges(work, row)) if (unbilledFrom(one) <= work.now) endCharge(work, one);
}

interface NewTerms {
	/** When they begin. */
	readonly start: Instant;
	/** The whole period that contains the start of the new terms. */
	readonly whole: Period;
	/** Items that something else charges until the end of the period. */
	readonly isPaid?: (item: ChargeItem) => boolean;
	/** Returns the first time of an item that nothing has charged. Default: the start. */
	readonly unpaidFrom?: (item: ChargeItem) => Instant;
	/** A new period begins, or a new cycle. */
	readonly isNewPeriod?: boolean;
}

/**
 * Starts the charges in arrears of a sale, in place of those on other terms. The caller has billed these up to the start. Charges on
 * unchanged terms go on.
 */
export function startCharges(work: Work, row: SubscriptionRow, sale: Sale, terms: NewTerms): void {
	const { start, whole, isPaid = () => false, unpaidFrom = () => start, isNewPeriod = false } = terms;
	const wanted = keyed(inArrears, itemsInArrears(work, row, sale, whole));
	const known = new Map(runningCharges(work, row).map((one) => [one.charge.key, one]));
	for (const [key, one] of known) if (!wanted.has(key)) endCharge(work, one);
	for (const [position, [key, item]] of [...wanted].entries()) {
		const before = known.get(key);
		if (before && isContinued(before, item, terms) && (!isNewPeriod || hasSameCycle(before, row))) continue;
		const mode = item.proration?.mode ?? "BY_TIME";
		const charged = before && !isNewPeriod && unbilledFrom(before) > before.charge.startsAt ? before : undefined;
		openCharge(
			work,
			ownerOf(row),
			{
				...{ key, position, prorationMode: mode, paymentTime: "IN_ARREARS" },
				...{
					startsAt: isPaid(item) ? whole.end : laterOf(unpaidFrom(item), before && unbilledFrom(before)),
					endsAt: null,
					billedUntil: null,
				},
				interval: row.billingPeriod === null ? null : intervalOf(row.billingPeriod),
				anchorAt: row.billingAnchorAt ?? whole.start,
				timeZone: row.timeZone ?? utc,
				terms: { stretch: mode === "NONE" ? aboveCharged(termsOf(item).item, charged) : termsOf(item).item, whole },
			},
			null,
		);
	}
}

/** Whether a charge goes on. The highest charged number counts within one period. */
function isContinued(
	{ charge, terms }: RunningCharge,
	item: ChargeItem,
	{ start, whole, isNewPeriod = false }: NewTerms,
): boolean {
	if (!isSameCharge([terms.stretch], [item])) return false;
	if (!isNewPeriod) return true;
	const isCut = start < terms.whole.end && !Bun.deepEquals(terms.whole, whole);
	const hasMode = charge.prorationMode === (item.proration?.mode ?? "BY_TIME");
	return hasMode && !isCut && terms.stretch.billed === undefined;
}

/** Whether a charge counts its periods as its subscription does. */
const hasSameCycle = ({ charge }: RunningCharge, { billingAnchorAt, timeZone }: SubscriptionRow): boolean =>
	charge.anchorAt === billingAnchorAt && charge.timeZone === (timeZone ?? utc);

/** Without proration, units cost money above the highest number that the period has charged. */
function aboveCharged(stretch: ArrearsTerms["stretch"], before: RunningCharge | undefined): ArrearsTerms["stretch"] {
	if (!before || stretch.charge.billingModel !== "PER_UNIT") return stretch;
	const { quantity, billed = zero } = before.terms.stretch;
	return { ...stretch, billed: exact(billed).gt(exact(quantity)) ? billed : quantity };
}

/** Returns the running charges whose terms a sale changes. */
export function changedCharges(work: Work, row: SubscriptionRow, sale: Sale, whole: Period): RunningCharge[] {
	const wanted = keyed(inArrears, itemsInArrears(work, row, sale, whole));
	return runningCharges(work, row).filter((one) => {
		const item = wanted.get(one.charge.key);
		return !item || !isContinued(one, item, { start: work.now, whole });
	});
}

/** A charge that a free first period postpones stays postponed. */
const laterOf = (start: Instant, other: Instant | undefined): Instant =>
	other !== undefined && other > start ? other : start;

/** Ends the charges in arrears of a subscription that has billed them. */
export const endCharges = (work: Work, row: Pick<SubscriptionRow, "id">): void => {
	for (const one of runningCharges(work, row)) endCharge(work, one);
};

/** Lets the charges of a subscription begin now that were to begin earlier: it waited for its first payment, or was paused. */
export function postponeCharges(work: Work, row: Pick<SubscriptionRow, "id">): void {
	for (const { charge } of runningCharges(work, row)) if (charge.startsAt < work.now) moveStart(work, charge, work.now);
}
