import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { CustomerRefId, literals, nullable, Pagination, RefId, Timestamp } from "../../../kernel/schema";
import { eventNameCharactersMax } from "../schema";

const Name = Type.String({ minLength: 1, maxLength: eventNameCharactersMax });

export const EventListQuery = Type.Object(
	{
		after: pageQuery.after,
		limit: pageQuery.limit,
		customerId: Type.Optional(CustomerRefId),
		resourceId: Type.Optional(RefId),
		eventName: Type.Optional(Name),
		idempotencyKey: Type.Optional(Name),
		from: Type.Optional(Timestamp),
		to: Type.Optional(Timestamp),
	},
	{ additionalProperties: false },
);
export type EventListQuery = Static<typeof EventListQuery>;

export const NotCountedReason = literals(
	"CANCELED",
	"CUSTOMER_UNKNOWN",
	"NOT_COUNTED_YET",
	"CONDITION_NOT_MET",
	"FIELD_MISSING",
	"FIELD_NOT_A_NUMBER",
);
export type NotCountedReason = Static<typeof NotCountedReason>;

const MeteredBy = Type.Object(
	{
		featureId: Type.String(),
		isCounted: Type.Boolean(),
		reason: nullable(NotCountedReason),
		message: nullable(Type.String()),
	},
	{ $id: "EventMeter" },
);
export type MeteredBy = Static<typeof MeteredBy>;

export const LoggedEvent = Type.Object(
	{
		id: Type.String(),
		eventName: Type.String(),
		customerId: Type.String(),
		resourceId: nullable(Type.String()),
		idempotencyKey: Type.String(),
		timestamp: Type.String(),
		dimensions: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
		/** The time of its cancellation. */
		canceledAt: nullable(Type.String()),
		/** One for each feature whose meter matches the event's name. */
		meters: Type.Array(MeteredBy),
	},
	{ $id: "LoggedEvent" },
);
export type LoggedEvent = Static<typeof LoggedEvent>;

/** A page also states how far back it has searched. */
export const EventList = Type.Object({
	data: Type.Array(LoggedEvent),
	pagination: Pagination,
	/** The time of the event where the search ended; null if it has searched everything. */
	lookedBackTo: nullable(Type.String()),
});

export const UnmatchedQuery = Type.Object(
	{ after: pageQuery.after, limit: pageQuery.limit },
	{ additionalProperties: false },
);
export type UnmatchedQuery = Static<typeof UnmatchedQuery>;

export const UnmatchedName = Type.Object(
	{
		eventName: Type.String(),
		events: Type.Integer(),
		firstAt: Type.String(),
		lastAt: Type.String(),
		/** The newest event of this name. */
		example: LoggedEvent,
	},
	{ $id: "UnmatchedEventName" },
);
export type UnmatchedName = Static<typeof UnmatchedName>;

/** Our choice (docs/interface/usage.md#limits): as many events as one request reports. */
export const cancellationsMax = 1000;

const ById = Type.Object({ id: Type.String({ format: "uuid" }) }, { $id: "EventById", additionalProperties: false });

const ByIdentity = Type.Object(
	{
		customerId: CustomerRefId,
		resourceId: Type.Optional(nullable(RefId)),
		eventName: Name,
		idempotencyKey: Name,
	},
	{ $id: "EventByIdentity", additionalProperties: false },
);

export const EventCancel = Type.Object(
	{
		events: Type.Array(
			Type.Union([ById, ByIdentity], {
				expects:
					"must be the id of an event, or its customerId, eventName, idempotencyKey and, if it has one, resourceId",
			}),
			{ minItems: 1, maxItems: cancellationsMax },
		),
	},
	{ additionalProperties: false },
);
export type EventCancel = Static<typeof EventCancel>;

export const CanceledEvents = Type.Object(
	{
		/** Canceled by this call; the others were canceled before. */
		canceled: Type.Integer(),
		alreadyCanceled: Type.Integer(),
	},
	{ $id: "CanceledEvents" },
);
export type CanceledEvents = Static<typeof CanceledEvents>;

/** The days that a chart shows. */
export const eventDaysShown = 30;

export const EventDay = Type.Object(
	{
		/** In UTC: "2026-11-23". */
		day: Type.String(),
		events: Type.Integer(),
	},
	{ $id: "EventDay" },
);
