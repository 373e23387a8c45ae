import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../kernel/number-schema";
import { createdAtQuery, pageQuery } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { CustomerRefId, literals, nullable, RefId, Timestamp } from "../../kernel/schema";
import { ResetPeriod, ResetPeriodConfiguration, resetConfigurations } from "../packages/schema";

export const PromotionalPeriod = literals("1 week", "1 month", "6 month", "1 year", "lifetime", "custom");
export type PromotionalPeriod = Static<typeof PromotionalPeriod>;

const statuses = ["Active", "Expired", "Paused"] as const;
export const PromotionalStatus = literals(...statuses);
export type PromotionalStatus = Static<typeof PromotionalStatus>;

/** Negative limits are allowed, and grant nothing. They are limited to the range in which JSON numbers are exact. */
const UsageLimit = ExactNumber({ minimum: -1e15, maximum: 1e15 });

const closed = { additionalProperties: false };

/** All twelve keys are required, ten of them nullable (docs/interface/customers.md). */
export const PromotionalGrant = Type.Object(
	{
		featureId: RefId,
		period: PromotionalPeriod,
		customEndDate: nullable(Timestamp),
		usageLimit: nullable(UsageLimit),
		hasUnlimitedUsage: nullable(Type.Boolean()),
		hasSoftLimit: nullable(Type.Boolean()),
		isVisible: nullable(Type.Boolean()),
		enumValues: nullable(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 200, uniqueItems: true })),
		resetPeriod: nullable(ResetPeriod),
		...Type.Required(Type.Object(resetConfigurations)).properties,
	},
	closed,
);
export type PromotionalGrant = Static<typeof PromotionalGrant>;

/** The limit of one request, the same as for a plan. */
const grantsPerRequestMax = 200;

export const PromotionalGrants = Type.Object(
	{ promotionalEntitlements: Type.Array(PromotionalGrant, { minItems: 1, maxItems: grantsPerRequestMax }) },
	closed,
);
export type PromotionalGrants = Static<typeof PromotionalGrants>;

/** The path of a customer's feature group. */
export const PromotionalGroupPath = Type.Object({ id: CustomerRefId, featureGroupId: RefId });

export const PromotionalEntitlementListQuery = Type.Object(
	{ ...pageQuery, ...createdAtQuery, status: Type.Optional(queryList(...statuses)) },
	closed,
);
export type PromotionalEntitlementListQuery = Static<typeof PromotionalEntitlementListQuery>;

export const PromotionalEntitlementsPath = Type.Object({ id: CustomerRefId });
export const PromotionalEntitlementPath = Type.Object({ id: CustomerRefId, featureId: RefId });

export const PromotionalEntitlement = Type.Object(
	{
		id: Type.String(),
		environmentId: Type.String(),
		featureId: Type.String({ description: "The caller's id" }),
		description: nullable(Type.String({ description: "Nothing sets one: always null" })),
		featureGroupIds: nullable(
			Type.Array(Type.String(), {
				description: "Of the feature groups by which it was given; null where it was given alone",
			}),
		),
		status: PromotionalStatus,
		period: PromotionalPeriod,
		startDate: Type.String(),
		endDate: nullable(Type.String()),
		usageLimit: nullable(Type.Number()),
		hasUnlimitedUsage: nullable(Type.Boolean()),
		hasSoftLimit: nullable(Type.Boolean()),
		enumValues: nullable(Type.Array(Type.String())),
		isVisible: Type.Boolean(),
		resetPeriod: nullable(ResetPeriod),
		resetPeriodConfiguration: nullable(ResetPeriodConfiguration),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "PromotionalEntitlement" },
);
export type PromotionalEntitlement = Static<typeof PromotionalEntitlement>;
