import { type Static, Type } from "@sinclair/typebox";
import { literals, Metadata, nullable } from "../../kernel/schema";
import { ResetPeriod } from "../packages/schema";
import { EntitlementExplanation } from "./schema.explanation";

/** docs/interface/entitlements.md. */
export const AccessDeniedReason = literals(
	"FeatureNotFound",
	"CustomerNotFound",
	"CustomerIsArchived",
	"CustomerResourceNotFound",
	"NoActiveSubscription",
	"NoFeatureEntitlementInSubscription",
	"RequestedUsageExceedingLimit",
	"RequestedValuesMismatch",
	"BudgetExceeded",
	"Unknown",
	"FeatureTypeMismatch",
	"Revoked",
	"InsufficientCredits",
	"EntitlementNotFound",
);
export type AccessDeniedReason = Static<typeof AccessDeniedReason>;

export const EntitlementFeatureInfo = Type.Object({
	id: Type.String(),
	displayName: Type.String(),
	featureStatus: literals("NEW", "SUSPENDED", "ACTIVE"),
	featureType: literals("BOOLEAN", "NUMBER", "ENUM"),
});

/** The credits that using a feature costs. */
export const EntitlementCreditRate = Type.Object(
	{
		/** For each unit, or for each started block. */
		amount: Type.Number(),
		/** The caller's id of the custom currency. */
		currencyId: Type.String(),
		/** If set, it prices each report or event instead of `amount`. */
		costFormula: nullable(Type.String()),
	},
	{ $id: "EntitlementCreditRate", additionalProperties: false },
);
export type EntitlementCreditRate = Static<typeof EntitlementCreditRate>;

/** A budget in the answer of a check with dimensions. `isGranted` speaks for this budget alone. */
export const GovernanceChainNode = Type.Object(
	{
		entityId: Type.String(),
		scopeEntityIds: Type.Array(Type.String()),
		usageLimit: nullable(Type.Number()),
		currentUsage: Type.Number(),
		/** An addition to the reference interface: the reserved amount, if any. */
		reservedUsage: Type.Optional(Type.Number()),
		isGranted: Type.Boolean(),
	},
	{ $id: "GovernanceChainNode", additionalProperties: false },
);
export type GovernanceChainNode = Static<typeof GovernanceChainNode>;

/** A chain for each entity with budgets to which the dimensions attribute the usage, from the entity up. */
const chains = Type.Optional(Type.Array(Type.Array(GovernanceChainNode)));

export const EffectiveFeatureEntitlement = Type.Object(
	{
		type: literals("FEATURE"),
		isGranted: Type.Boolean(),
		accessDeniedReason: nullable(AccessDeniedReason),
		feature: Type.Optional(EntitlementFeatureInfo),
		currentUsage: Type.Optional(Type.Number()),
		/** An addition to the reference interface: the reserved amount, if any. It counts against the limit. */
		reservedUsage: Type.Optional(Type.Number()),
		usageLimit: Type.Optional(nullable(Type.Number())),
		hasUnlimitedUsage: Type.Optional(Type.Boolean()),
		resetPeriod: Type.Optional(nullable(ResetPeriod)),
		/** Only for entitlements that reset. */
		usagePeriodAnchor: Type.Optional(Type.String()),
		usagePeriodStart: Type.Optional(Type.String()),
		usagePeriodEnd: Type.Optional(Type.String()),
		entitlementUpdatedAt: Type.Optional(Type.String()),
		validUntil: Type.Optional(Type.String()),
		/** Only where the subscription prices the feature in credits. */
		creditRate: Type.Optional(EntitlementCreditRate),
		/** Only with `dimensions`. */
		chains,
		/** An addition to the reference interface, only with `explain=true`. */
		explanation: Type.Optional(EntitlementExplanation),
	},
	{ $id: "EffectiveFeatureEntitlement", additionalProperties: false },
);
export type EffectiveFeatureEntitlement = Static<typeof EffectiveFeatureEntitlement>;

export const EffectiveCreditEntitlement = Type.Object(
	{
		type: literals("CREDIT"),
		isGranted: Type.Boolean(),
		accessDeniedReason: nullable(AccessDeniedReason),
		currency: Type.Object({
			currencyId: Type.String(),
			displayName: Type.String(),
			description: nullable(Type.String()),
			metadata: nullable(Metadata),
			unitSingular: nullable(Type.String()),
			unitPlural: nullable(Type.String()),
		}),
		currentUsage: Type.Number(),
		usageLimit: Type.Number(),
		usageUpdatedAt: Type.String(),
		entitlementUpdatedAt: Type.Optional(Type.String()),
		usagePeriodEnd: Type.Optional(Type.String()),
		validUntil: Type.Optional(Type.String()),
		/** Only with `dimensions`. */
		chains,
		/** An addition to the reference interface, only with `explain=true`. */
		explanation: Type.Optional(EntitlementExplanation),
	},
	{ $id: "EffectiveCreditEntitlement", additionalProperties: false },
);
export type EffectiveCreditEntitlement = Static<typeof EffectiveCreditEntitlement>;

export const EffectiveEntitlement = Type.Union([EffectiveFeatureEntitlement, EffectiveCreditEntitlement]);
export type EffectiveEntitlement = Static<typeof EffectiveEntitlement>;
