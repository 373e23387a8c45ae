import { exact, toDecimal } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import { assertAgreedInterval } from "../../packages/charges/rules.charge-interval";
import { transactionPriceOf } from "../../packages/charges/rules.price-terms";
import { assertSegments, segmentsOf } from "../../packages/charges/rules.segments";
import type { PriceInput, TransactionPriceInput, VariantInput } from "../../packages/charges/schema";
import type { OfferedCharge } from "../../pricing/choice/price";
import { assertCommitment, withinPeriod } from "../../pricing/commitments/rules.commitment";
import type { PriceTermChanges, PriceTerms } from "../../pricing/models/price-terms";
import type { PriceVariant, SegmentedPrice } from "../../pricing/models/segment";
import { isPartOf, periodText, windowPeriodOf } from "../../pricing/rules.billing-period";
import type { EffectivePrice, Names } from "./prices";

/** The prices of transactions and of variants that a subscription agreed on, as requested; null removes one. */
export interface AgreedPrices {
	readonly transactionPrice?: TransactionPriceInput | null;
	readonly variants?: readonly VariantInput[] | null;
}

interface OverrideOfTerms {
	readonly terms?: PriceTermChanges;
	readonly priced?: AgreedPrices;
	readonly amount: unknown;
	readonly tiers: unknown;
}

const where = "body/priceOverrides";

/**
 * Returns the terms of a price with the changes of a subscription. `currency` is that of amounts that name none. Throws
 * InvalidArgumentError unless it is a price of usage and its bounds agree, and the errors of the catalogue for terms that exclude each
 * other.
 */
export function termsWith(
	charge: OfferedCharge,
	{ terms: changes = {}, priced = {}, amount, tiers }: OverrideOfTerms,
	currency: string | undefined,
): PriceTerms | null {
	const { billingModel, priceTerms } = charge;
	if (billingModel !== "USAGE_BASED")
		throw fail(
			"InvalidArgumentError",
			`${where}: ${ofFee(changes, priced)}, and the price is ${billingModel}; leave them out.`,
		);
	const {
		minimumAmount = null,
		maximumAmount = null,
		commitment = null,
		chargeInterval = null,
		...others
	} = {
		...priceTerms,
		...changes,
	};
	assertBounds(minimumAmount, maximumAmount);
	const units = amount !== null || tiers !== null;
	const agreed = pricesWith(charge, others, priced, units, currency);
	if (agreed.eventInvoicing) assertAtEvent(charge, { minimumAmount, commitment, ...agreed });
	const ownInterval = chargeInterval === charge.billingPeriod ? null : chargeInterval;
	if (ownInterval !== null && changes.chargeInterval)
		assertAgreedInterval(`${where}.chargeInterval`, ownInterval, charge);
	const interval = ownInterval === null ? {} : { chargeInterval: ownInterval };
	const windowPeriod = windowPeriodOf({ ...charge, priceTerms: interval });
	const terms: PriceTerms = {
		...agreed,
		...interval,
		...(minimumAmount !== null && !exact(minimumAmount).eq(0) && { minimumAmount }),
		...(maximumAmount !== null && { maximumAmount }),
		...(commitment !== null && { commitment: withinPeriod(commitment, windowPeriod) }),
	};
	assertCommitment(where, { ...charge, priceTerms: terms });
	return Object.keys(terms).length === 0 ? null : terms;
}

const ofFee = ({ chargeInterval }: PriceTermChanges, { transactionPrice, variants }: AgreedPrices): string =>
	transactionPrice || variants
		? "'transactionPrice' and 'variants' price usage"
		: chargeInterval
			? "'chargeInterval' is of usage"
			: "'commitment', 'minimumAmount' and 'maximumAmount' bound the cost of usage";

function assertBounds(minimumAmount: string | null, maximumAmount: string | null): void {
	if (minimumAmount !== null && maximumAmount !== null && exact(minimumAmount).gt(maximumAmount))
		throw fail(
			"InvalidArgumentError",
			`${where}: 'minimumAmount' ${minimumAmount} is above 'maximumAmount' ${maximumAmount}; lower it, or raise the maximum.`,
		);
}

/** Returns the terms with the agreed prices. A price of units replaces one of transactions, and the other way round. */
function pricesWith(
	charge: OfferedCharge,
	{ transactionPrice: listed, segments: held, ...others }: PriceTerms,
	{ transactionPrice: asked, variants }: AgreedPrices,
	isOfUnits: boolean,
	currency: string | undefined,
): PriceTerms {
	const transactionPrice = asked
		? transactionPriceOf({ ...(currency !== undefined && { currency }), ...asked })
		: isOfUnits || asked === null
			? undefined
			: listed;
	const segments = variants === undefined ? held : segmentsWith(charge, held, variants ?? [], currency);
	if (asked || variants?.length) {
		if (charge.isOverage || charge.topUpCurrencyId !== null)
			throw fail(
				"BadUserInput",
				`${where}: 'transactionPrice' and 'variants' price usage, and neither top-ups nor overage; leave them out.`,
			);
		assertSegments(
			where,
			true,
			{ groupBy: [...(segments?.groupBy ?? [])], ...others },
			{
				variants: segments?.variants.map(({ id, match }) => ({ id, match: copyOf(match) })) ?? [],
				...(transactionPrice && { transactionPrice: { currency: transactionPrice.currency } }),
			},
		);
	}
	if (listed && !transactionPrice && charge.price === null && charge.tiers === null)
		throw fail(
			"BadUserInput",
			`${where}: without 'transactionPrice' the price has no amount; give 'amount' or 'tiers' with it.`,
		);
	assertOneCurrency(transactionPrice?.currency ?? currency, segments);
	const { chargesFlatPriceUnused, ...kept } = others;
	return {
		...kept,
		...(chargesFlatPriceUnused && !asked && { chargesFlatPriceUnused }),
		...(transactionPrice && { transactionPrice }),
		...(segments && { segments }),
	};
}

function assertOneCurrency(currency: string | undefined, segments: SegmentedPrice | undefined): void {
	const other = segments?.variants
		.flatMap(({ price, tiers }) => [price, ...(tiers ?? []).flatMap((tier) => [tier.unitPrice, tier.flatPrice])])
		.find((money) => money && money.currency !== currency);
	if (other)
		throw fail(
			"InvalidArgumentError",
			`${where}: the price is in ${currency}, and a variant in ${other.currency}; give 'variants' in ${currency}.`,
		);
}

const copyOf = (match: PriceVariant["match"]): VariantInput["match"] =>
	Object.fromEntries(Object.entries(match).map(([dimension, texts]) => [dimension, [...texts]]));

/** Returns the usage that a price divides, with agreed variants. Its groups stay. */
function segmentsWith(
	{ tiersMode }: OfferedCharge,
	held: SegmentedPrice | undefined,
	variants: readonly VariantInput[],
	currency: string | undefined,
): SegmentedPrice | undefined {
	const amountOf = (of: PriceInput) => {
		const own = of.currency ?? currency;
		assert(own, "a price of usage has a currency");
		return { amount: toDecimal(of.amount), currency: own };
	};
	return segmentsOf(
		{ groupBy: [...(held?.groupBy ?? [])], tiersMode: tiersMode ?? "GRADUATED" },
		variants,
		(variant) => ({
			price: variant.price ? amountOf(variant.price) : null,
			tiers:
				variant.tiers?.map(({ upTo = null, unitPrice, flatPrice }) => ({
					upTo: upTo === null ? null : toDecimal(upTo),
					unitPrice: unitPrice ? amountOf(unitPrice) : null,
					flatPrice: flatPrice ? amountOf(flatPrice) : null,
				})) ?? null,
			blockSize: variant.blockSize ? toDecimal(variant.blockSize) : null,
		}),
	);
}

/** Throws UnsupportedParameter for terms that no event can settle. */
function assertAtEvent(
	{ priceTerms: listed }: OfferedCharge,
	{ minimumAmount, commitment, segments, transactionPrice }: { [Term in keyof PriceTerms]: PriceTerms[Term] | null },
): void {
	const why =
		commitment !== null || (minimumAmount && !exact(minimumAmount).eq(0))
			? `${commitment !== null ? "'commitment'" : "'minimumAmount'"} is settled at the end of a window`
			: segments
				? "'variants' would charge a line for each variant"
				: listed?.transactionPrice && !transactionPrice
					? "it is of transactions; only another 'transactionPrice' can replace it"
					: undefined;
	if (why) throw fail("UnsupportedParameter", `${where}: each event charges the price, and ${why}; leave it out.`);
}

/**
 * Throws BadUserInput for a price of usage that would be billed by the year, or share the windows of another price of its feature, once
 * it has no interval of its own.
 */
export function assertOwnWindows(prices: readonly EffectivePrice[], { featureRef }: Pick<Names, "featureRef">): void {
	const used = prices.flatMap(({ charge }) =>
		charge.billingModel === "USAGE_BASED" && !charge.isOverage && charge.topUpCurrencyId === null ? [charge] : [],
	);
	for (const { featureId, billingPeriod, priceTerms } of used) {
		if (priceTerms?.chargeInterval || featureId === null) continue;
		const shares = used.some(
			(other) =>
				other.featureId === featureId &&
				!other.priceTerms?.chargeInterval &&
				isPartOf(other.billingPeriod, billingPeriod),
		);
		if (!shares && billingPeriod !== "ANNUALLY") continue;
		const why = shares
			? "it would share the windows of another price of the feature"
			: "usage is not billed by the year";
		throw fail(
			"BadUserInput",
			`${where}.chargeInterval: '${featureRef(featureId)}' has a price for ${periodText(billingPeriod)}, and ${why}; choose an interval, such as {"unit": "MONTH", "count": 1}.`,
		);
	}
}
