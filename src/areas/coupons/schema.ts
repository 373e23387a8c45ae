import { type Static, Type } from "@sinclair/typebox";
import { currencyCodes } from "../../kernel/money";
import { ExactNumber } from "../../kernel/number-schema";
import { createdAtQuery, pageQuery } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { Currency, literals, Metadata, Money, nullable, RefId } from "../../kernel/schema";
import { SearchText } from "../../kernel/search";

/** FREE_UNITS is our addition. */
export const CouponType = literals("FIXED", "PERCENTAGE", "FREE_UNITS");
export type CouponType = Static<typeof CouponType>;
export const CouponStatus = literals("ACTIVE", "ARCHIVED");
export type CouponStatus = Static<typeof CouponStatus>;

/** The service itself, a discount stated inline on a subscription, or the payment provider (docs/interface/catalogue.md). */
export const CouponSource = literals("TOLLGATE", "TOLLGATE_ADHOC", "STRIPE");
export type CouponSource = Static<typeof CouponSource>;

/** Our addition: a coupon discounts each period, the first invoice that it applies to, or invoices until its amount is used up. */
export const CouponFrequency = literals("EACH_PERIOD", "ONCE", "USED_UP");
export type CouponFrequency = Static<typeof CouponFrequency>;

/** Source: docs/interface/catalogue.md#coupons. */
const Name = Type.String({ minLength: 1, maxLength: 40 });
const CouponDescription = Type.String({ maxLength: 255 });

/**
 * Our choice (docs/interface/catalogue.md#limits): no single discount is above a trillion, and a coupon lasts at most a
 * hundred years.
 */
const AmountOff = Type.Object(
	{ amount: ExactNumber({ exclusiveMinimum: 0, maximum: 1e12 }), currency: Currency },
	{ additionalProperties: false },
);
const DurationMonths = Type.Integer({ minimum: 1, maximum: 1200 });

/** Our choice (docs/interface/catalogue.md#limits): as many periods as a coupon has months. */
const DurationPeriods = Type.Integer({ minimum: 1, maximum: 1200 });

const ScopeRefs = Type.Array(RefId, { minItems: 1, maxItems: 100 });

/** Our addition: a coupon discounts the charges that any of the lists names. Missing: all charges. */
export const CouponScope = Type.Object(
	{
		planIds: Type.Optional(ScopeRefs),
		addonIds: Type.Optional(ScopeRefs),
		featureIds: Type.Optional(ScopeRefs),
		chargeKeys: Type.Optional(ScopeRefs),
	},
	{ additionalProperties: false, minProperties: 1 },
);
export type CouponScope = Static<typeof CouponScope>;

/** Our addition: units of features that cost nothing in each window of usage, in the units of the price. */
const FreeUnitsOfFeature = Type.Object(
	{ featureId: RefId, quantity: ExactNumber({ exclusiveMinimum: 0, maximum: 1e12 }) },
	{ additionalProperties: false },
);
const CouponFreeUnits = Type.Array(FreeUnitsOfFeature, { minItems: 1, maxItems: 100 });

export const CouponCreate = Type.Object(
	{
		id: RefId,
		name: Name,
		description: nullable(CouponDescription),
		percentOff: nullable(ExactNumber({ exclusiveMinimum: 0, maximum: 100 })),
		amountsOff: nullable(Type.Array(AmountOff, { minItems: 1, maxItems: currencyCodes.length })),
		durationInMonths: nullable(DurationMonths),
		metadata: nullable(Metadata),
		appliesTo: Type.Optional(nullable(CouponScope)),
		frequency: Type.Optional(nullable(CouponFrequency)),
		durationInPeriods: Type.Optional(nullable(DurationPeriods)),
		freeUnits: Type.Optional(nullable(CouponFreeUnits)),
	},
	{ additionalProperties: false },
);
export type CouponCreate = Static<typeof CouponCreate>;

/** The terms are fixed for good; only these three may change. */
export const CouponUpdate = Type.Object(
	{
		name: Type.Optional(Name),
		description: Type.Optional(nullable(CouponDescription)),
		metadata: Type.Optional(nullable(Metadata)),
	},
	{ additionalProperties: false },
);
export type CouponUpdate = Static<typeof CouponUpdate>;

export const CouponListQuery = Type.Object(
	{
		...pageQuery,
		...createdAtQuery,
		id: Type.Optional(Type.String({ maxLength: 255 })),
		// Ours.
		search: Type.Optional(SearchText),
		status: Type.Optional(queryList("ACTIVE", "ARCHIVED")),
		type: Type.Optional(CouponType),
	},
	{ additionalProperties: false },
);
export type CouponListQuery = Static<typeof CouponListQuery>;

export const ShownFreeUnits = Type.Array(
	Type.Object({ featureId: Type.String(), quantity: Type.Number() }, { additionalProperties: false }),
);

export const Coupon = Type.Object(
	{
		id: Type.String(),
		name: Type.String(),
		description: nullable(Type.String()),
		type: CouponType,
		status: CouponStatus,
		source: nullable(CouponSource),
		percentOff: nullable(Type.Number()),
		amountsOff: nullable(Type.Array(Money)),
		durationInMonths: nullable(Type.Integer()),
		/** Present if it discounts some charges only. */
		appliesTo: Type.Optional(CouponScope),
		/** Present unless it is EACH_PERIOD. */
		frequency: Type.Optional(CouponFrequency),
		/** Present if it counts in billing periods. */
		durationInPeriods: Type.Optional(Type.Integer()),
		/** Present if it makes units free in place of an amount. */
		freeUnits: Type.Optional(ShownFreeUnits),
		billingId: nullable(Type.String()),
		billingLinkUrl: nullable(Type.String()),
		metadata: nullable(Metadata),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "Coupon" },
);
export type Coupon = Static<typeof Coupon>;
