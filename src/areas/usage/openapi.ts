import { operation } from "../../openapi/operation";

export const usageOperations = {
	report: operation({
		operationId: "events.report",
		summary: "Report usage events",
		description:
			"1 to 1000 at once, all or none. The answer comes once they are on disk; totals follow within a fraction of a second. An event counts once for ever by its customer, resource, name and `idempotencyKey`, so a retry needs no care.",
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
		refusals: ["CustomerNotFound"],
		uncoded: { 503: "Events cannot be taken now; send them again after the seconds of `Retry-After`." },
	}),
	history: operation({
		operationId: "usage.history",
		summary: "Show how a customer's usage went",
		path: {
			customerId: ["The customer's id", "customer-acme"],
			featureId: ["The id of a metered feature", "feature-api-calls"],
		},
		query: {
			startDate: ["From this instant on", "2026-01-01T00:00:00Z"],
			endDate: "Up to, not at, this instant; now when left out",
			groupBy: "Up to three dimensions of events, comma-separated, to show a series for each of their values",
			resourceId: "The customer's resource; left out or empty, what belongs to none",
		},
		refusals: ["CustomerNotFound", "FeatureNotFound"],
	}),
};
