import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { roundToMinor } from "../../kernel/money";
import { type LineSubject, subjectOf, type UnratedLine } from "./line";
import type { AppliedTax } from "./tax";
import type { Wording } from "./wording";

/** The minimum spend that was charged in advance for the period whose on-demand charges an invoice bills. */
export interface MinimumSpendPaid extends LineSubject {
	/** The charged amount: whole minor units, before discount and tax. */
	readonly amount: Decimal;
	/** The part that earlier invoices of the period have consumed (`minimumDrawdown`). Missing: nothing. */
	readonly drawn?: Decimal;
	readonly description: string;
	readonly wording?: Wording;
	/** The taxes that were charged on it. The line that subtracts the consumed amount reverses them. */
	readonly taxes?: readonly AppliedTax[];
}

/** The result of comparing a minimum spend with the on-demand charges of its period. Major units. */
export interface MinimumSpendSettlement {
	/** The part of the on-demand charges that the minimum covers. */
	readonly drawn: Decimal;
	/** On-demand charges beyond the minimum. drawn + excess = on-demand charges. */
	readonly excess: Decimal;
	/** The unused part of the minimum. It is not credited. drawn + unspent = minimum. */
	readonly unspent: Decimal;
}

/**
 * Settles a period: on-demand charges consume the minimum that was paid in advance; the next invoice charges the
 * excess. Both amounts are in whole minor units, before discount and tax. A negative amount counts as zero. Source:
 * docs/interface/catalogue.md#prices.
 */
export function settleMinimumSpend(minimum: Decimal, onDemand: Decimal): MinimumSpendSettlement {
	const [paid, due] = [positive(minimum), positive(onDemand)];
	const drawn = paid.lt(due) ? paid : due;
	return { drawn: toDecimal(drawn), excess: toDecimal(due.minus(drawn)), unspent: toDecimal(paid.minus(drawn)) };
}

const positive = (amount: Decimal): Big => (exact(amount).lt(0) ? exact(0) : exact(amount));

interface Drawdown {
	/** The amount that the lines consume; never negative. */
	readonly minimumDrawdown: Decimal;
	/** The line that subtracts this amount; missing when it is zero. */
	readonly adjustment?: UnratedLine;
}

/** Consumes the rest of the minimum for these on-demand lines. */
export function drawOnMinimum(
	paid: MinimumSpendPaid | null,
	onDemandLines: readonly UnratedLine[],
	currency: string,
): Drawdown {
	if (!paid) return { minimumDrawdown: zero };
	const { amount, drawn: before = zero, description, wording, taxes = [], ...subject } = paid;
	const onDemand = toDecimal(sum(onDemandLines.map((line) => roundToMinor(line.amount, currency))));
	const { drawn } = settleMinimumSpend(toDecimal(exact(amount).minus(exact(before))), onDemand);
	if (exact(drawn).eq(0)) return { minimumDrawdown: drawn };
	return {
		minimumDrawdown: drawn,
		adjustment: {
			kind: "MinimumSpendAdjustmentCharge",
			description,
			...(wording && { wording }),
			quantity: null,
			unitPrice: null,
			tiers: null,
			...subjectOf(subject),
			amount: exact(drawn).times(-1),
			...(taxes.length > 0 && { taxes }),
			basis: { quantity: zero, minimum: { paid: amount, drawn: before, onDemand } },
		},
	};
}
