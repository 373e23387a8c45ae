import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { Currency, CustomerRefId, Metadata, nullable, RefId, Timestamp } from "../../../kernel/schema";
import { ProrationMode } from "../../../kernel/schema.proration-mode";
import { TimeZone } from "../../../kernel/schema.time-zone";
import { Phases } from "../../packages/charges/schema";
import { billingPeriodNames, requestedPeriodFields } from "../../packages/schema";
import { SpendCommitments } from "../../pricing/commitments/schema.spend-commitment";
import { BillingAnchor } from "../../pricing/schema.billing-anchor";
import { SpendThresholds } from "../../pricing/schema.spend-thresholds";
import { Term } from "../../pricing/schema.term";
import { TaxRefs } from "../../taxes/schema";
import { AddonSelections, AppliedCoupons, PriceOverrideInputs } from "../schema.provision";

/** The limit of the interface; an empty import is rejected. */
const itemsMax = 1000;

const closed = { additionalProperties: false };

/**
 * Any letter case is accepted (docs/interface/subscriptions.md): the interface shows `Monthly`, the contract `MONTHLY`.
 */
const anyCase = <const T extends string>(...values: readonly T[]) =>
	Type.Unsafe<string>(
		Type.String({
			enum: [...values],
			pattern: `^(${values.map((value) => value.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)).join("|")})$`,
			description: "in any letter case",
		}),
	);

export const SubscriptionImportItem = Type.Object(
	{
		id: RefId,
		customerId: CustomerRefId,
		planId: RefId,
		resourceId: Type.Optional(nullable(RefId)),
		startDate: Type.Optional(Timestamp),
		endDate: Type.Optional(nullable(Timestamp)),
		metadata: Type.Optional(Metadata),
		billingId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 }))),
		billingPeriod: Type.Optional(anyCase(...billingPeriodNames)),
		billingInterval: requestedPeriodFields.billingInterval,
		includesChildUsage: Type.Optional(Type.Boolean()),
		billingCurrency: Type.Optional(Currency),
		prorationMode: Type.Optional(ProrationMode),
		billingAnchor: Type.Optional(BillingAnchor),
		timeZone: Type.Optional(TimeZone),
		phases: Type.Optional(nullable(Phases)),
		term: Type.Optional(nullable(Term)),
		spendThresholds: Type.Optional(SpendThresholds),
		commitments: Type.Optional(SpendCommitments),
		taxes: Type.Optional(nullable(TaxRefs)),
		addons: Type.Optional(AddonSelections),
		appliedCoupons: Type.Optional(AppliedCoupons),
		// Our addition. A list replaces the whole list.
		priceOverrides: Type.Optional(PriceOverrideInputs),
		charges: Type.Optional(
			Type.Array(
				Type.Object(
					{ id: RefId, quantity: ExactNumber({ minimum: 0, maximum: 1e15 }), type: anyCase("FEATURE", "CREDIT") },
					closed,
				),
				{ maxItems: 200 },
			),
		),
	},
	closed,
);
export type SubscriptionImportItem = Static<typeof SubscriptionImportItem>;

export const SubscriptionImport = Type.Object(
	{
		subscriptions: Type.Array(SubscriptionImportItem, { minItems: 1, maxItems: itemsMax }),
		integrationId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 }))),
	},
	closed,
);
export type SubscriptionImport = Static<typeof SubscriptionImport>;

export const ImportStarted = Type.Object({ taskId: Type.String() });
