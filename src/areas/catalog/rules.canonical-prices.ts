import { toDecimal, toWire } from "../../kernel/decimal";
import { chargeIntervalIn, periodIn } from "../packages/charges/rules.billing-periods";
import { variantIdAt } from "../packages/charges/rules.segments";
import type { PriceInput, PricePeriod, TierInput, VariantInput } from "../packages/charges/schema";
import { commitmentOf, viewCommitment, withinPeriod } from "../pricing/commitments/rules.commitment";
import type { CommitmentInput } from "../pricing/commitments/schema.commitment";
import { intervalOf, viewBillingPeriod } from "../pricing/rules.billing-period";
import { stated } from "./rules.omit-empty";

export const canonicalPrice = ({ amount, currency }: PriceInput): PriceInput =>
	stated<PriceInput>({ amount: wireNumber(amount), currency });

/** Converts the number as the database does: minus zero becomes zero. */
export const wireNumber = (amount: number): number => toWire(toDecimal(amount));

/** Returns the name of a period, and its interval only if it has no name. */
export function canonicalLength(row: Pick<PricePeriod, "billingPeriod" | "billingInterval">) {
	const { billingPeriod, billingInterval } = viewBillingPeriod(periodIn("charges", row));
	return { billingPeriod, billingInterval: billingPeriod === "CUSTOM" ? billingInterval : undefined };
}

/** Returns how often a row is charged; null: each billing period. */
export function canonicalInterval(row: PricePeriod): PricePeriod["chargeInterval"] | null {
	const interval = chargeIntervalIn("charges", row);
	return interval === undefined ? null : intervalOf(interval);
}

export const canonicalUnitPrice = ({
	price,
	tiers,
	blockSize,
}: Pick<PricePeriod, "price" | "tiers" | "blockSize">) => ({
	price: price && canonicalPrice(price),
	tiers: tiers?.map(({ upTo, unitPrice, flatPrice }) =>
		stated<TierInput>({
			upTo,
			unitPrice: unitPrice && canonicalPrice(unitPrice),
			flatPrice: flatPrice && canonicalPrice(flatPrice),
		}),
	),
	// A block size of zero means no block.
	blockSize: blockSize || null,
});

export const canonicalPeriod = ({ creditRate, ...period }: PricePeriod): PricePeriod =>
	stated<PricePeriod>({
		...canonicalLength(period),
		billingCountryCode: period.billingCountryCode,
		...canonicalUnitPrice(period),
		creditRate:
			creditRate &&
			stated<NonNullable<PricePeriod["creditRate"]>>({
				amount: creditRate.amount,
				currencyId: creditRate.currencyId,
				costFormula: creditRate.costFormula,
			}),
		creditGrantCadence: period.creditGrantCadence,
		// A minimum of zero means no minimum.
		minimumAmount: period.minimumAmount || null,
		maximumAmount: period.maximumAmount,
		chargeInterval: canonicalInterval(period),
		commitment: period.commitment && canonicalCommitment(period, period.commitment),
		transactionPrice: period.transactionPrice && canonicalTransactionPrice(period.transactionPrice),
		variants: period.variants?.length
			? period.variants.map((variant, at) =>
					stated<VariantInput>({
						...{ id: variantIdAt(variant, at), match: variant.match },
						...canonicalUnitPrice(variant),
					}),
				)
			: null,
	});

/** Returns a commitment without defaults; null if it owes nothing. A draft refuses one that is neither amount nor quantity. */
function canonicalCommitment(period: PricePeriod, of: CommitmentInput): CommitmentInput | null {
	const window = chargeIntervalIn("charges", period) ?? periodIn("charges", period);
	const stored = withinPeriod(commitmentOf(of, "charges"), window);
	return stored && viewCommitment(stored);
}

/** Zero is the neutral value of a fee, a minimum and an allowance. */
const canonicalTransactionPrice = (of: NonNullable<PricePeriod["transactionPrice"]>) =>
	stated<NonNullable<PricePeriod["transactionPrice"]>>({
		currency: of.currency,
		percentRate: of.percentRate,
		formula: of.formula,
		fixedFee: of.fixedFee || null,
		minimum: of.minimum || null,
		maximum: of.maximum,
		freeTransactions: of.freeTransactions || null,
		freeAmount: of.freeAmount || null,
	});
