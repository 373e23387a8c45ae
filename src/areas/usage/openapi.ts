import { Type } from "@sinclair/typebox";
import { operation } from "../../openapi/operation";
import {
	CloudEvent,
	cloudEventsType,
	cloudEventType,
	EventLine,
	MetricsAnswer,
	MetricsExport,
	ndjsonType,
} from "./formats/schema";

const cloudEvent = {
	specversion: "1.0",
	id: "request-4712",
	source: "/gateway/eu-1",
	type: "api_call",
	subject: "customer-acme",
	data: { endpoint: "/routes", region: "eu" },
};

const path = {
	customerId: ["The customer's id", "customer-acme"],
	featureId: ["The id of a metered feature", "feature-api-calls"],
} as const;

export const usageOperations = {
	report: operation({
		operationId: "events.report",
		summary: "Report usage events",
		description:
			"Reports 1 to 1000 events, all or none. Other content types are CloudEvents 1.0, one event or a list, and NDJSON with up to 10000 events, one on each line. A request has at most 8 MiB and 75000 values (NDJSON 500000). Tollgate answers once the events are on disk; totals follow within a fraction of a second. An event counts once for ever, by its customer, resource, name and `idempotencyKey`, so you can always repeat a request.",
		example: {
			events: [
				{
					eventName: "api_call",
					customerId: "customer-acme",
					idempotencyKey: "request-4711",
					dimensions: { endpoint: "/routes", region: "eu" },
				},
			],
		},
		otherBodies: {
			[cloudEventsType]: { schema: Type.Array(CloudEvent), example: [cloudEvent] },
			[cloudEventType]: { schema: CloudEvent, example: cloudEvent },
			[ndjsonType]: {
				schema: EventLine,
				example: { eventName: "api_call", customerId: "customer-acme", idempotencyKey: "request-4713" },
			},
		},
		refusals: ["CustomerNotFound"],
		uncoded: { 503: "Events cannot be accepted now; repeat the request after the seconds of `Retry-After`." },
	}),
	metrics: operation({
		operationId: "events.reportMetrics",
		summary: "Report OpenTelemetry metrics as usage events",
		description:
			"Accepts OTLP/HTTP in JSON. Each point of a sum or a histogram of delta temporality becomes an event with the metric's name. The attribute `tollgate.customer.id` (or `customer.id`) of the point or its resource names the customer. The attributes and the `value` of a point (`count`, `sum`, `min` and `max` of a histogram) are the dimensions. A point counts once, however often it is sent. A request has at most 1000 resources, 10000 metrics and 10000 points; a resource or a point has at most 128 attributes. Tollgate leaves out points that it cannot accept and reports them as `partialSuccess`.",
		body: MetricsExport,
		response: MetricsAnswer,
		example: {
			resourceMetrics: [
				{
					resource: { attributes: [{ key: "tollgate.customer.id", value: { stringValue: "customer-acme" } }] },
					scopeMetrics: [
						{
							metrics: [
								{
									name: "api_call",
									sum: {
										aggregationTemporality: 1,
										isMonotonic: true,
										dataPoints: [
											{
												asInt: "3",
												startTimeUnixNano: "1767225600000000000",
												timeUnixNano: "1767225660000000000",
												attributes: [{ key: "region", value: { stringValue: "eu" } }],
											},
										],
									},
								},
							],
						},
					],
				},
			],
		},
		uncoded: {
			415: "Metrics are read as JSON; set `encoding: json` on the collector's `otlphttp` exporter.",
			503: "Metrics cannot be accepted now; a collector repeats the request by itself.",
		},
	}),
	history: operation({
		operationId: "usage.history",
		summary: "Show the history of a customer's usage",
		path,
		query: {
			startDate: ["From this instant on", "2026-01-01T00:00:00Z"],
			endDate: "Up to, but not including, this instant; now if omitted",
			groupBy: "Up to three dimensions of events, comma-separated, to show a series for each of their values",
			resourceId: "The customer's resource; omitted or empty for usage without a resource",
		},
		refusals: ["CustomerNotFound", "FeatureNotFound"],
	}),
	reports: operation({
		operationId: "usage.listReports",
		summary: "List the usage reports of a feature",
		description:
			"Lists reports, consumptions and committed reservations, the latest time of use first, each with the difference that it makes. A feature with a meter has no reports: `GET /events` lists the events that its meter counts.",
		path: { ...path, featureId: ["The id of a feature whose usage is reported", "feature-seats"] },
		query: {
			resourceId: "The customer's resource; omitted or empty for usage without a resource",
			idempotencyKey: "Reports with this key",
			from: "Usage at this instant or later",
			to: "Usage before this instant",
		},
		refusals: ["CustomerNotFound", "FeatureNotFound"],
	}),
};
