import { operation } from "../../../openapi/operation";

const path = {
	id: ["The customer's id", "customer-acme"],
	featureId: ["The id of a feature whose usage is reported", "feature-seats"],
} as const;

const onReported = ["MeteringNotAvailableForFeatureType", "CannotReportUsageForEntitlementWithMeterError"] as const;
const outOfRange = "UsageMeasurementDiffOutOfRangeError" as const;
const noReservation = { 404: "There is no such reservation." } as const;

export const consumptionOperations = {
	report: operation({
		operationId: "usage.report",
		summary: "Report usage",
		description:
			"1 to 100 at once, all or none: what was used more (DELTA, also less), or how much it is now (SET), of features without a meter. What has happened is never refused for lack of quota. A check that follows the answer sees it.",
		example: {
			usages: [
				{ customerId: "customer-acme", featureId: "feature-seats", value: 2, idempotencyKey: "invited-4711" },
				{ customerId: "customer-acme", featureId: "feature-seats", value: 5, updateBehavior: "SET" },
			],
		},
		refusals: [
			"CustomerNotFound",
			"CustomerResourceNotFound",
			"FeatureNotFound",
			"NoFeatureEntitlementInSubscription",
			...onReported,
			outOfRange,
		],
	}),
	estimateUsage: operation({
		operationId: "usage.estimate",
		summary: "Estimate what a report of usage costs in credits",
		description: "Nothing is recorded. A feature that is unknown, or costs no credits, is a warning in the answer.",
		example: { customerId: "customer-acme", featureId: "feature-seats", value: 3 },
		refusals: ["CustomerNotFound", "CustomerResourceNotFound", ...onReported, outOfRange],
	}),
	estimateEvent: operation({
		operationId: "events.estimate",
		summary: "Estimate what an event costs in credits",
		description:
			"By every meter that would take it; it is not ingested. Of meters that neither count nor sum, one event has no cost by itself: `UNSUPPORTED_AGGREGATION`.",
		example: { customerId: "customer-acme", eventName: "api_call", dimensions: { region: "eu" } },
		refusals: ["CustomerNotFound", "CustomerResourceNotFound"],
	}),
	consume: operation({
		operationId: "customers.consumeEntitlement",
		summary: "Check and use in one step",
		description:
			"Decides and records at once: of many who ask for the last unit exactly one gets it. Always 200: `isGranted` says whether, and when it is false nothing was recorded.",
		path,
		example: { amount: 1, idempotencyKey: "seat-of-jane" },
		refusals: [...onReported, outOfRange],
	}),
	reserve: operation({
		operationId: "customers.reserveEntitlement",
		summary: "Hold usage for what begins now",
		description:
			"What is held counts against the limit until it is committed with what was used in the end, released, or expires by itself. Always 200: `isGranted` says whether anything is held.",
		path,
		example: { amount: 2, expiresIn: 60 },
		refusals: [...onReported, outOfRange, "EntitlementLimitExceededError"],
	}),
	listReservations: operation({
		operationId: "customers.listReservations",
		summary: "List a customer's reservations",
		description:
			"The newest first. A request looks at a bounded number of them: with a filter that few pass, a page may hold fewer than asked for, or none, and `pagination.next` goes on until it is null. What is HELD is found at once.",
		path: { id: path.id },
		query: {
			featureId: ["Of this feature", "feature-seats"],
			resourceId: "Of this resource of the customer",
			status: "HELD, COMMITTED, RELEASED, or EXPIRED by the environment's clock",
		},
		refusals: ["CustomerNotFound"],
	}),
	retrieveReservation: operation({
		operationId: "reservations.retrieve",
		summary: "Show a reservation",
		path: { id: "The reservation's id" },
		uncoded: noReservation,
	}),
	commit: operation({
		operationId: "reservations.commit",
		summary: "Record what was used of a reservation",
		description:
			"All of it when no `amount` is given. More than is held, or after it has expired, is decided anew. Twice changes nothing.",
		path: { id: "The reservation's id" },
		example: { amount: 1 },
		refusals: ["EntitlementLimitExceededError", "InvalidArgumentError", outOfRange],
		uncoded: noReservation,
	}),
	release: operation({
		operationId: "reservations.release",
		summary: "Give back what a reservation holds",
		path: { id: "The reservation's id" },
		refusals: ["InvalidArgumentError"],
		uncoded: noReservation,
	}),
};
