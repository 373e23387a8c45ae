import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../../kernel/schema";
import { ResetPeriod } from "../packages/schema";

// The explanation of a check: an addition to the reference interface, only with `explain=true`.

/** One entitlement of a source. */
export const EntitlementPart = Type.Object(
	{
		kind: literals("PLAN", "BASE_PLAN", "ADDON", "SUBSCRIPTION", "UNITS_BOUGHT"),
		/** The caller's id of the plan or addon, or of the subscription for its own entitlement. */
		id: Type.String(),
		/** The version of the plan or addon; null for an entitlement of the subscription itself. */
		version: nullable(Type.Integer()),
		/** The quantity of the addon. */
		quantity: Type.Number(),
		effect: literals("ADDS", "REPLACES", "REPLACED", "REVOKES"),
		/** Before multiplication by the quantity; for credits, the amount. */
		usageLimit: nullable(Type.Number()),
		hasUnlimitedUsage: Type.Boolean(),
		hasSoftLimit: Type.Boolean(),
		enumValues: Type.Array(Type.String()),
		resetPeriod: nullable(ResetPeriod),
	},
	{ $id: "EntitlementPart", additionalProperties: false },
);
export type EntitlementPart = Static<typeof EntitlementPart>;

const outcomes = literals(
	"GRANTS",
	"ALSO_GRANTS",
	"LIMIT_REACHED",
	"BUDGET_SPENT",
	"TOO_FEW_CREDITS",
	"REVOKES",
	"OVERRULED",
	"VALUES_MISSING",
	"DOES_NOT_FIT",
);

const precedences = literals(
	"LARGER_LIMIT",
	"SOFT_LIMIT",
	"BOUGHT_BEFORE_TRIED_BEFORE_GIVEN",
	"RESETS_MORE_OFTEN",
	"NEWER",
	"ALIKE",
);

/** A grant of credits. `subscriptionId` is null for manual grants. */
export const ExplainedGrant = Type.Object(
	{
		displayName: Type.String(),
		grantType: literals("PAID", "PROMOTIONAL", "RECURRING", "OVERDRAFT"),
		sourceType: nullable(literals("PRICE", "PLAN_ENTITLEMENT", "ADDON_ENTITLEMENT")),
		subscriptionId: nullable(Type.String()),
	},
	{ $id: "ExplainedGrant", additionalProperties: false },
);

/** One source of access. Sources are sorted by generosity, the most generous first. */
export const EntitlementSource = Type.Object(
	{
		kind: literals("SUBSCRIPTION", "TRIAL", "PROMOTIONAL", "CREDIT_GRANT"),
		/** The caller's id of the subscription, or the id of the promotional entitlement or grant. */
		id: Type.String(),
		/** Whether the answer shows the limit, usage and period of this source. */
		isShown: Type.Boolean(),
		outcome: outcomes,
		/** Why the previous source precedes this one; null for the first. */
		precededBy: nullable(precedences),
		usageLimit: nullable(Type.Number()),
		hasUnlimitedUsage: Type.Boolean(),
		hasSoftLimit: Type.Boolean(),
		enumValues: Type.Array(Type.String()),
		resetPeriod: nullable(ResetPeriod),
		/** The usage in this source's own period; null where no usage is counted. */
		currentUsage: nullable(Type.Number()),
		startDate: Type.String(),
		endDate: nullable(Type.String()),
		/** Empty for promotional entitlements and grants of credits, which have no parts. */
		parts: Type.Array(EntitlementPart),
		creditGrant: Type.Optional(ExplainedGrant),
	},
	{ $id: "EntitlementSource", additionalProperties: false },
);
export type EntitlementSource = Static<typeof EntitlementSource>;

export const ExplainedDecision = Type.Object(
	{
		isGranted: Type.Boolean(),
		accessDeniedReason: nullable(Type.String()),
		decidedBy: literals(
			"NOTHING_GRANTS",
			"REVOKED",
			"REQUEST_DOES_NOT_FIT",
			"INCLUDED",
			"VALUES_ALLOWED",
			"VALUES_NOT_ALLOWED",
			"UNLIMITED",
			"WITHIN_LIMIT",
			"SOFT_LIMIT",
			"LIMIT_REACHED",
			"BUDGET_SPENT",
			"ENTITY_BUDGET_SPENT",
			"ENOUGH_CREDITS",
			"TOO_FEW_CREDITS",
			"UNKNOWN_OR_NOT_SOLD",
		),
		requestedUsage: nullable(Type.Number()),
		requestedValues: Type.Array(Type.String()),
		decidedAt: Type.String(),
	},
	{ $id: "ExplainedDecision", additionalProperties: false },
);

/** The usage period of the answer; `end` is exclusive. */
export const ExplainedWindow = Type.Object(
	{
		resetPeriod: ResetPeriod,
		anchor: Type.String(),
		start: Type.String(),
		/** When usage resets to zero. */
		resetsAt: Type.String(),
	},
	{ $id: "ExplainedWindow", additionalProperties: false },
);

export const ExplainedEvent = Type.Object(
	{
		timestamp: Type.String(),
		eventName: Type.String(),
		idempotencyKey: Type.String(),
		/** The value of the meter's field; null where the meter only counts. */
		value: nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
	},
	{ $id: "ExplainedEvent", additionalProperties: false },
);

export const ExplainedUnits = Type.Object(
	{ divide: Type.Number(), round: literals("UP", "DOWN"), units: nullable(Type.String()) },
	{ $id: "ExplainedUnits", additionalProperties: false },
);

/** A consumption from one grant, or a reversal (less than zero). */
export const ExplainedConsumption = Type.Object(
	{
		timestamp: Type.String(),
		amount: Type.Number(),
		/** Null for consumption without a feature. */
		featureId: nullable(Type.String()),
		/** The id of the usage event, of a group of events, of the report, or of the consumption. */
		eventId: nullable(Type.String()),
		/** The number of events. */
		events: Type.Integer(),
		creditGrantId: Type.String(),
	},
	{ $id: "ExplainedConsumption", additionalProperties: false },
);

export const ExplainedUsage = Type.Object(
	{
		/** In reported units, before division and rounding. */
		counted: Type.Number(),
		unitTransformation: nullable(ExplainedUnits),
		/** As in the answer. */
		currentUsage: Type.Number(),
		requested: Type.Number(),
		/** Null: no limit. */
		limit: nullable(Type.Number()),
		/** The reserved amount, in reported units; it counts against the limit like usage. */
		reserved: Type.Number(),
		/** The remaining units before the request; null without a limit, below zero beyond a soft limit. */
		remaining: nullable(Type.Number()),
		/** The ten newest counted events or reports in the usage period. */
		lastEvents: Type.Array(ExplainedEvent),
		/** For credits: the ten newest consumptions. */
		lastConsumptions: Type.Optional(Type.Array(ExplainedConsumption)),
	},
	{ $id: "ExplainedUsage", additionalProperties: false },
);

/** The credits that the use of a feature costs, and the balance that it consumes from. */
export const ExplainedUseCost = Type.Object(
	{
		currencyId: Type.String(),
		/** Includes reservations of the feature. Null: unknown, because it depends on the dimensions of the event. */
		cost: nullable(Type.Number()),
		balance: Type.Number(),
		hasSoftLimit: Type.Boolean(),
	},
	{ $id: "ExplainedUseCost", additionalProperties: false },
);

/** A budget of an entity that the check asked, from the entity up. */
export const ExplainedBudget = Type.Object(
	{
		entityId: Type.String(),
		displayName: nullable(Type.String()),
		scopeEntityIds: Type.Array(Type.String()),
		/** The budget is one of the feature, or of the currency that the feature costs. */
		capability: literals("FEATURE", "CURRENCY"),
		isGranted: Type.Boolean(),
		/** Null: no limit. */
		usageLimit: nullable(Type.Number()),
		used: Type.Number(),
		reserved: Type.Number(),
		/** The unused limits of allocated budgets below it, except for the one that the use comes from; only if there are any. */
		allocatedToOthers: Type.Optional(Type.Number()),
		/** Before the request; null without a limit. */
		remaining: nullable(Type.Number()),
		windowStart: Type.String(),
		/** When its usage resets to zero; null if it never does. */
		resetsAt: nullable(Type.String()),
		/** The scope that a key or a person needs to raise the limit. */
		raisedBy: Type.String(),
	},
	{ $id: "ExplainedBudget", additionalProperties: false },
);
export type ExplainedBudget = Static<typeof ExplainedBudget>;

export const EntitlementExplanation = Type.Object(
	{
		/** A few sentences to read to the customer. */
		text: Type.String(),
		decision: ExplainedDecision,
		sources: Type.Array(EntitlementSource),
		window: nullable(ExplainedWindow),
		usage: nullable(ExplainedUsage),
		/** Only for features that a subscription prices in credits. */
		useCost: Type.Optional(ExplainedUseCost),
		/** Only where dimensions attribute the usage to entities with budgets. */
		budgets: Type.Optional(Type.Array(ExplainedBudget)),
	},
	{ $id: "EntitlementExplanation", additionalProperties: false },
);
export type EntitlementExplanation = Static<typeof EntitlementExplanation>;
