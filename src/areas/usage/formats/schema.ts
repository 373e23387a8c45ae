import { type Static, Type } from "@sinclair/typebox";
import { UsageEvent } from "../schema";

/** The formats of a body of events. All of them become the same events. */
export type EventFormat = "report" | "cloudevent" | "cloudevents" | "ndjson" | "metrics";

export const cloudEventType = "application/cloudevents+json";
export const cloudEventsType = "application/cloudevents-batch+json";
export const ndjsonType = "application/x-ndjson";

/** The formats of `POST /events`, by content type. */
export const formatOfType: Readonly<Record<string, EventFormat>> = {
	"application/json": "report",
	[cloudEventsType]: "cloudevents",
	[cloudEventType]: "cloudevent",
	[ndjsonType]: "ndjson",
};

/**
 * Our choice (docs/interface/usage.md#events): ten times a report. Together with the size of the body it limits what
 * one transaction writes.
 */
export const linesMax = 10_000;

/**
 * An event in the JSON format of CloudEvents 1.0. Attributes that are not named here are ignored, as the format
 * requires.
 */
export const CloudEvent = Type.Object(
	{
		specversion: Type.Literal("1.0"),
		id: Type.String({ minLength: 1, description: "With `source` the idempotency key: `<source> <id>`" }),
		source: Type.String({ minLength: 1, description: "A URI reference" }),
		type: Type.String({ minLength: 1, description: "The event's name" }),
		subject: Type.String({ minLength: 1, description: "The customer's id" }),
		time: Type.Optional(Type.String({ description: "When it happened; now when left out" })),
		resourceid: Type.Optional(Type.String({ description: "An extension attribute: the customer's resource" })),
		datacontenttype: Type.Optional(Type.String({ description: "JSON, which is the default" })),
		data: Type.Optional(
			Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
				description: "The dimensions",
			}),
		),
	},
	{ $id: "CloudEvent" },
);
export type CloudEvent = Static<typeof CloudEvent>;

/** The line of an NDJSON body. */
export const EventLine = Type.Object(UsageEvent.properties, { $id: "EventLine", additionalProperties: false });

/** OTLP's ExportMetricsServiceRequest. `readMetrics` validates each point. */
export const MetricsExport = Type.Object(
	{ resourceMetrics: Type.Optional(Type.Array(Type.Unknown())) },
	{ $id: "MetricsExport" },
);

/** OTLP's ExportMetricsServiceResponse: `{}` when everything was accepted. */
export const MetricsAnswer = Type.Object(
	{
		partialSuccess: Type.Optional(
			Type.Object(
				{
					rejectedDataPoints: Type.String({ description: "How many; a 64-bit integer as text, as OTLP writes it" }),
					errorMessage: Type.String(),
				},
				{ $id: "MetricsPartialSuccess" },
			),
		),
	},
	{ $id: "MetricsAnswer" },
);
export type MetricsAnswer = Static<typeof MetricsAnswer>;
