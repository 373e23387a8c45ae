import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../kernel/number-schema";
import { Description, DisplayName, literals, Metadata, nullable, RefId } from "../../kernel/schema";
import { Charge, PackageCharges, Phases } from "../packages/charges/schema";
import { PackageRefs, PackageStatus, PricingType, versionFields } from "../packages/schema";

/** Our choice (docs/interface/catalogue.md#limits): a trial lasts at most ten years. */
const trialUnitsMax = 3660;

const DefaultTrialConfig = Type.Object(
	{
		duration: Type.Integer({ minimum: 0, maximum: trialUnitsMax }),
		units: literals("DAY", "MONTH"),
		budget: Type.Optional(
			nullable(
				Type.Object(
					{ limit: ExactNumber({ minimum: 0, maximum: 1e12 }), hasSoftLimit: Type.Boolean() },
					{ additionalProperties: false },
				),
			),
		),
		trialEndBehavior: Type.Optional(nullable(literals("CONVERT_TO_PAID", "CANCEL_SUBSCRIPTION"))),
		/** Our addition: whether usage in the trial is billed at its end. A response has it only if it is true. */
		billsUsage: Type.Optional(Type.Boolean()),
	},
	{ additionalProperties: false },
);
export type DefaultTrialConfig = Static<typeof DefaultTrialConfig>;

const BillingId = Type.String({ maxLength: 255 });

export const PlanCreate = Type.Object(
	{
		id: RefId,
		displayName: DisplayName,
		productId: RefId,
		billingId: Type.Optional(nullable(BillingId)),
		defaultTrialConfig: Type.Optional(nullable(DefaultTrialConfig)),
		description: Type.Optional(nullable(Description)),
		metadata: Type.Optional(Metadata),
		parentPlanId: Type.Optional(nullable(RefId)),
		pricingType: Type.Optional(nullable(PricingType)),
		status: Type.Optional(PackageStatus),
	},
	{ additionalProperties: false },
);
export type PlanCreate = Static<typeof PlanCreate>;

export const PlanUpdate = Type.Object(
	{
		billingId: Type.Optional(nullable(BillingId)),
		charges: Type.Optional(PackageCharges),
		compatibleAddonIds: Type.Optional(nullable(PackageRefs)),
		defaultTrialConfig: Type.Optional(nullable(DefaultTrialConfig)),
		description: Type.Optional(nullable(Description)),
		displayName: Type.Optional(DisplayName),
		metadata: Type.Optional(Metadata),
		parentPlanId: Type.Optional(nullable(RefId)),
	},
	{ additionalProperties: false },
);
export type PlanUpdate = Static<typeof PlanUpdate>;

export const Plan = Type.Object(
	versionFields({
		// Our addition, present if the plan has some.
		phases: Type.Optional(Phases),
		parentPlanId: nullable(Type.String()),
		compatibleAddonIds: nullable(Type.Array(Type.String())),
		defaultTrialConfig: nullable(DefaultTrialConfig),
	}),
	{ $id: "Plan" },
);
export type Plan = Static<typeof Plan>;

/** The response of an update also has the prices of the draft, which the contract shows only in lists of their own. */
export const PlanUpdated = Type.Composite(
	[Plan, Type.Object({ charges: Type.Array(Charge), overageCharges: Type.Array(Charge) })],
	{ $id: "PlanUpdated" },
);

/** An addition to the interface: the issuer of invoices for this plan. Null: the default one. */
export const PlanInvoicingUpdate = Type.Object(
	{ legalEntityId: nullable(Type.String({ minLength: 1, maxLength: 255 })) },
	{ additionalProperties: false },
);

export const PlanInvoicing = Type.Object(
	{ planId: Type.String(), legalEntityId: nullable(Type.String()) },
	{ $id: "PlanInvoicing", additionalProperties: false },
);
