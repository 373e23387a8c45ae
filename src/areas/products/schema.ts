import { type Static, Type } from "@sinclair/typebox";
import { createdAtQuery, pageQuery } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { Description, DisplayName, literals, Metadata, nullable, RefId } from "../../kernel/schema";
import { SearchText } from "../../kernel/search";

export const ProductStatus = literals("PUBLISHED", "ARCHIVED");
export type ProductStatus = Static<typeof ProductStatus>;

export const CancellationTime = literals("END_OF_BILLING_PERIOD", "IMMEDIATE", "SPECIFIC_DATE");
export type CancellationTime = Static<typeof CancellationTime>;

export const UsageResetBehavior = literals("NEVER_RESET", "ALWAYS_RESET", "BILLING_PERIOD_CHANGE");
export type UsageResetBehavior = Static<typeof UsageResetBehavior>;

/**
 * The plan of a new customer, the plan after the end of a subscription, and the time at which a cancellation takes effect
 * (docs/interface/catalogue.md).
 */
export const ProductSettings = Type.Object(
	{
		subscriptionStartSetup: literals("PLAN_SELECTION", "TRIAL_PERIOD", "FREE_PLAN"),
		subscriptionStartPlanId: Type.Optional(nullable(RefId)),
		subscriptionEndSetup: literals("DOWNGRADE_TO_FREE", "CANCEL_SUBSCRIPTION"),
		downgradePlanId: Type.Optional(nullable(RefId)),
		subscriptionCancellationTime: CancellationTime,
		prorateAtEndOfBillingPeriod: Type.Optional(nullable(Type.Boolean())),
	},
	{ additionalProperties: false },
);
export type ProductSettings = Static<typeof ProductSettings>;

export const ProductCreate = Type.Object(
	{
		id: RefId,
		displayName: DisplayName,
		description: Type.Optional(nullable(Description)),
		metadata: Type.Optional(nullable(Metadata)),
		multipleSubscriptions: Type.Optional(Type.Boolean()),
	},
	{ additionalProperties: false },
);
export type ProductCreate = Static<typeof ProductCreate>;

export const ProductUpdate = Type.Object(
	{
		displayName: Type.Optional(DisplayName),
		description: Type.Optional(nullable(Description)),
		metadata: Type.Optional(nullable(Metadata)),
		multipleSubscriptions: Type.Optional(Type.Boolean()),
		productSettings: Type.Optional(ProductSettings),
		usageResetCutoffRule: Type.Optional(Type.Object({ behavior: UsageResetBehavior }, { additionalProperties: false })),
	},
	{ additionalProperties: false },
);
export type ProductUpdate = Static<typeof ProductUpdate>;

export const ProductDuplicate = Type.Object(
	{
		targetId: RefId,
		displayName: Type.Optional(DisplayName),
		description: Type.Optional(nullable(Description)),
	},
	{ additionalProperties: false },
);
export type ProductDuplicate = Static<typeof ProductDuplicate>;

export const ProductListQuery = Type.Object(
	{
		...pageQuery,
		...createdAtQuery,
		id: Type.Optional(Type.String({ maxLength: 255 })),
		// Ours.
		search: Type.Optional(SearchText),
		status: Type.Optional(queryList("PUBLISHED", "ARCHIVED")),
	},
	{ additionalProperties: false },
);
export type ProductListQuery = Static<typeof ProductListQuery>;

export const Product = Type.Object(
	{
		id: Type.String(),
		displayName: Type.String(),
		description: nullable(Type.String()),
		status: ProductStatus,
		metadata: Metadata,
		multipleSubscriptions: Type.Boolean(),
		productSettings: ProductSettings,
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "Product" },
);
export type Product = Static<typeof Product>;
