import { type Static, Type } from "@sinclair/typebox";
import { Metadata, nullable } from "../../kernel/schema";
import { AddonCreate, AddonUpdate } from "../addons/schema";
import { CouponCreate } from "../coupons/schema";
import { CurrencyCreate } from "../currencies/schema";
import { FeatureGroupCreate } from "../feature-groups/schema";
import { FeatureCreate, MeterInput } from "../features/schema";
import { OveragePricingModel, PackageCharges, PricingModel } from "../packages/charges/schema";
import { PackageEntitlementsCreate } from "../packages/entitlements/schema";
import { PlanCreate, PlanUpdate } from "../plans/schema";
import { PortalSettingsUpdate } from "../portal/schema";
import { ProductCreate, ProductUpdate } from "../products/schema";
import { TaxCreate } from "../taxes/schema";

/**
 * Our choice (docs/interface/catalogue.md#limits): catalogues in git are far smaller, so a larger file is treated as a
 * mistake.
 */
export const fileBytesMax = 8 * 1024 * 1024;

/**
 * Our choice (docs/interface/catalogue.md#limits), for each list of the document: a larger catalogue cannot be managed
 * as a file.
 */
export const entriesMax = 10_000;

/** The limit of one request for entitlements. */
const entitlementsMax = 200;

const closed = { additionalProperties: false } as const;

const product = ProductCreate.properties;
const CatalogueProduct = Type.Object(
	{
		id: product.id,
		displayName: product.displayName,
		description: product.description,
		metadata: product.metadata,
		multipleSubscriptions: product.multipleSubscriptions,
		productSettings: ProductUpdate.properties.productSettings,
		usageResetCutoffRule: ProductUpdate.properties.usageResetCutoffRule,
		/** The actions that customers may perform themselves; a missing action is allowed. */
		portalSettings: Type.Optional(PortalSettingsUpdate),
	},
	closed,
);
export type CatalogueProduct = Static<typeof CatalogueProduct>;

const feature = FeatureCreate.properties;
const CatalogueFeature = Type.Object(
	{
		id: feature.id,
		displayName: feature.displayName,
		description: feature.description,
		featureType: feature.featureType,
		meterType: feature.meterType,
		featureUnits: feature.featureUnits,
		featureUnitsPlural: feature.featureUnitsPlural,
		enumConfiguration: feature.enumConfiguration,
		unitTransformation: feature.unitTransformation,
		/** The calculation of the feature's usage from raw events. A meter can be replaced, not removed. */
		meter: Type.Optional(MeterInput),
		billedUsage: feature.billedUsage,
		metadata: feature.metadata,
	},
	closed,
);
export type CatalogueFeature = Static<typeof CatalogueFeature>;

const group = FeatureGroupCreate.properties;
const CatalogueFeatureGroup = Type.Object(
	{
		id: group.id,
		displayName: group.displayName,
		description: group.description,
		featureIds: group.featureIds,
		metadata: group.metadata,
	},
	closed,
);
export type CatalogueFeatureGroup = Static<typeof CatalogueFeatureGroup>;

const currency = CurrencyCreate.properties;
const CatalogueCurrency = Type.Object(
	{
		id: currency.id,
		displayName: currency.displayName,
		description: currency.description,
		symbol: currency.symbol,
		units: currency.units,
		metadata: currency.metadata,
	},
	closed,
);
export type CatalogueCurrency = Static<typeof CatalogueCurrency>;

const Entitlements = Type.Optional(
	Type.Array(PackageEntitlementsCreate.properties.entitlements.items, { maxItems: entitlementsMax }),
);

const addon = AddonCreate.properties;
const CatalogueAddon = Type.Object(
	{
		id: addon.id,
		productId: addon.productId,
		displayName: addon.displayName,
		description: addon.description,
		billingId: addon.billingId,
		maxQuantity: addon.maxQuantity,
		dependencies: AddonUpdate.properties.dependencies,
		metadata: addon.metadata,
		charges: PackageCharges,
		entitlements: Entitlements,
	},
	closed,
);
export type CatalogueAddon = Static<typeof CatalogueAddon>;

const plan = PlanCreate.properties;
const CataloguePlan = Type.Object(
	{
		id: plan.id,
		productId: plan.productId,
		displayName: plan.displayName,
		description: plan.description,
		billingId: plan.billingId,
		parentPlanId: plan.parentPlanId,
		compatibleAddonIds: PlanUpdate.properties.compatibleAddonIds,
		defaultTrialConfig: plan.defaultTrialConfig,
		metadata: plan.metadata,
		charges: PackageCharges,
		entitlements: Entitlements,
	},
	closed,
);
export type CataloguePlan = Static<typeof CataloguePlan>;

/** Customers and environments assign taxes too; a catalogue has only those of plans, addons and charges. */
const CatalogueTax = TaxCreate;
export type CatalogueTax = Static<typeof CatalogueTax>;

const coupon = CouponCreate.properties;
/** Like the wire's coupon, but null fields may be omitted. */
const CatalogueCoupon = Type.Object(
	{
		id: coupon.id,
		name: coupon.name,
		description: Type.Optional(coupon.description),
		percentOff: Type.Optional(coupon.percentOff),
		amountsOff: Type.Optional(coupon.amountsOff),
		durationInMonths: Type.Optional(coupon.durationInMonths),
		appliesTo: coupon.appliesTo,
		frequency: coupon.frequency,
		durationInPeriods: coupon.durationInPeriods,
		freeUnits: coupon.freeUnits,
		metadata: Type.Optional(nullable(Metadata)),
	},
	closed,
);
export type CatalogueCoupon = Static<typeof CatalogueCoupon>;

const listOfAtMost = { maxItems: entriesMax } as const;

/** A price list as one document. A missing field of an entry has its default; a missing list means no change. */
export const Catalogue = Type.Object(
	{
		$schema: Type.Optional(Type.String({ maxLength: 2048, description: "For editors; it has no meaning here" })),
		version: Type.Literal(1, { description: "The version of this format" }),
		products: Type.Optional(Type.Array(CatalogueProduct, listOfAtMost)),
		currencies: Type.Optional(Type.Array(CatalogueCurrency, listOfAtMost)),
		taxes: Type.Optional(Type.Array(CatalogueTax, listOfAtMost)),
		features: Type.Optional(Type.Array(CatalogueFeature, listOfAtMost)),
		featureGroups: Type.Optional(Type.Array(CatalogueFeatureGroup, listOfAtMost)),
		addons: Type.Optional(Type.Array(CatalogueAddon, listOfAtMost)),
		plans: Type.Optional(Type.Array(CataloguePlan, listOfAtMost)),
		coupons: Type.Optional(Type.Array(CatalogueCoupon, listOfAtMost)),
	},
	{ ...closed, title: "Tollgate catalogue", description: "A price list: `tollgate catalog export|plan|apply`" },
);
export type Catalogue = Static<typeof Catalogue>;

/** The lists of a catalogue in the order of the file: referenced entries come before the entries that refer to them. */
export const catalogueLists = [
	"products",
	"currencies",
	"taxes",
	"features",
	"featureGroups",
	"addons",
	"plans",
	"coupons",
] as const;
export type CatalogueList = (typeof catalogueLists)[number];

/** The schemas that the published one describes once: prices of plans, addons and phases. */
const shared = { pricingModel: PricingModel, overagePricingModel: OveragePricingModel };

/**
 * Returns the published JSON Schema (docs/catalogue.schema.json), for editors and programs that write such files. Omits patterns
 * where the values are enumerated.
 */
export const catalogueJsonSchema = (): unknown =>
	JSON.parse(
		JSON.stringify(
			{ $schema: "http://json-schema.org/draft-07/schema#", ...Catalogue, definitions: { ...shared } },
			(name, value) => {
				const of = Object.entries(shared).find(([, schema]) => schema === value)?.[0];
				if (of !== undefined && name !== of) return { $ref: `#/definitions/${of}` };
				// `expects` is the text of our own error messages, not a keyword of JSON Schema. `$id` is a name in the OpenAPI document.
				if ((name === "expects" || name === "$id") && typeof value === "string") return undefined;
				if (name === "format" && value === "instant") return "date-time";
				return value?.enum && value.pattern ? { ...value, pattern: undefined } : value;
			},
		),
	);
