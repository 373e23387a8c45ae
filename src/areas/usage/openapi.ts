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
			"1 to 1000 at once, all or none; by content type also as CloudEvents 1.0, one or a list, or up to 10000 as NDJSON, an event on each line. A request has at most 8 MiB and 75000 values (NDJSON 500000). The answer comes once they are on disk; totals follow within a fraction of a second. An event counts once for ever by its customer, resource, name and `idempotencyKey`, so a retry needs no care.",
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
		uncoded: { 503: "Events cannot be taken now; send them again after the seconds of `Retry-After`." },
	}),
	metrics: operation({
		operationId: "events.reportMetrics",
		summary: "Report OpenTelemetry metrics as usage events",
		description:
			"OTLP/HTTP in JSON: each point of a sum or a histogram of delta temporality becomes an event of the metric's name, for the customer that the attribute `tollgate.customer.id` (or `customer.id`) of the point or its resource names; its attributes and its `value` (of a histogram `count`, `sum`, `min`, `max`) are the dimensions. A point counts once, however often it is sent. A request has at most 1000 resources, 10000 metrics and 10000 points; a resource or a point has at most 128 attributes. Tollgate leaves out points that it cannot accept and reports them as `partialSuccess`.",
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
			503: "Metrics cannot be taken now; a collector sends them again by itself.",
		},
	}),
	history: operation({
		operationId: "usage.history",
		summary: "Show how a customer's usage went",
		path,
		query: {
			startDate: ["From this instant on", "2026-01-01T00:00:00Z"],
			endDate: "Up to, not at, this instant; now when left out",
			groupBy: "Up to three dimensions of events, comma-separated, to show a series for each of their values",
			resourceId: "The customer's resource; left out or empty, what belongs to none",
		},
		refusals: ["CustomerNotFound", "FeatureNotFound"],
	}),
	reports: operation({
		operationId: "usage.listReports",
		summary: "List what was reported of a feature",
		description:
			"Reports, what was consumed, and committed reservations, the latest time of use first, each with what it adds. A feature with a meter has none: `GET /events` lists what its meter counts.",
		path: { ...path, featureId: ["The id of a feature whose usage is reported", "feature-seats"] },
		query: {
			resourceId: "The customer's resource; left out or empty, what belongs to none",
			idempotencyKey: "Sent with this key",
			from: "Used at this instant or later",
			to: "Used before this instant",
		},
		refusals: ["CustomerNotFound", "FeatureNotFound"],
	}),
};
