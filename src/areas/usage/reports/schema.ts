import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { CustomerRefId, literals, nullable, RefId, Timestamp } from "../../../kernel/schema";
import { ConsumedCredits } from "../../credits/schema.consumed";

/** Source: docs/interface/usage.md#reported-usage. */
export const reportsPerRequestMax = 100;

/** Our choice (docs/interface/usage.md#reported-usage): many more than a chart groups by. */
const dimensionsMax = 50;

export const UpdateBehavior = literals("DELTA", "SET");
export type UpdateBehavior = Static<typeof UpdateBehavior>;

/** Source: docs/interface/usage.md#reported-usage. Names and values have limits, because each report stores them. */
export const ReportDimensions = Type.Record(
	Type.String({ minLength: 1, maxLength: 255 }),
	Type.Unsafe<string | number | boolean>(
		Type.Union([Type.String({ maxLength: 1024 }), Type.Number(), Type.Boolean()], {
			expects: "must be a string of at most 1024 characters, a number or a boolean",
		}),
	),
	{ maxProperties: dimensionsMax },
);

export const ReportKey = Type.String({ minLength: 1, maxLength: 255 });

const UsageReportItem = Type.Object(
	{
		customerId: CustomerRefId,
		featureId: RefId,
		value: Type.Number(),
		/** DELTA if omitted. */
		updateBehavior: Type.Optional(UpdateBehavior),
		/** The time of the usage; now if omitted. */
		createdAt: Type.Optional(Timestamp),
		idempotencyKey: Type.Optional(ReportKey),
		/** Empty means none (docs/interface/usage.md). */
		resourceId: Type.Optional(nullable(RefId)),
		dimensions: Type.Optional(ReportDimensions),
	},
	{ additionalProperties: false },
);
export type UsageReportItem = Static<typeof UsageReportItem>;

export const UsageReportBody = Type.Object(
	{ usages: Type.Array(UsageReportItem, { minItems: 1, maxItems: reportsPerRequestMax }) },
	{ additionalProperties: false },
);
export type UsageReportBody = Static<typeof UsageReportBody>;

export const ReportedUsageQuery = Type.Object(
	{
		...pageQuery,
		/** Omitted or empty: usage without a resource (docs/interface/usage.md). */
		resourceId: Type.Optional(Type.Union([Type.Literal(""), RefId])),
		idempotencyKey: Type.Optional(ReportKey),
		from: Type.Optional(Timestamp),
		to: Type.Optional(Timestamp),
	},
	{ additionalProperties: false },
);
export type ReportedUsageQuery = Static<typeof ReportedUsageQuery>;

export const ReportedUsage = Type.Object(
	{
		id: Type.String(),
		customerId: Type.String(),
		featureId: Type.String(),
		resourceId: nullable(Type.String()),
		/** As it was sent. */
		value: Type.Number(),
		/** The difference at its time: usage is the sum of these. */
		delta: Type.Number(),
		/** CARRIED reverses, at the time of a SET, a later report with an earlier time. */
		updateBehavior: literals("DELTA", "SET", "CARRIED"),
		/** The time of the usage. */
		timestamp: Type.String(),
		/** The time of the report. */
		createdAt: Type.String(),
		idempotencyKey: nullable(Type.String()),
		dimensions: ReportDimensions,
		/** The reservation that it consumes. */
		reservationId: nullable(Type.String()),
	},
	{ $id: "ReportedUsage" },
);
export type ReportedUsage = Static<typeof ReportedUsage>;

/** A recorded report, and the resulting usage. */
export const UsageMeasurement = Type.Object(
	{
		id: Type.String(),
		customerId: Type.String(),
		featureId: Type.String(),
		resourceId: nullable(Type.String()),
		/** As it was sent. */
		value: Type.Number(),
		/** The time of the usage. */
		timestamp: Type.String(),
		/** The time of the report. */
		createdAt: Type.String(),
		/** As a check shows it now; null if nothing entitles the customer any more. */
		currentUsage: nullable(Type.Number()),
		usagePeriodStart: nullable(Type.String()),
		usagePeriodEnd: nullable(Type.String()),
		nextResetDate: nullable(Type.String()),
		/** The credits that it consumed; null if it costs none. */
		credit: nullable(ConsumedCredits),
	},
	{ $id: "UsageMeasurement" },
);
export type UsageMeasurement = Static<typeof UsageMeasurement>;
