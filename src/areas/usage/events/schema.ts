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
		/** When it was taken back. */
		canceledAt: nullable(Type.String()),
		/** Of the features whose meters ask for events of this name; empty where none does. */
		meters: Type.Array(MeteredBy),
	},
	{ $id: "LoggedEvent" },
);
export type LoggedEvent = Static<typeof LoggedEvent>;

/** How far back a page has looked stands beside it. */
export const EventList = Type.Object({
	data: Type.Array(LoggedEvent),
	pagination: Pagination,
	/** When the event happened at which the look has ended; null where it has seen all. */
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
		/** The newest one. */
		example: LoggedEvent,
	},
	{ $id: "UnmatchedEventName" },
);
export type UnmatchedName = Static<typeof UnmatchedName>;

/** Our choice: as many as a request reports. */
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
		/** Taken back by this call; the others were before. */
		canceled: Type.Integer(),
		alreadyCanceled: Type.Integer(),
	},
	{ $id: "CanceledEvents" },
);
export type CanceledEvents = Static<typeof CanceledEvents>;

/** Our choice: as many days as a chart shows. */
export const eventDaysShown = 30;

export const EventDay = Type.Object(
	{
		/** In UTC: "2026-11-23". */
		day: Type.String(),
		events: Type.Integer(),
	},
	{ $id: "EventDay" },
);
