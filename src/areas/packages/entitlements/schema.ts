import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { DisplayName, literals, nullable, RefId } from "../../../kernel/schema";
import {
	CreditCadence,
	EntitlementBehavior,
	ResetPeriod,
	ResetPeriodConfiguration,
	resetConfigurations,
	WidgetType,
} from "../schema";

/** Our choice (docs/interface/catalogue.md#limits). The interface defines only the minimum, one. */
const entitlementsPerRequestMax = 200;

/** Our choice (docs/interface/catalogue.md#limits): limits and credits stay in the range where a JSON number is exact. */
const Quantity = ExactNumber({ minimum: 0, maximum: 1e15 });

const display = {
	description: Type.Optional(Type.String({ maxLength: 4096 })),
	displayNameOverride: Type.Optional(DisplayName),
	hiddenFromWidgets: Type.Optional(Type.Array(WidgetType, { uniqueItems: true })),
	isCustom: Type.Optional(Type.Boolean()),
	isGranted: Type.Optional(Type.Boolean()),
	order: Type.Optional(Type.Number()),
	behavior: Type.Optional(EntitlementBehavior),
	hasSoftLimit: Type.Optional(Type.Boolean()),
};

const featureTerms = {
	usageLimit: Type.Optional(nullable(Quantity)),
	hasUnlimitedUsage: Type.Optional(Type.Boolean()),
	enumValues: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 200, uniqueItems: true })),
	resetPeriod: Type.Optional(ResetPeriod),
	...resetConfigurations,
};

const FeatureEntitlementCreate = Type.Object(
	{ type: literals("FEATURE"), id: RefId, ...display, ...featureTerms },
	{ additionalProperties: false },
);

const CreditEntitlementCreate = Type.Object(
	{
		type: literals("CREDIT"),
		id: RefId,
		...display,
		amount: nullable(Quantity),
		cadence: CreditCadence,
		dependencyFeatureId: Type.Optional(RefId),
	},
	{ additionalProperties: false },
);

/** Endpoint 3: `type` distinguishes a feature entitlement from a credit entitlement. */
export const PackageEntitlementsCreate = Type.Object(
	{
		entitlements: Type.Array(Type.Union([FeatureEntitlementCreate, CreditEntitlementCreate]), {
			minItems: 1,
			maxItems: entitlementsPerRequestMax,
		}),
	},
	{ additionalProperties: false },
);
export type PackageEntitlementsCreate = Static<typeof PackageEntitlementsCreate>;

export const FeatureEntitlementUpdate = Type.Object(
	{ type: literals("FEATURE"), ...display, ...featureTerms },
	{ additionalProperties: false },
);
export type FeatureEntitlementUpdate = Static<typeof FeatureEntitlementUpdate>;

export const CreditEntitlementUpdate = Type.Object(
	{
		type: literals("CREDIT"),
		...display,
		amount: Type.Optional(Quantity),
		cadence: Type.Optional(CreditCadence),
		dependencyFeatureId: Type.Optional(nullable(RefId)),
	},
	{ additionalProperties: false },
);
export type CreditEntitlementUpdate = Static<typeof CreditEntitlementUpdate>;

export const PackageEntitlementUpdate = Type.Union([FeatureEntitlementUpdate, CreditEntitlementUpdate]);
export type PackageEntitlementUpdate = Static<typeof PackageEntitlementUpdate>;

const shown = {
	id: Type.String({ description: "The feature's or the currency's id" }),
	description: nullable(Type.String()),
	displayNameOverride: nullable(Type.String()),
	isGranted: Type.Boolean(),
	isCustom: nullable(Type.Boolean()),
	order: nullable(Type.Number()),
	hiddenFromWidgets: Type.Array(WidgetType),
	behavior: EntitlementBehavior,
	hasSoftLimit: nullable(Type.Boolean()),
	createdAt: Type.String(),
	updatedAt: Type.String(),
};

const PackageFeatureEntitlement = Type.Object({
	type: literals("FEATURE"),
	...shown,
	usageLimit: nullable(Type.Number()),
	hasUnlimitedUsage: nullable(Type.Boolean()),
	enumValues: nullable(Type.Array(Type.String())),
	resetPeriod: nullable(ResetPeriod),
	resetPeriodConfiguration: nullable(ResetPeriodConfiguration),
});

const PackageCreditEntitlement = Type.Object({
	type: literals("CREDIT"),
	...shown,
	amount: nullable(Type.Number()),
	cadence: nullable(CreditCadence),
	dependencyFeatureId: Type.Optional(nullable(Type.String())),
});

export const PackageEntitlement = Type.Union([PackageFeatureEntitlement, PackageCreditEntitlement]);
export type PackageEntitlement = Static<typeof PackageEntitlement>;

/** Two versions are compared by the terms and the display of an entitlement, without its timestamps. */
const timestamps = ["createdAt", "updatedAt"] as const;
export const PackageEntitlementTerms = Type.Union([
	Type.Omit(PackageFeatureEntitlement, timestamps),
	Type.Omit(PackageCreditEntitlement, timestamps),
]);
export type PackageEntitlementTerms = Static<typeof PackageEntitlementTerms>;
