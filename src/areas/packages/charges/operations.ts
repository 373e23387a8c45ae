import { type Decimal, toDecimal } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Money } from "../../../kernel/money";
import type { Work } from "../../../kernel/work";
import { defaultCurrencyOf } from "../../access/operations";
import { currenciesByRefs } from "../../currencies/operations";
import { featuresByRefs, markFeaturesUsed } from "../../features/operations";
import { assertFeatureUsable } from "../../features/rules";
import type { FeatureRow } from "../../features/table";
import { assertCommitment, commitmentOf, withinPeriod } from "../../pricing/commitments/rules.commitment";
import { storedThresholds } from "../../pricing/rules.spend-thresholds";
import { assertTaxes } from "../../taxes/operations";
import { chargesOf, getVersionById } from "../operations";
import { type TermsInput, updateDraft } from "../operations.drafts";
import { resetOf } from "../rules";
import { minimumPath, modelPath, periodPath, pricingAt } from "../rules.field-paths";
import { pricesOfPhases, storedPhases } from "../rules.phases";
import type { PackageKind } from "../schema";
import { saveVersion } from "../store";
import type { VersionRow } from "../table";
import { assertMetered } from "./operations.metering";
import { limitedCurrency, limitedFeature } from "./operations.overage";
import { assertCharges, assertPricedFeature } from "./rules";
import { chargeIntervalIn, periodIn } from "./rules.billing-periods";
import { planCommitments } from "./rules.commitments";
import { eventInvoicingOf, isFeeInArrears } from "./rules.payment-time";
import { assertPhasesSold, pricingOfPhase } from "./rules.phases";
import { withCurrencies } from "./rules.price-list";
import { priceTermsOf } from "./rules.price-terms";
import { segmentsOf } from "./rules.segments";
import { planTerm } from "./rules.term";
import { countsDays } from "./rules.usage-measure";
import type { OveragePricingModel, PackageCharges, PriceInput, PricePeriod, PricingModel } from "./schema";
import { type NewCharge, replaceCharges } from "./store";

/**
 * Updates the sent fields of the draft of a plan or an addon. If `charges` is sent, it replaces the whole pricing. Throws the
 * errors of the charge rules, then PlanNotFound or AddonNotFound, then the errors of the draft's state.
 */
export function updatePackage(
	work: Work,
	kind: PackageKind,
	refId: string,
	terms: TermsInput,
	asked: PackageCharges | undefined,
): VersionRow {
	const charges = asked && withCurrencies(asked, defaultCurrencyOf(work));
	if (charges) assertCharges(kind, charges);
	const draft = updateDraft(work, kind, refId, terms);
	if (!charges) return draft;
	setCharges(work, draft, charges);
	return getVersionById(work, draft.id);
}

/** Throws FeatureNotFound, CustomCurrencyNotFound, and the errors for features that the billing model cannot price. */
function setCharges(work: Work, draft: VersionRow, charges: PackageCharges): void {
	const held = [draft, ...chargesOf(work, draft.id), ...pricesOfPhases(draft.phases)];
	const heldTaxes = held.flatMap(({ taxes }) => taxes ?? []);
	const rows = pricesOf(work, draft, charges, heldTaxes);
	const phases = storedPhases(charges.phases ?? [], "charges.phases", (asked, place) => ({
		requested: asked,
		prices: pricingAt(`${place}.charges`, () =>
			pricesOf(work, draft, pricingOfPhase(asked, charges.pricingType), heldTaxes),
		),
	}));
	assertPhasesSold(phases, rows);
	if (charges.pricingType === "CUSTOM" && rows.some(({ priceTerms }) => priceTerms?.commitment))
		throw fail(
			"UnsupportedParameter",
			"charges: a contract bills a CUSTOM package and has no commitments by window; leave 'commitment' out.",
		);
	const hasOverage = [...rows, ...pricesOfPhases(phases)].some(({ isOverage }) => isOverage);
	replaceCharges(work, draft.id, rows);
	markFeaturesUsed(
		work,
		[...rows, ...pricesOfPhases(phases)].flatMap(({ featureId }) => featureId ?? []),
	);
	saveVersion(work, draft.id, {
		pricingType: charges.pricingType,
		// Our choice (docs/interface/catalogue.md#prices): by default overage is billed at the renewal, so that the
		// customer gets one invoice for both.
		overageBillingPeriod: hasOverage ? (charges.overageBillingPeriod ?? "ON_SUBSCRIPTION_RENEWAL") : null,
		prorationMode: charges.prorationMode ?? null,
		taxes: charges.taxes ?? null,
		billingAnchor: charges.billingAnchor ?? null,
		phases: phases.length > 0 ? phases : null,
		term: planTerm(charges),
		commitments: planCommitments(charges),
		spendThresholds: charges.spendThresholds?.length ? storedThresholds(charges.spendThresholds) : null,
		...(charges.billingId !== undefined && { billingId: charges.billingId }),
	});
}

/** Returns the prices of a pricing of a version. `held` are taxes that it may repeat, even if they are archived. The errors of `setCharges`. */
export function pricesOf(
	work: Work,
	version: VersionRow,
	charges: PackageCharges,
	held: readonly string[],
): NewCharge[] {
	assertTaxesOf(work, charges, held);
	const named = lookUp(work, charges);
	const { pricingModels = [], overagePricingModels = [], minimumSpend } = charges;
	return [
		...pricingModels.flatMap((model, at) => modelRows(work, modelPath("pricingModels", at), model, named)),
		...(minimumSpend ?? []).map(({ minimum, ...period }, at) => ({
			...blank,
			billingModel: "MINIMUM_SPEND" as const,
			billingPeriod: periodIn(minimumPath(at), period),
			price: amountOf(minimum),
		})),
		...overagePricingModels.flatMap((model, at) =>
			overageRows(work, version, modelPath("overagePricingModels", at), model, named),
		),
	];
}

/** A draft may repeat archived taxes that it has already. Throws the errors of `assertTaxes`. */
function assertTaxesOf(
	work: Work,
	{ taxes, pricingModels = [], overagePricingModels = [] }: PackageCharges,
	held: readonly string[],
): void {
	assertTaxes(work, "charges.taxes", taxes, held);
	for (const [at, model] of pricingModels.entries())
		assertTaxes(work, `${modelPath("pricingModels", at)}.taxes`, model.taxes, held);
	for (const [at, model] of overagePricingModels.entries())
		assertTaxes(work, `${modelPath("overagePricingModels", at)}.taxes`, model.taxes, held);
}

function lookUp(work: Work, { pricingModels = [], overagePricingModels = [] }: PackageCharges) {
	const featureRefs = [
		...pricingModels.map(({ featureId }) => featureId),
		...overagePricingModels.map((model) => model.featureId ?? model.entitlement?.featureId),
	];
	const currencyRefs = pricingModels.flatMap((model) => [
		model.topUpCustomCurrencyId,
		...model.pricePeriods.map(({ creditRate }) => creditRate?.currencyId),
	]);
	const given = (refs: readonly (string | undefined)[]): string[] => [
		...new Set(refs.filter((ref) => ref !== undefined)),
	];
	return {
		features: featuresByRefs(work, given(featureRefs)),
		currencies: currenciesByRefs(work, given(currencyRefs)),
	};
}

type Named = ReturnType<typeof lookUp>;

const blank = {
	isOverage: false,
	billingCadence: "RECURRING",
	billingCountryCode: null,
	featureId: null,
	overageCurrencyId: null,
	topUpCurrencyId: null,
	price: null,
	tiersMode: null,
	tiers: null,
	blockSize: null,
	minUnitQuantity: null,
	maxUnitQuantity: null,
	creditAmount: null,
	creditCurrencyId: null,
	creditCostFormula: null,
	creditGrantCadence: null,
	resetPeriod: null,
	resetAnchor: null,
	prorationMode: null,
	refundsUnusedTime: true,
	paymentTime: null,
	key: null,
	priceTerms: null,
	taxes: null,
} as const satisfies Partial<NewCharge>;

function amountOf({ amount, currency }: PriceInput): Money {
	assert(currency, "the currency of every price was written out");
	return { amount: toDecimal(amount), currency };
}

/** Returns null for a block size of zero: the price then applies to single units. */
const blockOf = (size: number | undefined): Decimal | null => (size ? toDecimal(size) : null);

const unitPriceRow = ({ price, tiers, blockSize }: Pick<PricePeriod, "price" | "tiers" | "blockSize">) => ({
	price: price ? amountOf(price) : null,
	tiers:
		tiers?.map(({ upTo, unitPrice, flatPrice }) => ({
			upTo: upTo === undefined || upTo === null ? null : toDecimal(upTo),
			unitPrice: unitPrice ? amountOf(unitPrice) : null,
			flatPrice: flatPrice ? amountOf(flatPrice) : null,
		})) ?? null,
	blockSize: blockOf(blockSize),
});

const periodRow = (where: string, period: PricePeriod) => ({
	billingPeriod: periodIn("charges", period),
	billingCountryCode: period.billingCountryCode ?? null,
	...unitPriceRow(period),
	creditAmount: period.creditRate ? toDecimal(period.creditRate.amount) : null,
	creditCostFormula: period.creditRate?.costFormula ?? null,
	creditGrantCadence: period.creditGrantCadence ?? null,
	priceTerms: priceTermsOf({
		...period,
		commitment: committedIn(where, period),
		chargeInterval: chargeIntervalIn(where, period),
	}),
});

const committedIn = (where: string, { commitment, ...period }: PricePeriod) =>
	commitment &&
	withinPeriod(
		commitmentOf(commitment, `${where}.commitment`),
		chargeIntervalIn(where, period) ?? periodIn(where, period),
	);

function modelRows(work: Work, where: string, model: PricingModel, { features, currencies }: Named): NewCharge[] {
	const feature = model.featureId === undefined ? undefined : features.get(model.featureId);
	if (feature) {
		assertFeatureUsable(feature);
		assertPricedFeature(where, model.billingModel, feature);
		assertMetered(work, where, feature, model);
	}
	const reset = resetOf(model);
	return model.pricePeriods.map((period, at) =>
		withCommitment(periodPath(where, at), feature, {
			...blank,
			...periodRow(periodPath(where, at), period),
			...reset,
			billingModel: model.billingModel,
			billingCadence: model.billingCadence ?? "RECURRING",
			featureId: feature?.id ?? null,
			topUpCurrencyId: currencies.get(model.topUpCustomCurrencyId ?? "")?.id ?? null,
			creditCurrencyId: currencies.get(period.creditRate?.currencyId ?? "")?.id ?? null,
			taxes: model.taxes ?? null,
			tiersMode: model.tiersMode ?? null,
			minUnitQuantity: model.minUnitQuantity ?? null,
			maxUnitQuantity: model.maxUnitQuantity ?? null,
			prorationMode: model.billingModel === "USAGE_BASED" ? null : (model.prorationMode ?? null),
			refundsUnusedTime: model.refundsUnusedTime ?? true,
			paymentTime: isFeeInArrears(model) ? ("IN_ARREARS" as const) : null,
			key: model.key ?? null,
			priceTerms: priceTermsOf({
				...period,
				chargeInterval: chargeIntervalIn(where, period),
				commitment: committedIn(periodPath(where, at), period),
				chargesFlatPriceUnused: model.chargesFlatPriceUnused,
				usageMeasure: model.usageMeasure,
				countsDays: countsDays(model),
				eventInvoicing: eventInvoicingOf(model),
				segments: segmentsOf(model, period.variants ?? [], unitPriceRow),
			}),
		}),
	);
}

/** Throws the errors of `assertCommitment`, and UnsupportedFeatureType for a level, which no window adds up. */
function withCommitment(where: string, feature: FeatureRow | undefined, row: NewCharge): NewCharge {
	assertCommitment(where, row);
	if (row.priceTerms?.commitment && feature?.meterType === "FLUCTUATING")
		throw fail(
			"UnsupportedFeatureType",
			`${where}.commitment: adds up the usage of a window, and '${feature.refId}' is FLUCTUATING, a level; use an INCREMENTAL feature.`,
		);
	return row;
}

function overageRows(
	work: Work,
	draft: VersionRow,
	where: string,
	model: OveragePricingModel,
	named: Named,
): NewCharge[] {
	const target =
		model.currencyId === undefined
			? { featureId: limitedFeature(work, draft, where, model, named.features) }
			: { overageCurrencyId: limitedCurrency(work, draft, where, model.currencyId, model) };
	return model.pricePeriods.map((period, at) =>
		withCommitment(periodPath(where, at), undefined, {
			...blank,
			...periodRow(periodPath(where, at), period),
			...target,
			isOverage: true,
			billingModel: model.billingModel,
			key: model.key ?? null,
			taxes: model.taxes ?? null,
		}),
	);
}
