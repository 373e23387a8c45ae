import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../../kernel/schema";
import { ResetPeriod } from "../packages/schema";

// Why a check answers what it answers: ours, beside the interface, and only where it is asked for (`explain=true`).

/** One entitlement that a source is put together from. */
export const EntitlementPart = Type.Object(
	{
		kind: literals("PLAN", "BASE_PLAN", "ADDON", "SUBSCRIPTION", "UNITS_BOUGHT"),
		/** The caller's id of the plan or addon; of the subscription where it grants itself. */
		id: Type.String(),
		/** Of the plan or addon; null for what a subscription grants itself. */
		version: nullable(Type.Integer()),
		/** How many of the addon were bought. */
		quantity: Type.Number(),
		effect: literals("ADDS", "REPLACES", "REPLACED", "REVOKES"),
		/** Before the quantity; of credits the amount. */
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

/** What a grant of credits is, and which subscription hands it out; null for what was granted by hand. */
export const ExplainedGrant = Type.Object(
	{
		displayName: Type.String(),
		grantType: literals("PAID", "PROMOTIONAL", "RECURRING", "OVERDRAFT"),
		sourceType: nullable(literals("PRICE", "PLAN_ENTITLEMENT", "ADDON_ENTITLEMENT")),
		subscriptionId: nullable(Type.String()),
	},
	{ $id: "ExplainedGrant", additionalProperties: false },
);

/** One source of access, in the order in which they were looked at: the most generous first. */
export const EntitlementSource = Type.Object(
	{
		kind: literals("SUBSCRIPTION", "TRIAL", "PROMOTIONAL", "CREDIT_GRANT"),
		/** The caller's id of the subscription, or the id of the promotional entitlement or of the grant of credits. */
		id: Type.String(),
		/** Whether the answer shows this one's limit, usage and period. */
		isShown: Type.Boolean(),
		outcome: outcomes,
		/** Why the source before this one goes first; null for the first. */
		precededBy: nullable(precedences),
		usageLimit: nullable(Type.Number()),
		hasUnlimitedUsage: Type.Boolean(),
		hasSoftLimit: Type.Boolean(),
		enumValues: Type.Array(Type.String()),
		resetPeriod: nullable(ResetPeriod),
		/** Counted in this source's own period; null where nothing is counted. */
		currentUsage: nullable(Type.Number()),
		startDate: Type.String(),
		endDate: nullable(Type.String()),
		/** Empty for a promotional entitlement and a grant of credits, which are one by themselves. */
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

/** In which the usage counts that the answer shows. Half open. */
export const ExplainedWindow = Type.Object(
	{
		resetPeriod: ResetPeriod,
		anchor: Type.String(),
		start: Type.String(),
		/** When usage starts again at zero. */
		resetsAt: Type.String(),
	},
	{ $id: "ExplainedWindow", additionalProperties: false },
);

export const ExplainedEvent = Type.Object(
	{
		timestamp: Type.String(),
		eventName: Type.String(),
		idempotencyKey: Type.String(),
		/** What it held in the meter's field; null where the meter only counts. */
		value: nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
	},
	{ $id: "ExplainedEvent", additionalProperties: false },
);

export const ExplainedUnits = Type.Object(
	{ divide: Type.Number(), round: literals("UP", "DOWN"), units: nullable(Type.String()) },
	{ $id: "ExplainedUnits", additionalProperties: false },
);

/** What took credits, or gave them back (less than zero), of one grant. */
export const ExplainedConsumption = Type.Object(
	{
		timestamp: Type.String(),
		amount: Type.Number(),
		/** Null for what was consumed without a feature. */
		featureId: nullable(Type.String()),
		/** Of the usage event, of several that took credits together, of the report, or of the consumption. */
		eventId: nullable(Type.String()),
		/** How many events it is of. */
		events: Type.Integer(),
		creditGrantId: Type.String(),
	},
	{ $id: "ExplainedConsumption", additionalProperties: false },
);

export const ExplainedUsage = Type.Object(
	{
		/** In the units that are reported, before they are divided and rounded. */
		counted: Type.Number(),
		unitTransformation: nullable(ExplainedUnits),
		/** As the answer shows it. */
		currentUsage: Type.Number(),
		requested: Type.Number(),
		/** Null: no limit. */
		limit: nullable(Type.Number()),
		/** Held by reservations, in the units that are reported; it counts against the limit as usage does. */
		reserved: Type.Number(),
		/** What is left before the request; null without a limit. Below zero beyond a soft one. */
		remaining: nullable(Type.Number()),
		/** The newest ten events, or reports of usage, that were counted in the window. */
		lastEvents: Type.Array(ExplainedEvent),
		/** Of credits: where the newest ten went. */
		lastConsumptions: Type.Optional(Type.Array(ExplainedConsumption)),
	},
	{ $id: "ExplainedUsage", additionalProperties: false },
);

/** The credits that the use of a feature costs, and the balance that it consumes from. */
export const ExplainedUseCost = Type.Object(
	{
		currencyId: Type.String(),
		/** Reservations of the feature included. Null: unknown before the event, whose dimensions decide it. */
		cost: nullable(Type.Number()),
		balance: Type.Number(),
		hasSoftLimit: Type.Boolean(),
	},
	{ $id: "ExplainedUseCost", additionalProperties: false },
);

export const EntitlementExplanation = Type.Object(
	{
		/** A few sentences that can be read to the customer. */
		text: Type.String(),
		decision: ExplainedDecision,
		sources: Type.Array(EntitlementSource),
		window: nullable(ExplainedWindow),
		usage: nullable(ExplainedUsage),
		/** Only for features that a subscription prices in credits. */
		useCost: Type.Optional(ExplainedUseCost),
	},
	{ $id: "EntitlementExplanation", additionalProperties: false },
);
export type EntitlementExplanation = Static<typeof EntitlementExplanation>;
