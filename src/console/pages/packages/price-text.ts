import type { ChargeTerms } from "../../../areas/packages/charges/schema";
import type { PackageEntitlementTerms } from "../../../areas/packages/entitlements/schema";
import type { Plan } from "../../../areas/plans/schema";
import { periodOf, shownPeriod } from "../../../areas/pricing/rules.billing-period";
import { periodLabel } from "../../kit/billing-periods";
import { formatMoney, formatNumber, formatPrice } from "../../kit/format";
import { t } from "../../messages/packages";

type Tier = NonNullable<ChargeTerms["tiers"]>[number];

export const tierText = ({ upTo, unitPrice, flatPrice }: Tier): string => {
	const range = upTo === undefined || upTo === null ? t.beyond : t.upTo({ upTo: formatNumber(upTo) });
	const prices = [
		unitPrice && t.each({ price: formatPrice(unitPrice) }),
		flatPrice && t.flat({ price: formatPrice(flatPrice) }),
	];
	return `${range}: ${prices.filter(Boolean).join(" + ")}`;
};

/** Returns a charge as one line. */
export const priceText = (terms: ChargeTerms): string =>
	[
		amountText(terms),
		...(terms.variants ?? []).map((variant) =>
			t.variant({ id: variant.id, price: amountText({ ...terms, ...variant }) }),
		),
		terms.groupBy && t.groupedBy({ dimensions: terms.groupBy.join(", ") }),
		terms.usageMeasure && measureText(terms),
		terms.eventInvoicing && (terms.eventInvoicing === "PERIOD_END" ? t.eachEventOnPeriod : t.eachEvent),
		terms.chargeInterval && t.chargedEach({ interval: periodLabel(periodOf(terms.chargeInterval)) }),
		terms.commitment && commitmentText(terms.commitment),
		terms.minimumAmount !== undefined && t.costsAtLeast({ amount: formatNumber(terms.minimumAmount) }),
		terms.maximumAmount !== undefined && t.costsAtMost({ amount: formatNumber(terms.maximumAmount) }),
	]
		.filter(Boolean)
		.join(", ");

type Commitment = NonNullable<ChargeTerms["commitment"]>;

/** Returns a commitment, such as "10 units committed an hour, 1.5 times above it". */
const commitmentText = ({ amount, quantity = 0, overageFactor, interval, isTrueUp }: Commitment): string =>
	[
		t.commitment({
			committed: amount === undefined ? t.units({ count: formatNumber(quantity) }) : formatNumber(amount),
			window: windowText(interval),
		}),
		overageFactor !== undefined && t.factorAbove({ factor: formatNumber(overageFactor) }),
		isTrueUp === false && t.withoutTrueUp,
	]
		.filter(Boolean)
		.join(", ");

function windowText(interval: Commitment["interval"]): string {
	if (!interval) return t.aPeriod;
	const { unit, count } = interval;
	if (unit === "HOUR") return t.anHour;
	if (unit === "DAY") return count === 1 ? t.aDay : t.eachDays({ count });
	return count === 1 ? t.aMonth : t.eachMonths({ count });
}

const measureText = ({ usageMeasure, prorationMode }: ChargeTerms): string =>
	usageMeasure === "PEAK" ? t.peak : prorationMode === "BY_DAY" ? t.highestOfEachDay : t.timeWeighted;

function amountText(terms: ChargeTerms): string {
	const { price, tiers, blockSize, creditRate, billingModel, transactionPrice } = terms;
	if (creditRate) {
		const { amount, currencyId: currency, costFormula: formula } = creditRate;
		return formula ? t.byFormula({ currency, formula }) : t.creditsEach({ amount: formatNumber(amount), currency });
	}
	if (transactionPrice) return transactionText(transactionPrice);
	if (tiers) return tiers.map(tierText).join(" · ");
	const text = formatPrice(price);
	if (blockSize) return t.perBlock({ price: text, size: formatNumber(blockSize) });
	return billingModel === "FLAT_FEE" || billingModel === "MINIMUM_SPEND" ? text : t.perUnit({ price: text });
}

/** Returns the price of a transaction, such as "1.2% + 0.1 per transaction". */
function transactionText(of: NonNullable<ChargeTerms["transactionPrice"]>): string {
	const { percentRate, formula, fixedFee, minimum, maximum, freeTransactions, freeAmount } = of;
	const amount = [formula ?? `${formatNumber(percentRate ?? 0)}%`, ...(fixedFee ? [formatNumber(fixedFee)] : [])];
	return [
		t.perTransaction({ price: `${amount.join(" + ")} ${of.currency.toUpperCase()}` }),
		minimum && t.costsAtLeast({ amount: formatNumber(minimum) }),
		maximum !== undefined && t.costsAtMost({ amount: formatNumber(maximum) }),
		freeTransactions && t.freeTransactions({ count: formatNumber(freeTransactions) }),
		freeAmount && t.freeAmount({ amount: formatNumber(freeAmount) }),
	]
		.filter(Boolean)
		.join(", ");
}

/** Returns the subject of a charge: a feature, a credit currency, or the base fee. */
export const chargedFor = (
	{
		featureId,
		topUpCustomCurrencyId,
		billingModel,
	}: Pick<ChargeTerms, "featureId" | "topUpCustomCurrencyId" | "billingModel">,
	nameOf: (id: string) => string,
): string => {
	if (topUpCustomCurrencyId) return `${t.topUp}: ${topUpCustomCurrencyId}`;
	if (featureId) return nameOf(featureId);
	return billingModel === "MINIMUM_SPEND" ? t.MINIMUM_SPEND : t.baseFee;
};

export const billedText = (terms: ChargeTerms): string =>
	[
		terms.billingCadence === "ONE_OFF" ? t.ONE_OFF : periodLabel(shownPeriod(terms)),
		terms.billingCountryCode && t.in({ country: terms.billingCountryCode }),
	]
		.filter(Boolean)
		.join(", ");

/** Returns the granted amount. */
export function grantText(terms: PackageEntitlementTerms): string {
	if (!terms.isGranted) return t.notIncluded;
	if (terms.type === "CREDIT") return `${formatNumber(terms.amount)}${terms.cadence ? ` · ${t[terms.cadence]}` : ""}`;
	if (terms.hasUnlimitedUsage) return t.unlimited;
	if (terms.usageLimit !== null) return formatNumber(terms.usageLimit);
	return terms.enumValues && terms.enumValues.length > 0 ? terms.enumValues.join(", ") : t.included;
}

export const resetText = (terms: PackageEntitlementTerms): string =>
	terms.type === "FEATURE" && terms.resetPeriod ? t[terms.resetPeriod] : "–";

export const notesOf = (terms: PackageEntitlementTerms): string[] => [
	...(terms.hasSoftLimit ? [t.softLimit] : []),
	...(terms.behavior === "Override" ? [t.Override] : []),
	...(terms.hiddenFromWidgets.length > 0 ? [t.hidden] : []),
];

/** Returns the amounts that all charges, or those of usage alone, owe in each window. */
export const commitmentsText = (commitments: Plan["commitments"]): string | undefined =>
	commitments
		?.map(({ scope, currency, amount, interval, overageFactor, isTrueUp }) =>
			[
				formatMoney({ currency, amount }),
				...(scope === "ON_DEMAND" ? [t.ofUsage] : []),
				...lengthText(interval),
				...(overageFactor === undefined ? [] : [`× ${formatNumber(overageFactor)}`]),
				...(isTrueUp === false ? ["–"] : []),
			].join(", "),
		)
		.join("; ");

function lengthText(interval: NonNullable<Plan["commitments"]>[number]["interval"]): string[] {
	const { unit = "HOUR", count = 1 } = interval ?? {};
	return unit === "HOUR" ? [] : [periodLabel(periodOf({ unit, count }))];
}

/** Returns the costs of usage that are invoiced at once. */
export const thresholdsText = (thresholds: Plan["spendThresholds"]): string | undefined =>
	thresholds?.map(formatMoney).join(", ");
