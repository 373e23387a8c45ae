import { type Big, type Decimal, exact, sum } from "../../../kernel/decimal";
import { roundToMinor } from "../../../kernel/money";
import type { Interval } from "../../../kernel/period";
import { prorate, type Share, wholePeriod } from "../proration";

/** The charges that count towards a commitment: all that recur, or those of usage alone. */
export type CommitmentScope = "ALL" | "ON_DEMAND";

/** The amount that the charges of a subscription owe in each window. */
export interface SpendCommitment {
	readonly scope: CommitmentScope;
	readonly currency: string;
	readonly amount: Decimal;
	/** A whole number of billing periods. Missing: one. */
	readonly interval?: Interval;
	/** Multiplies what exceeds the commitment. Missing: 1. */
	readonly overageFactor?: Decimal;
	/** A shortfall is not charged. Missing: it is. */
	readonly isTrueUp?: false;
}

/** The rules of a commitment that apply to the sums of a window. */
export type SpendRules = Pick<SpendCommitment, "scope" | "overageFactor" | "isTrueUp">;

/** An amount that was committed for a part of a window. */
export interface CommittedPart {
	readonly amount: Decimal;
	/** Missing: the whole window. */
	readonly share?: Share;
}

/** The sums of a window, in whole minor units, before discounts and exclusive taxes. */
export interface CommittedSums {
	/** Each part is rounded once. */
	readonly parts: readonly CommittedPart[];
	/** The charges that count. */
	readonly spent: Decimal;
}

/** The terms of a line that charges a commitment of all charges. */
export interface SpendBasis extends SpendRules, CommittedSums {
	/** The line charges what the spend lacks, or what the factor adds to the excess. */
	readonly of: "SHORTFALL" | "EXCESS";
	/** The part of it that earlier bills of the window have charged. */
	readonly billed: Decimal;
}

/** Returns the amount that a window owes: whole minor units. */
export const owedBy = (parts: readonly CommittedPart[], currency: string): Big =>
	sum(parts.map(({ amount, share = wholePeriod }) => prorate(exact(amount), share, currency)));

/** Returns what the spend of a window lacks: whole minor units, never negative. */
export function shortfallOf({ parts, spent, isTrueUp }: SpendRules & CommittedSums, currency: string): Big {
	const missing = owedBy(parts, currency).minus(spent);
	return isTrueUp === false || missing.lt(0) ? exact(0) : missing;
}

/** Returns what the factor adds to the part of the spend that exceeds the commitment: whole minor units, never negative. */
export function excessOf({ parts, spent, overageFactor }: SpendRules & CommittedSums, currency: string): Big {
	const above = exact(spent).minus(owedBy(parts, currency));
	if (overageFactor === undefined || above.lte(0)) return exact(0);
	return roundToMinor(above.times(exact(overageFactor).minus(1)), currency);
}

/** Returns the amount of a line: whole minor units. It is negative where late usage consumes a charged shortfall. */
export const amountOfCommitment = (basis: SpendBasis, currency: string): Big =>
	(basis.of === "SHORTFALL" ? shortfallOf(basis, currency) : excessOf(basis, currency)).minus(basis.billed);
