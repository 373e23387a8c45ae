import type { Money } from "../../kernel/money";
import type { ProrationMode } from "../../kernel/schema.proration-mode";
import { periodIn } from "../packages/charges/rules.billing-periods";
import { planCommitments } from "../packages/charges/rules.commitments";
import { pricingOfPhase } from "../packages/charges/rules.phases";
import { currenciesIn } from "../packages/charges/rules.price-list";
import { planTerm } from "../packages/charges/rules.term";
import type { OveragePricingModel, PackageCharges, Phases, PricingModel } from "../packages/charges/schema";
import { type StoredPhase, viewPhases } from "../packages/rules.phases";
import type { BillingModel } from "../packages/schema";
import { viewCommitments } from "../pricing/commitments/rules.spend-commitment";
import type { SpendCommitment } from "../pricing/models/spend-commitment";
import { requestedPeriod } from "../pricing/requested-period";
import { intervalOf, lengthOf } from "../pricing/rules.billing-period";
import { storedThresholds, viewThresholds } from "../pricing/rules.spend-thresholds";
import { type AgreedTerm, viewTerm } from "../pricing/rules.terms";
import type { BillingAnchor } from "../pricing/schema.billing-anchor";
import { canonicalLength, wireNumber } from "./rules.canonical-prices";
import { byText, stated } from "./rules.omit-empty";
import { blankRow, type PriceRow, type Reset, rowsOfCharges } from "./rules.price-rows";

/**
 * Returns the canonical form of a pricing: one pricing model for all rows that can share it, a fixed order, minimum spends in
 * `minimumSpend`, and no defaults.
 */
export function canonicalCharges(charges: PackageCharges): PackageCharges {
	const { overageBillingPeriod = null, prorationMode = null, billingAnchor = null, taxes = null } = charges;
	const spendThresholds = storedThresholds(charges.spendThresholds ?? []);
	const phases = charges.phases?.length ? charges.phases : null;
	const commitments = planCommitments(charges);
	const terms = { overageBillingPeriod, prorationMode, billingAnchor, spendThresholds, commitments, taxes, phases };
	return pricingOfRows({ ...charges, ...terms, term: planTerm(charges) }, rowsOfCharges(charges));
}

const modelOrder: readonly BillingModel[] = ["FLAT_FEE", "PER_UNIT", "USAGE_BASED", "CREDIT_BASED", "MINIMUM_SPEND"];

/** The terms that the charges of a version share. */
interface SharedTerms extends Pick<PackageCharges, "pricingType"> {
	readonly overageBillingPeriod: PackageCharges["overageBillingPeriod"] | null;
	readonly prorationMode: ProrationMode | null;
	readonly billingAnchor: BillingAnchor | null;
	readonly spendThresholds: readonly Money[] | null;
	readonly commitments: readonly SpendCommitment[] | null;
	readonly taxes: readonly string[] | null;
	readonly phases: Phases | null;
	readonly term: AgreedTerm | null;
}

/** Returns the canonical pricing that the rows of a version describe. */
export const chargesOfRows = (
	{ phases, ...shared }: Omit<SharedTerms, "phases"> & { readonly phases: readonly StoredPhase[] | null },
	rows: readonly PriceRow[],
): PackageCharges => pricingOfRows({ ...shared, phases: phases && viewPhases(phases) }, rows);

function pricingOfRows(
	{ pricingType, overageBillingPeriod, prorationMode, billingAnchor, taxes, phases, ...shared }: SharedTerms,
	rows: readonly PriceRow[],
): PackageCharges {
	const keyOf = periodKeys(rows);
	const groups = [...Map.groupBy(rows, modelKey).entries()]
		.sort(([one], [other]) => byText(one, other))
		.map(([, group]) => group.toSorted((one, other) => byText(keyOf(one), keyOf(other))));
	const own = groups.filter(([first]) => first && !first.isOverage);
	const overage = groups.filter(([first]) => first?.isOverage).map(overageModel);
	const minimums = own.filter(isMinimumSpend).flat();
	return stated<PackageCharges>({
		pricingType,
		billingId: null,
		pricingModels: unlessEmpty(own.filter((group) => !isMinimumSpend(group)).map(pricingModel)),
		minimumSpend: unlessEmpty(
			minimums.flatMap(({ period: { price, ...period } }) =>
				price ? stated<MinimumSpend>({ ...canonicalLength(period), minimum: price }) : [],
			),
		),
		overagePricingModels: unlessEmpty(overage),
		overageBillingPeriod: overage.length > 0 && overageBillingPeriod === "MONTHLY" ? "MONTHLY" : null,
		prorationMode,
		billingAnchor: billingAnchor && canonicalAnchor(billingAnchor),
		spendThresholds: unlessEmpty(viewThresholds(shared.spendThresholds ?? [])),
		commitments: unlessEmpty(viewCommitments(shared.commitments ?? [])),
		taxes: taxes ? [...taxes] : null,
		phases: phases?.map((phase) => canonicalPhase(phase, pricingType)),
		term: shared.term && viewTerm(shared.term),
	});
}

function canonicalPhase(
	{ id, displayName, duration, percentOff, charges }: Phases[number],
	pricingType: PackageCharges["pricingType"],
): Phases[number] {
	const { pricingType: _, ...priced } = charges ? canonicalCharges(pricingOfPhase(charges, pricingType)) : {};
	return stated<Phases[number]>({
		id,
		displayName,
		duration: intervalOf(requestedPeriod({ billingInterval: duration }, "charges.phases") ?? "MONTHLY"),
		percentOff: percentOff === undefined ? null : wireNumber(percentOff),
		charges: charges ? priced : null,
	});
}

/** A first period is prorated by default. */
const canonicalAnchor = ({ firstPeriod, ...anchor }: BillingAnchor): BillingAnchor => ({
	...anchor,
	...(firstPeriod !== undefined && firstPeriod !== "PRORATE" && { firstPeriod }),
});

type MinimumSpend = NonNullable<PackageCharges["minimumSpend"]>[number];

const unlessEmpty = <T>(list: T[]): T[] | null => (list.length > 0 ? list : null);

/** Returns the key that rows of one model share. It includes the tiers' bounds, because all periods of a model have the same. */
const modelKey = (row: PriceRow): string =>
	JSON.stringify([
		row.isOverage,
		modelOrder.indexOf(row.billingModel),
		row.billingCadence === "ONE_OFF",
		row.featureId ?? "",
		row.currencyId ?? "",
		row.topUpCustomCurrencyId ?? "",
		row.tiersMode,
		row.minUnitQuantity,
		row.maxUnitQuantity,
		row.resetPeriod,
		row.resetAnchor,
		row.prorationMode,
		row.refundsUnusedTime,
		...(row.paymentTime === null ? [] : [row.paymentTime]),
		...(row.eventInvoicing === null ? [] : [row.eventInvoicing]),
		...(row.key === null && !row.chargesFlatPriceUnused ? [] : [row.key, row.chargesFlatPriceUnused]),
		row.taxes,
		...(row.groupBy.length > 0 ? [row.groupBy] : []),
		...(row.usageMeasure === null ? [] : [row.usageMeasure]),
		row.period.tiers?.map(({ upTo }) => upTo ?? null) ?? null,
	]);

/** Returns the order of rows: shorter periods come first, then the first currency of a country, which stays the first one. */
function periodKeys(rows: readonly PriceRow[]): (row: PriceRow) => string {
	const first = new Map<string, string>();
	for (const { period } of rows) {
		const [currency] = currenciesIn(period);
		const country = period.billingCountryCode ?? "";
		if (currency !== undefined && !first.has(country)) first.set(country, currency);
	}
	return ({ period }) => {
		const country = period.billingCountryCode ?? "";
		const [currency = first.get(country)] = currenciesIn(period);
		const rank = currency === first.get(country) ? "" : ` ${currency}`;
		return `${String(lengthOf(periodIn("charges", period))).padStart(8, "0")}${country}${rank}`;
	};
}

/** Whether `minimumSpend` can express this minimum spend. One with prices for countries stays a pricing model. */
const isMinimumSpend = (group: readonly PriceRow[]): boolean =>
	group.every(
		({ billingModel, key, topUpCustomCurrencyId, resetPeriod, tiersMode, prorationMode, refundsUnusedTime, period }) =>
			billingModel === "MINIMUM_SPEND" &&
			key === null &&
			prorationMode === null &&
			refundsUnusedTime &&
			topUpCustomCurrencyId === null &&
			resetPeriod === null &&
			tiersMode === null &&
			period.billingCountryCode === undefined &&
			period.creditGrantCadence === undefined,
	);

function pricingModel(group: readonly PriceRow[]): PricingModel {
	const [row = { ...blankRow, billingModel: "FLAT_FEE" as const }] = group;
	return stated<PricingModel>({
		billingModel: row.billingModel,
		key: row.key,
		billingCadence: row.billingCadence === "ONE_OFF" ? "ONE_OFF" : null,
		featureId: row.featureId,
		topUpCustomCurrencyId: row.topUpCustomCurrencyId,
		minUnitQuantity: row.minUnitQuantity,
		maxUnitQuantity: row.maxUnitQuantity,
		tiersMode: row.tiersMode,
		chargesFlatPriceUnused: row.chargesFlatPriceUnused || null,
		usageMeasure: row.usageMeasure,
		groupBy: row.groupBy.length > 0 ? [...row.groupBy] : null,
		...unfoldReset(row),
		prorationMode: row.prorationMode,
		refundsUnusedTime: row.refundsUnusedTime ? null : false,
		paymentTime: row.paymentTime,
		eventInvoicing: row.eventInvoicing,
		taxes: row.taxes && [...row.taxes],
		pricePeriods: group.map(({ period }) => period),
	});
}

function overageModel(group: readonly PriceRow[]): OveragePricingModel {
	const [row = { ...blankRow, billingModel: "USAGE_BASED" as const }] = group;
	return stated<OveragePricingModel>({
		billingModel: row.billingModel,
		key: row.key,
		billingCadence: null,
		featureId: row.featureId,
		currencyId: row.currencyId,
		entitlement: null,
		creditEntitlement: null,
		taxes: row.taxes && [...row.taxes],
		pricePeriods: group.map(({ period }) => period),
	});
}

/** Returns the request fields of a reset. Omits the default anchor, SubscriptionStart. */
export function unfoldReset({ resetPeriod, resetAnchor }: Reset) {
	const stands = resetAnchor !== null && resetAnchor !== "SubscriptionStart";
	return {
		resetPeriod,
		// The only anchor of a year is the default.
		yearlyResetPeriodConfiguration: null,
		monthlyResetPeriodConfiguration:
			stands && resetPeriod === "MONTH" && resetAnchor === "StartOfTheMonth" ? { accordingTo: resetAnchor } : null,
		weeklyResetPeriodConfiguration:
			stands && resetPeriod === "WEEK" && resetAnchor !== "StartOfTheMonth" ? { accordingTo: resetAnchor } : null,
	};
}
