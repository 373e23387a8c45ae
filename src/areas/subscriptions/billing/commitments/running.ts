import type { Instant } from "../../../../kernel/clock";
import { toDecimal, zero } from "../../../../kernel/decimal";
import { assert } from "../../../../kernel/errors";
import { boundary, indexAt, type Period, utc } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import { getOwnEnvironment } from "../../../access/operations";
import { currentChargesOf, endCharge, openCharge } from "../../../billing/operations";
import { periodsEndingFrom } from "../../../billing/operations.spend";
import type { ChargeOwner, CommitmentTerms } from "../../../billing/rules.charge";
import type { ChargeRow } from "../../../billing/table";
import { hasEffect, periodsInWindow } from "../../../pricing/commitments/rules.spend-commitment";
import { type CommittedPart, owedBy, type SpendCommitment } from "../../../pricing/models/spend-commitment";
import { type Part, type Proration, shareOf } from "../../../pricing/proration";
import { intervalOf } from "../../../pricing/rules.billing-period";
import { billingPeriodContaining, cycleOf, recurrenceOf } from "../../rules";
import type { SubscriptionRow } from "../../table";
import { commitmentsOf } from "../../terms/commitments";
import type { Sale } from "../../terms/sale";

/** The keys of commitments. */
export const ofCommitment = "commitment/";

/** A window that keeps more parts than this adds up the earlier ones. */
const partsMax = 20;

/** The commitment of the running window. */
export interface RunningCommitment {
	readonly charge: ChargeRow;
	readonly terms: CommitmentTerms;
}

/** Returns the commitments of a subscription whose windows run. */
export const runningCommitments = (work: Work, row: Pick<SubscriptionRow, "id">): RunningCommitment[] =>
	currentChargesOf(work, row, [ofCommitment, ofCommitment]).flatMap((charge) => {
		const terms = commitmentTerms(charge);
		return terms ? [{ charge, terms }] : [];
	});

export const commitmentTerms = ({ terms }: ChargeRow): CommitmentTerms | undefined =>
	terms && "commitment" in terms ? terms : undefined;

/** How the parts of a window count. */
export const prorationOfWindow = ({ prorationMode: mode, interval, timeZone }: ChargeRow): Proration => ({
	...{ mode, unit: interval?.unit ?? "MONTH" },
	...(timeZone !== utc && { timeZone }),
});

/** Returns the amounts that a window owes up to an instant. */
export function partsUntil({ charge, terms }: RunningCommitment, until: Instant, isEnd: boolean): CommittedPart[] {
	const { commitment, whole, since, earlier } = terms;
	const part = partOf(commitment, whole, { start: since, end: until, isEnd }, prorationOfWindow(charge));
	return part ? [...earlier, part] : [...earlier];
}

function partOf({ amount }: SpendCommitment, whole: Period, part: Part, proration: Proration) {
	if (amount === zero) return undefined;
	const share = shareOf(whole, part, proration);
	if (share.partMs === 0) return undefined;
	return { amount, ...(share.partMs !== share.wholeMs && { share }) } satisfies CommittedPart;
}

interface NewWindow {
	/** When the terms begin. */
	readonly start: Instant;
	/** The billing period that contains the start, or that ends with it. */
	readonly period: Period;
	/** The charges that count begin here. Default: the start. */
	readonly from?: Instant;
}

/**
 * Starts the windows of a sale's commitments. The running window of a commitment goes on to its end; if its terms change, it owes each
 * amount for its share.
 */
export function startCommitments(
	work: Work,
	row: SubscriptionRow,
	sale: Sale,
	{ start, period, from }: NewWindow,
): void {
	const wanted = new Map(
		commitmentsOf(row, sale)
			.filter(hasEffect)
			.map((one) => [`${ofCommitment}${one.scope}`, one]),
	);
	const known = new Map(runningCommitments(work, row).map((one) => [one.charge.key, one]));
	for (const [key, one] of known) if (!wanted.has(key)) changeAmount(work, row, one, withoutAmount(one), start);
	for (const [key, commitment] of wanted) {
		const before = known.get(key);
		if (before) changeAmount(work, row, before, commitment, start);
		else open(work, row, sale, commitment, { start, period, ...(from !== undefined && { from }) });
	}
}

/** Returns now, or the end of the time that the bill of a pause has settled beyond it. */
export const firstUnsettled = (work: Work, row: Pick<SubscriptionRow, "id">): Instant =>
	Math.max(
		work.now,
		...periodsEndingFrom(work, row, ofCommitment, work.now).map(({ period }) => period.endsAt),
	) as Instant;

/** Removes the amount from now on. The window still owes its earlier parts. */
const withoutAmount = ({ terms: { commitment } }: RunningCommitment): SpendCommitment => {
	const { scope, currency } = commitment;
	return { scope, currency, amount: zero };
};

function changeAmount(
	work: Work,
	row: SubscriptionRow,
	{ charge, terms }: RunningCommitment,
	commitment: SpendCommitment,
	at: Instant,
): void {
	if (Bun.deepEquals(terms.commitment, commitment)) return;
	const isWhole = charge.prorationMode === "NONE";
	const parts = isWhole ? [] : partsUntil({ charge, terms }, at, false);
	if (commitment.amount === zero && parts.length === 0) {
		endCharge(work, { charge });
		return;
	}
	const earlier = parts.length > partsMax ? addedUp(parts, commitment.currency) : parts;
	reopen(work, row, charge, { ...terms, commitment, since: isWhole ? terms.since : at, earlier });
}

const addedUp = (parts: readonly CommittedPart[], currency: string): CommittedPart[] => [
	{ amount: toDecimal(owedBy(parts, currency)) },
];

function reopen(
	work: Work,
	row: SubscriptionRow,
	{ key, startsAt, interval, anchorAt, timeZone, prorationMode }: ChargeRow,
	terms: CommitmentTerms,
): void {
	const timing = { interval, anchorAt, timeZone, prorationMode, paymentTime: "IN_ARREARS" } as const;
	openCharge(work, owner(row), { ...timing, key, startsAt, endsAt: null, billedUntil: null, terms }, null);
}

function open(
	work: Work,
	row: SubscriptionRow,
	sale: Sale,
	commitment: SpendCommitment,
	{ start, period, from = start }: NewWindow,
): void {
	const { billingPeriod } = row;
	assert(billingPeriod !== null, "a commitment has billing periods");
	const taxes = sale.plan.taxes ? sale.names.taxes(sale.plan.taxes) : undefined;
	openCharge(
		work,
		owner(row),
		{
			key: `${ofCommitment}${commitment.scope}`,
			...{ startsAt: from, endsAt: null, billedUntil: null, paymentTime: "IN_ARREARS" },
			interval: intervalOf(billingPeriod),
			anchorAt: row.billingAnchorAt ?? period.start,
			timeZone: row.timeZone ?? utc,
			prorationMode: row.prorationMode ?? sale.plan.prorationMode ?? getOwnEnvironment(work).prorationMode,
			terms: {
				...{ commitment, whole: windowFrom(row, commitment, { start, period }), since: start, earlier: [] },
				pricedBy: { packageRefId: sale.plan.refId, version: sale.plan.versionNumber },
				productRefId: sale.product.refId,
				...(taxes && { taxes }),
			},
		},
		null,
	);
}

const owner = ({ id }: Pick<SubscriptionRow, "id">): ChargeOwner => ({ kind: "SUBSCRIPTION", id });

/** Returns the whole window that begins with the billing period of an instant. */
function windowFrom(row: SubscriptionRow, commitment: SpendCommitment, { start, period }: NewWindow): Period {
	const { billingPeriod } = row;
	const cycle = cycleOf(row);
	assert(billingPeriod !== null && cycle, "a commitment has billing periods");
	const first = start < period.end ? period : billingPeriodContaining(cycle, billingPeriod, start);
	const periods = periodsInWindow(commitment, billingPeriod);
	if (periods === 1) return first;
	const recurrence = recurrenceOf(cycle, intervalOf(billingPeriod));
	return { start: first.start, end: boundary(recurrence, indexAt(recurrence, first.start) + periods) };
}
