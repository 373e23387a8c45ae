import { toDecimal } from "../../../kernel/decimal";
import type { PricedBy } from "../basis";
import { type LineSubject, subjectOf, type UnratedLine } from "../line";
import { amountOfCommitment, type SpendBasis } from "../models/spend-commitment";
import type { AppliedTax } from "../tax";
import { worded } from "../wording";

/** A line of a commitment to be rated. */
export interface CommitmentItem extends LineSubject {
	readonly currency: string;
	readonly basis: SpendBasis;
	readonly pricedBy: PricedBy;
	/** Missing: those of the bill. */
	readonly taxes?: readonly AppliedTax[];
	/** The line reverses a part of a shortfall that was charged with these taxes. */
	readonly reverses?: readonly AppliedTax[];
}

/** Returns the line of an item. */
export function commitmentLine(
	{ basis, pricedBy, taxes = [], currency: _, reverses: __, ...subject }: CommitmentItem,
	currency: string,
): UnratedLine {
	const amount = amountOfCommitment(basis, currency);
	const isConsumed = basis.of === "SHORTFALL" && amount.lt(0);
	const kind = isConsumed
		? "MinimumSpendAdjustmentCharge"
		: basis.of === "SHORTFALL"
			? "MinimumSpendCharge"
			: "OverageCharge";
	const code = isConsumed ? "coveredByCommitment" : basis.of === "SHORTFALL" ? "commitment" : "aboveCommitment";
	return {
		kind,
		...worded({ codes: [code] }),
		quantity: null,
		unitPrice: null,
		tiers: null,
		...subjectOf(subject),
		amount,
		...(taxes.length > 0 && { taxes }),
		discounted: { packageRefId: pricedBy.packageRefId },
		basis: { quantity: toDecimal(0), pricedBy, spendCommitment: basis },
	};
}
