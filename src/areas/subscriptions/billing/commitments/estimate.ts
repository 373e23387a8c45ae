import type { Instant } from "../../../../kernel/clock";
import { exact, sum, toDecimal } from "../../../../kernel/decimal";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import { getOwnEnvironment } from "../../../access/operations";
import type { CommitmentItem } from "../../../pricing/commitments/commitment-line";
import { hasEffect, periodsInWindow } from "../../../pricing/commitments/rules.spend-commitment";
import { amountOfCommitment, type SpendBasis, type SpendCommitment } from "../../../pricing/models/spend-commitment";
import { type Share, shareOf } from "../../../pricing/proration";
import { intervalOf } from "../../../pricing/rules.billing-period";
import type { SubscriptionRow } from "../../table";
import { commitmentsOf } from "../../terms/commitments";
import type { Sale } from "../../terms/sale";
import { type BillSection, rateBill, statedAmount } from "../rules.bill";

/** A billing period as it is estimated. */
interface Estimated {
	readonly period: Period;
	/** The start of the charged time. Missing: that of the period. */
	readonly from?: Instant;
}

/**
 * Returns a section that has all recurring charges of one billing period, with the lines of the commitments. A window of several periods
 * owes its part of one.
 */
export function withEstimate(
	work: Work,
	row: SubscriptionRow,
	sale: Sale,
	section: BillSection,
	{ period, from = period.start }: Estimated,
): BillSection {
	const { billingPeriod } = sale;
	const stated = commitmentsOf(row, sale).filter(hasEffect);
	if (billingPeriod === null || stated.length === 0) return section;
	const mode = row.prorationMode ?? sale.plan.prorationMode ?? getOwnEnvironment(work).prorationMode;
	const { unit } = intervalOf(billingPeriod);
	const proration = { mode, unit, ...(row.timeZone !== null && { timeZone: row.timeZone }) };
	const share = shareOf(period, { start: from, end: period.end }, proration);
	const lines = rateBill({ sections: [section] }).flatMap((one) => one.lines);
	const commitments: CommitmentItem[] = [];
	for (const commitment of stated.toSorted((one, other) => (one.scope < other.scope ? 1 : -1))) {
		const { scope, currency, overageFactor, isTrueUp } = commitment;
		const counted = lines.filter(({ basis }) => scope === "ALL" || basis.charge?.billingModel === "USAGE_BASED");
		const former = commitments.map(({ basis }) => amountOfCommitment(basis, currency));
		const basis = {
			...{ scope, parts: [{ amount: commitment.amount, share: shareOfOne(commitment, billingPeriod, share) }] },
			spent: toDecimal(sum([...counted.map((line) => exact(statedAmount(line))), ...former])),
			billed: toDecimal(0),
			...(overageFactor !== undefined && { overageFactor }),
			...(isTrueUp === false && { isTrueUp }),
		};
		commitments.push(
			...(["SHORTFALL", "EXCESS"] as const).flatMap((of) => itemOf(sale, period, currency, { ...basis, of })),
		);
	}
	return { ...section, commitments };
}

function itemOf({ plan, product, names }: Sale, period: Period, currency: string, basis: SpendBasis): CommitmentItem[] {
	if (amountOfCommitment(basis, currency).eq(0)) return [];
	const pricedBy = { packageRefId: plan.refId, version: plan.versionNumber };
	const taxes = plan.taxes && { taxes: names.taxes(plan.taxes) };
	return [{ currency, basis, pricedBy, period, productRefId: product.refId, ...taxes }];
}

function shareOfOne(
	commitment: SpendCommitment,
	billingPeriod: NonNullable<Sale["billingPeriod"]>,
	share: Share,
): Share {
	const { partMs, wholeMs } = share;
	return { partMs, wholeMs: wholeMs * periodsInWindow(commitment, billingPeriod) };
}
