import { type Static, Type } from "@sinclair/typebox";
import { CustomerRefId, literals, nullable, RefId, Timestamp } from "../../kernel/schema";

/** Source: docs/interface/usage.md#events. */
export const eventBytesMax = 1024 * 1024;

/** Source: docs/interface/usage.md#events. */
export const eventsPerRequestMax = 1000;

/**
 * Our choice (docs/interface/usage.md#limits): as long as any id of the interface. Together with the limit of its
 * dimensions it limits a row of the log.
 */
export const eventNameCharactersMax = 255;
const Name = Type.String({ minLength: 1, maxLength: eventNameCharactersMax });

/** A date-time with a zone has at most 35 characters. */
export const timestampCharactersMax = 64;

/** Any text. (A record without a pattern skips keys with a line break, so their values would not be validated.) */
const DimensionName = Type.String({ pattern: "^[\\s\\S]*$" });

const DimensionValue = Type.Unsafe<string | number | boolean>(
	Type.Union([Type.String(), Type.Number(), Type.Boolean()], { expects: "must be a string, a number or a boolean" }),
);

/** Source: docs/interface/usage.md#events. The event's size bounds the number of its dimensions. */
export const UsageEvent = Type.Object(
	{
		eventName: Name,
		customerId: CustomerRefId,
		idempotencyKey: Name,
		resourceId: Type.Optional(nullable(RefId)),
		/** The ingester reads it with `parseInstant`, which is faster than a format. */
		timestamp: Type.Optional(Type.String({ maxLength: timestampCharactersMax })),
		dimensions: Type.Optional(Type.Record(DimensionName, DimensionValue)),
	},
	{ additionalProperties: false },
);
export type UsageEvent = Static<typeof UsageEvent>;

export const EventReport = Type.Object(
	{ events: Type.Array(UsageEvent, { minItems: 1, maxItems: eventsPerRequestMax }) },
	{ additionalProperties: false },
);
export type EventReport = Static<typeof EventReport>;

/** "Empty object confirming the events were accepted for processing." */
export const Accepted = Type.Object({}, { additionalProperties: false });

/**
 * Our choice (docs/interface/usage.md#history), as for credit usage: up to three dimension keys of letters, digits,
 * `_`, `$`, `-`.
 */
const GroupBy = Type.String({ pattern: "^[a-zA-Z0-9_$-]+(,[a-zA-Z0-9_$-]+){0,2}$", maxLength: 255 });

export const UsageHistoryQuery = Type.Object(
	{
		startDate: Timestamp,
		endDate: Type.Optional(Timestamp),
		groupBy: Type.Optional(GroupBy),
		/** Empty means none (docs/interface/usage.md). */
		resourceId: Type.Optional(Type.Union([Type.Literal(""), RefId])),
	},
	{ additionalProperties: false },
);
export type UsageHistoryQuery = Static<typeof UsageHistoryQuery>;

export const UsageHistoryPath = Type.Object({ customerId: CustomerRefId, featureId: RefId });

export const MarkerType = literals("PERIODIC_RESET", "SUBSCRIPTION_CHANGE_RESET");
export type MarkerType = Static<typeof MarkerType>;

export const UsageHistory = Type.Object(
	{
		markers: Type.Array(Type.Object({ timestamp: Type.String(), type: MarkerType })),
		series: Type.Array(
			Type.Object({
				points: Type.Array(
					Type.Object({ isResetPoint: Type.Boolean(), timestamp: Type.String(), value: Type.Number() }),
				),
				tags: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
			}),
		),
	},
	{ $id: "UsageHistory" },
);
export type UsageHistory = Static<typeof UsageHistory>;
