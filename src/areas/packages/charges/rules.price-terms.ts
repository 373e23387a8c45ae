import { toDecimal, toWire } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { viewCommitment } from "../../pricing/commitments/rules.commitment";
import type { Commitment } from "../../pricing/models/commitment";
import { parseFormula } from "../../pricing/models/formula-parser";
import type { EventInvoicing, PriceTerms } from "../../pricing/models/price-terms";
import type { SegmentedPrice } from "../../pricing/models/segment";
import type { TransactionPrice } from "../../pricing/models/transaction";
import { type BillingPeriod, intervalOf } from "../../pricing/rules.billing-period";
import { refuse } from "../rules.field-paths";
import { viewSegments } from "./rules.segments";
import type { Charge, PricePeriod, PricingModel, TransactionPriceInput } from "./schema";

/** The requested terms of a price that most prices do not have. */
export type RequestedTerms = Pick<PricePeriod, "minimumAmount" | "maximumAmount" | "transactionPrice"> & {
	readonly chargesFlatPriceUnused?: boolean | undefined;
	readonly segments?: SegmentedPrice | undefined;
	readonly usageMeasure?: PricingModel["usageMeasure"];
	readonly countsDays?: boolean | undefined;
	readonly chargeInterval?: BillingPeriod | undefined;
	readonly commitment?: Commitment | null | undefined;
	readonly eventInvoicing?: EventInvoicing | undefined;
};

/** Throws BadUserInput for bounds that the other price of usage does not have, or that contradict each other. */
export function assertPriceTerms(
	where: string,
	isOnDemand: boolean,
	{ minimumAmount = 0, maximumAmount }: Pick<RequestedTerms, "minimumAmount" | "maximumAmount">,
	billingModel: string,
): void {
	const field = maximumAmount !== undefined ? "maximumAmount" : minimumAmount > 0 ? "minimumAmount" : undefined;
	if (field && !isOnDemand)
		throw refuse(
			where,
			`'${field}' bounds the cost of usage, and ${billingModel} is charged in advance; use it with USAGE_BASED or overage.`,
		);
	if (maximumAmount !== undefined && minimumAmount > maximumAmount)
		throw refuse(
			where,
			`'minimumAmount' ${minimumAmount} is above 'maximumAmount' ${maximumAmount}; lower it, or raise the maximum.`,
		);
}

/** Throws BadUserInput for a price of transactions next to another price, and for fields of it that exclude each other. */
export function assertTransactionPrice(
	where: string,
	isUsage: boolean,
	{ transactionPrice: of, price, tiers, blockSize }: PricePeriod,
): void {
	if (!of) return;
	const place = `${where}.transactionPrice`;
	if (!isUsage)
		throw refuse(place, "prices the events of a meter; use it with USAGE_BASED, and neither with top-ups nor overage.");
	if (price || tiers || blockSize) throw refuse(place, "replaces 'price', 'tiers' and 'blockSize'; leave them out.");
	if ((of.percentRate === undefined) === (of.formula === undefined))
		throw refuse(place, "needs exactly one of 'percentRate' and 'formula'.");
	if (of.formula !== undefined && of.freeAmount !== undefined)
		throw refuse(
			place,
			"'freeAmount' counts values of transactions, and a formula has none; use 'freeTransactions', or 'percentRate'.",
		);
	if (of.minimum !== undefined && of.maximum !== undefined && of.minimum > of.maximum)
		throw refuse(place, `'minimum' ${of.minimum} is above 'maximum' ${of.maximum}; lower it, or raise the maximum.`);
	if (of.formula !== undefined) parseFormula(of.formula, `${place}.formula`);
}

/** Returns the price as it is stored, without neutral fields. */
export function transactionPriceOf(of: TransactionPriceInput): TransactionPrice {
	const { currency, percentRate, formula, fixedFee, minimum, maximum, freeTransactions, freeAmount } = of;
	assert(currency, "the currency of every price was written out");
	return {
		currency,
		...(percentRate !== undefined && { percentRate: toDecimal(percentRate) }),
		...(formula !== undefined && { formula }),
		...(fixedFee && { fixedFee: toDecimal(fixedFee) }),
		...(minimum && { minimum: toDecimal(minimum) }),
		...(maximum !== undefined && { maximum: toDecimal(maximum) }),
		...(freeTransactions && { freeTransactions }),
		...(freeAmount && { freeAmount: toDecimal(freeAmount) }),
	};
}

const viewTransactionPrice = (of: TransactionPrice): NonNullable<Charge["transactionPrice"]> => ({
	currency: of.currency,
	...(of.percentRate !== undefined && { percentRate: toWire(of.percentRate) }),
	...(of.formula !== undefined && { formula: of.formula }),
	...(of.fixedFee !== undefined && { fixedFee: toWire(of.fixedFee) }),
	...(of.minimum !== undefined && { minimum: toWire(of.minimum) }),
	...(of.maximum !== undefined && { maximum: toWire(of.maximum) }),
	...(of.freeTransactions !== undefined && { freeTransactions: of.freeTransactions }),
	...(of.freeAmount !== undefined && { freeAmount: toWire(of.freeAmount) }),
});

/** Returns the terms as they are stored; null if all have their neutral values. */
export function priceTermsOf({
	minimumAmount,
	maximumAmount,
	chargesFlatPriceUnused,
	transactionPrice,
	segments,
	usageMeasure = "AS_METERED",
	countsDays,
	chargeInterval,
	commitment,
	eventInvoicing,
}: RequestedTerms): PriceTerms | null {
	const terms: PriceTerms = {
		...(minimumAmount !== undefined && minimumAmount > 0 && { minimumAmount: toDecimal(minimumAmount) }),
		...(maximumAmount !== undefined && { maximumAmount: toDecimal(maximumAmount) }),
		...(chargesFlatPriceUnused && { chargesFlatPriceUnused: true }),
		...(transactionPrice && { transactionPrice: transactionPriceOf(transactionPrice) }),
		...(segments && { segments }),
		...(usageMeasure !== "AS_METERED" && { usageMeasure }),
		...(countsDays && { countsDays: true }),
		...(chargeInterval && { chargeInterval }),
		...(commitment && { commitment }),
		...(eventInvoicing && { eventInvoicing }),
	};
	return Object.keys(terms).length === 0 ? null : terms;
}

/** The same terms, with each one that is neutral left out. */
export const viewPriceTerms = (
	terms: PriceTerms | null,
): Pick<
	Charge,
	| "chargesFlatPriceUnused"
	| "usageMeasure"
	| "paymentTime"
	| "eventInvoicing"
	| "chargeInterval"
	| "prorationMode"
	| "minimumAmount"
	| "maximumAmount"
	| "commitment"
	| "transactionPrice"
	| "variants"
	| "groupBy"
> => ({
	...(terms?.countsDays && { prorationMode: "BY_DAY" }),
	...(terms?.chargesFlatPriceUnused && { chargesFlatPriceUnused: true }),
	...(terms?.usageMeasure && { usageMeasure: terms.usageMeasure }),
	...(terms?.eventInvoicing && { paymentTime: "AT_EVENT" as const, eventInvoicing: terms.eventInvoicing }),
	...(terms?.chargeInterval && { chargeInterval: intervalOf(terms.chargeInterval) }),
	...(terms?.minimumAmount !== undefined && { minimumAmount: toWire(terms.minimumAmount) }),
	...(terms?.maximumAmount !== undefined && { maximumAmount: toWire(terms.maximumAmount) }),
	...(terms?.commitment && { commitment: viewCommitment(terms.commitment) }),
	...(terms?.transactionPrice && { transactionPrice: viewTransactionPrice(terms.transactionPrice) }),
	...viewSegments(terms?.segments),
});
