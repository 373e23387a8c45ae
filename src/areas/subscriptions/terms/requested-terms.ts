import { toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Money } from "../../../kernel/money";
import type { Work } from "../../../kernel/work";
import { currenciesByRefs } from "../../currencies/operations";
import type { CustomerRow } from "../../customers/table";
import { featuresByRefs } from "../../features/operations";
import { assertVariantPrices } from "../../packages/charges/rules";
import { assertTransactionPrice } from "../../packages/charges/rules.price-terms";
import { assertSegments } from "../../packages/charges/rules.segments";
import { resetOf } from "../../packages/rules";
import { currencyOf } from "../../pricing/choice/price";
import { commitmentOf } from "../../pricing/commitments/rules.commitment";
import { parseFormula } from "../../pricing/models/formula-parser";
import { requestedPeriod } from "../../pricing/requested-period";
import type { EntitlementInput, PriceOverrideInput } from "../schema.provision";
import type { PriceUpdate, SubscriptionUpdate } from "../schema.update";
import type { PriceOverride, SubscriptionRow } from "../table";
import { currencyOfSale } from "./buyer";
import type { Sale } from "./sale";
import type { NewEntitlement } from "./store";

// Conversions of requested terms to stored ones, shared by all operations that take terms.

/** Null removes the minimum spend. Without a currency it is in that of the sale; throws InvalidArgumentError for another one. */
export function minimumSpendOf(
	work: Work,
	input: SubscriptionUpdate["minimumSpend"],
	sale: Pick<Sale, "prices">,
	paying: CustomerRow,
): Money | null {
	if (input?.amount === undefined) return null;
	const priced = currencyOf(sale.prices.map(({ charge }) => charge));
	const currency = input.currency ?? currencyOfSale(work, sale, paying);
	if (priced !== undefined && currency !== priced)
		throw fail(
			"InvalidArgumentError",
			`body/minimumSpend: the prices are in ${priced}, and the minimum spend is in ${currency}; state it in ${priced}.`,
		);
	return { amount: toDecimal(input.amount), currency };
}

export const budgetOf = (input: SubscriptionUpdate["budget"]): SubscriptionRow["budget"] =>
	input ? { ...input, limit: toDecimal(input.limit) } : null;

/** Converts a price override for storage. Throws BadUserInput if it names no price, or its formula cannot be parsed. */
export function overrideOf(input: PriceOverrideInput & Pick<PriceUpdate, "currencyId">): PriceOverride {
	assertAgreedPrices(input);
	const { amount, blockSize, tiers, creditRate } = input;
	if (creditRate?.costFormula) parseFormula(creditRate.costFormula, "body/priceOverrides: costFormula");
	if (!input.baseCharge && !input.featureId && !input.addonId && !input.currencyId && input.key === undefined)
		throw fail(
			"BadUserInput",
			"body/priceOverrides: say what each price is for: 'key', 'baseCharge', 'featureId', 'addonId' or, for credits, 'currencyId'.",
		);
	const terms = termsOf(input);
	return {
		isBase: input.baseCharge ?? false,
		addonRefId: input.addonId ?? null,
		featureRefId: input.featureId ?? null,
		currencyRefId: input.currencyId ?? null,
		billingCountryCode: input.billingCountryCode ?? null,
		amount: amount === undefined ? null : toDecimal(amount),
		currency: input.currency ?? null,
		blockSize: blockSize === undefined ? null : toDecimal(blockSize),
		tiers:
			tiers?.map(({ upTo, unitPrice, flatPrice }) => ({
				upTo: upTo === undefined ? null : toDecimal(upTo),
				unitPrice: unitPrice ? { ...unitPrice, amount: toDecimal(unitPrice.amount) } : null,
				flatPrice: flatPrice ? { ...flatPrice, amount: toDecimal(flatPrice.amount) } : null,
			})) ?? null,
		creditRate: creditRate
			? {
					amount: toDecimal(creditRate.amount),
					currencyRefId: creditRate.currencyId,
					costFormula: creditRate.costFormula ?? null,
				}
			: null,
		creditGrantCadence: input.creditGrantCadence ?? null,
		...(input.key !== undefined && { key: input.key }),
		...(Object.keys(terms).length > 0 && { terms }),
		...((input.transactionPrice !== undefined || input.variants !== undefined) && { priced: pricedOf(input) }),
	};
}

const pricedOf = ({ transactionPrice, variants }: PriceOverrideInput): NonNullable<PriceOverride["priced"]> => ({
	...(transactionPrice !== undefined && { transactionPrice }),
	...(variants !== undefined && { variants }),
});

/** Throws the errors of the catalogue for prices of transactions and variants that contradict themselves. */
function assertAgreedPrices({ transactionPrice, variants, amount, tiers, blockSize }: PriceOverrideInput): void {
	const where = "body/priceOverrides";
	if (transactionPrice) {
		if (amount !== undefined || tiers || blockSize !== undefined || variants?.length)
			throw fail(
				"BadUserInput",
				`${where}.transactionPrice: replaces 'amount', 'tiers', 'blockSize' and 'variants'; leave them out.`,
			);
		assertTransactionPrice(where, true, { billingPeriod: "MONTHLY", transactionPrice });
	}
	if (!variants?.length) return;
	assertSegments(where, true, {}, { variants });
	assertVariantPrices(where, "GRADUATED", variants);
}

const termsOf = ({
	minimumAmount,
	maximumAmount,
	commitment,
	chargeInterval,
}: PriceOverrideInput): NonNullable<PriceOverride["terms"]> => ({
	...(chargeInterval !== undefined && {
		chargeInterval:
			chargeInterval &&
			(requestedPeriod({ billingInterval: chargeInterval }, "body/priceOverrides.chargeInterval") ?? null),
	}),
	...(minimumAmount !== undefined && { minimumAmount: minimumAmount === null ? null : toDecimal(minimumAmount) }),
	...(maximumAmount !== undefined && { maximumAmount: maximumAmount === null ? null : toDecimal(maximumAmount) }),
	...(commitment !== undefined && {
		commitment: commitment && commitmentOf(commitment, "body/priceOverrides.commitment"),
	}),
});

/** Throws FeatureNotFound, CustomCurrencyNotFound; BadUserInput for duplicates. */
export function entitlementsOf(work: Work, inputs: readonly EntitlementInput[]): NewEntitlement[] {
	const refsOf = (type: EntitlementInput["type"]) => inputs.filter((input) => input.type === type).map(({ id }) => id);
	const features = featuresByRefs(work, refsOf("FEATURE"));
	const currencies = currenciesByRefs(work, refsOf("CREDIT"));
	const seen = new Set<string>();
	return inputs.map((input, at) => {
		const where = `body/entitlements/${at}`;
		if (seen.has(`${input.type} ${input.id}`)) throw fail("BadUserInput", `${where}: '${input.id}' is listed twice.`);
		seen.add(`${input.type} ${input.id}`);
		const none = {
			usageLimit: null,
			hasUnlimitedUsage: null,
			hasSoftLimit: null,
			resetPeriod: null,
			resetAnchor: null,
		};
		if (input.type === "CREDIT")
			return {
				...none,
				featureId: null,
				currencyId: currencies.get(input.id)?.id ?? null,
				amount: toDecimal(input.amount),
				cadence: input.cadence,
			};
		return {
			featureId: features.get(input.id)?.id ?? null,
			currencyId: null,
			amount: null,
			cadence: null,
			usageLimit: input.usageLimit === undefined ? null : toDecimal(input.usageLimit),
			hasUnlimitedUsage: input.hasUnlimitedUsage ?? null,
			hasSoftLimit: input.hasSoftLimit ?? null,
			...resetOf(input),
		};
	});
}
