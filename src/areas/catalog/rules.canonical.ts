import { Value } from "@sinclair/typebox/value";
import type { CouponScope } from "../coupons/schema";
import type { MeterAggregation, MeterInput, UnitTransformationInput } from "../features/schema";
import { withCurrencies } from "../packages/charges/rules.price-list";
import type { DefaultTrialConfig } from "../plans/schema";
import { portalPermissions } from "../portal/rules";
import type { PortalSettingsUpdate } from "../portal/schema";
import { defaultSettings, defaultUsageReset } from "../products/rules";
import type { ProductSettings } from "../products/schema";
import { canonicalCharges } from "./rules.charges";
import { canonicalEntitlements } from "./rules.entitlements";
import { byText, metadataOrNull, stated, textOrNull } from "./rules.omit-empty";
import type {
	Catalogue,
	CatalogueAddon,
	CatalogueCoupon,
	CatalogueCurrency,
	CatalogueFeature,
	CatalogueFeatureGroup,
	CataloguePlan,
	CatalogueProduct,
	CatalogueTax,
} from "./schema";

/**
 * Returns the canonical form of a catalogue: lists sorted by id, keys in a fixed order, defaults omitted. Catalogues with the same
 * meaning have the same form, byte for byte when printed. Throws the errors of reset configurations.
 */
export const canonical = (catalogue: Catalogue): Catalogue =>
	stated<Catalogue>({
		$schema: null,
		version: 1,
		products: listOf(catalogue.products, product),
		currencies: listOf(catalogue.currencies, currency),
		taxes: listOf(catalogue.taxes, tax),
		features: listOf(catalogue.features, feature),
		featureGroups: listOf(catalogue.featureGroups, featureGroup),
		addons: listOf(catalogue.addons, addon),
		plans: listOf(catalogue.plans, plan),
		coupons: listOf(catalogue.coupons, coupon),
	});

/** Returns the catalogue with an explicit currency for every price. `fallback` is the environment's currency. */
export function inCurrencies(catalogue: Catalogue, fallback: string): Catalogue {
	const priced = <Entry extends CatalogueAddon | CataloguePlan>(entry: Entry): Entry => ({
		...entry,
		charges: withCurrencies(entry.charges, fallback),
	});
	const { plans, addons } = catalogue;
	return { ...catalogue, ...(plans && { plans: plans.map(priced) }), ...(addons && { addons: addons.map(priced) }) };
}

function listOf<Entry extends { readonly id: string }>(
	entries: readonly Entry[] | undefined,
	write: (entry: Entry, at: number) => Entry,
): Entry[] | null {
	if (!entries || entries.length === 0) return null;
	return entries.map(write).sort((one, other) => byText(one.id, other.id));
}

const sorted = (refs: readonly string[] | null | undefined): string[] | null | undefined => refs?.toSorted(byText);

const featureGroup = (entry: CatalogueFeatureGroup): CatalogueFeatureGroup =>
	stated<CatalogueFeatureGroup>({
		id: entry.id,
		displayName: entry.displayName,
		description: textOrNull(entry.description),
		featureIds: entry.featureIds,
		metadata: metadataOrNull(entry.metadata),
	});

const product = (entry: CatalogueProduct): CatalogueProduct =>
	stated<CatalogueProduct>({
		id: entry.id,
		displayName: entry.displayName,
		description: textOrNull(entry.description),
		multipleSubscriptions: entry.multipleSubscriptions || null,
		productSettings: entry.productSettings && settings(entry.productSettings),
		usageResetCutoffRule:
			entry.usageResetCutoffRule?.behavior === defaultUsageReset ? null : entry.usageResetCutoffRule,
		portalSettings: entry.portalSettings && forbidden(entry.portalSettings),
		metadata: metadataOrNull(entry.metadata),
	});

/** Returns only the forbidden actions, because the default is allowed. */
function forbidden(settings: PortalSettingsUpdate): PortalSettingsUpdate | null {
	const names = portalPermissions.filter((name) => settings[name] === false);
	return names.length > 0 ? Object.fromEntries(names.map((name) => [name, false])) : null;
}

const writtenSettings = (entry: ProductSettings): ProductSettings =>
	stated<ProductSettings>({
		subscriptionStartSetup: entry.subscriptionStartSetup,
		subscriptionStartPlanId: entry.subscriptionStartPlanId,
		subscriptionEndSetup: entry.subscriptionEndSetup,
		downgradePlanId: entry.downgradePlanId,
		subscriptionCancellationTime: entry.subscriptionCancellationTime,
		prorateAtEndOfBillingPeriod: entry.prorateAtEndOfBillingPeriod,
	});

function settings(entry: ProductSettings): ProductSettings | null {
	const written = writtenSettings(entry);
	return Value.Equal(written, writtenSettings(defaultSettings)) ? null : written;
}

const currency = (entry: CatalogueCurrency): CatalogueCurrency =>
	stated<CatalogueCurrency>({
		id: entry.id,
		displayName: entry.displayName,
		description: textOrNull(entry.description),
		symbol: textOrNull(entry.symbol),
		units: entry.units && { singular: entry.units.singular, plural: entry.units.plural },
		metadata: metadataOrNull(entry.metadata),
	});

const tax = (entry: CatalogueTax): CatalogueTax =>
	stated<CatalogueTax>({
		id: entry.id,
		displayName: entry.displayName,
		percentage: entry.percentage,
		isInclusive: entry.isInclusive || null,
		country: entry.country,
		code: entry.code,
	});

const feature = (entry: CatalogueFeature): CatalogueFeature =>
	stated<CatalogueFeature>({
		id: entry.id,
		displayName: entry.displayName,
		description: textOrNull(entry.description),
		featureType: entry.featureType,
		meterType: entry.meterType === "None" ? null : entry.meterType,
		featureUnits: entry.featureUnits,
		featureUnitsPlural: entry.featureUnitsPlural,
		// Keeps the order of values, because it is the order of display.
		enumConfiguration: entry.enumConfiguration?.length
			? entry.enumConfiguration.map(({ value, displayName }) => ({ value, displayName }))
			: null,
		unitTransformation: entry.unitTransformation && unitTransformation(entry.unitTransformation),
		meter: entry.meter && meter(entry.meter),
		billedUsage: entry.billedUsage === "TIME_WEIGHTED_AVERAGE" ? entry.billedUsage : null,
		metadata: metadataOrNull(entry.metadata),
	});

const unitTransformation = (entry: UnitTransformationInput): UnitTransformationInput =>
	stated<UnitTransformationInput>({
		divide: entry.divide,
		round: entry.round === "DOWN" ? "DOWN" : null,
		featureUnits: entry.featureUnits,
		featureUnitsPlural: entry.featureUnitsPlural,
	});

/** Keeps the order of groups and conditions, because another order is another meter and recounts everything. */
function meter({ aggregation, filters }: MeterInput): MeterInput {
	const { function: name, field, percentile } = aggregation;
	return {
		// COUNT has no field, so a given field has no meaning.
		aggregation: stated<MeterAggregation>({ function: name, field: name === "COUNT" ? null : field, percentile }),
		filters: filters.map(({ conditions }) => ({
			conditions: conditions.map(({ field, operation, value, values }) =>
				stated<(typeof conditions)[number]>({ field, operation, value, values }),
			),
		})),
	};
}

const addon = (entry: CatalogueAddon): CatalogueAddon =>
	stated<CatalogueAddon>({
		id: entry.id,
		productId: entry.productId,
		displayName: entry.displayName,
		description: textOrNull(entry.description),
		maxQuantity: entry.maxQuantity,
		dependencies: entry.dependencies?.length ? sorted(entry.dependencies) : null,
		...sold(entry),
	});

const plan = (entry: CataloguePlan): CataloguePlan =>
	stated<CataloguePlan>({
		id: entry.id,
		productId: entry.productId,
		displayName: entry.displayName,
		description: textOrNull(entry.description),
		parentPlanId: entry.parentPlanId,
		// A missing list differs from an empty one: without a list, all addons of the product are compatible.
		compatibleAddonIds: sorted(entry.compatibleAddonIds),
		defaultTrialConfig: entry.defaultTrialConfig && trial(entry.defaultTrialConfig),
		...sold(entry),
	});

/** Returns the fields that plans and addons share. The billing id in `charges` is the package's own. */
function sold(entry: CatalogueAddon | CataloguePlan) {
	const entitlements = canonicalEntitlements(entry.entitlements ?? [], entry.charges);
	return {
		billingId: textOrNull(entry.charges.billingId) ?? textOrNull(entry.billingId),
		metadata: metadataOrNull(entry.metadata),
		charges: canonicalCharges(entry.charges),
		entitlements: entitlements.length > 0 ? entitlements : null,
	};
}

const trial = ({ duration, units, budget, trialEndBehavior, billsUsage }: DefaultTrialConfig): DefaultTrialConfig =>
	stated<DefaultTrialConfig>({
		duration,
		units,
		budget: budget && { limit: budget.limit, hasSoftLimit: budget.hasSoftLimit },
		trialEndBehavior,
		billsUsage: billsUsage === true ? true : undefined,
	});

const coupon = (entry: CatalogueCoupon): CatalogueCoupon =>
	stated<CatalogueCoupon>({
		id: entry.id,
		name: entry.name,
		description: textOrNull(entry.description),
		percentOff: entry.percentOff,
		amountsOff: entry.amountsOff
			?.map(({ amount, currency }) => ({ amount, currency }))
			.sort((one, other) => byText(one.currency, other.currency)),
		durationInMonths: entry.durationInMonths,
		appliesTo: entry.appliesTo && scope(entry.appliesTo),
		frequency: entry.frequency === "EACH_PERIOD" ? undefined : entry.frequency,
		durationInPeriods: entry.durationInPeriods,
		freeUnits: entry.freeUnits
			?.map(({ featureId, quantity }) => ({ featureId, quantity }))
			.sort((one, other) => byText(one.featureId, other.featureId)),
		metadata: metadataOrNull(entry.metadata),
	});

const scope = ({ planIds, addonIds, featureIds, chargeKeys }: CouponScope): CouponScope =>
	stated<CouponScope>({
		planIds: sorted(planIds),
		addonIds: sorted(addonIds),
		featureIds: sorted(featureIds),
		chargeKeys: sorted(chargeKeys),
	});
