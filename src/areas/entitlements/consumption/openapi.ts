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
			"Reports usage of features without a meter: an additional amount (DELTA, also negative), or the new total (SET). A request has 1 to 100 reports, and records all or none. A report is never refused because of a limit. Checks after the response include it.",
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
		description:
			"Records nothing. For an unknown feature, or one that costs no credits, the answer contains a warning.",
		example: { customerId: "customer-acme", featureId: "feature-seats", value: 3 },
		refusals: ["CustomerNotFound", "CustomerResourceNotFound", ...onReported, outOfRange],
	}),
	estimateEvent: operation({
		operationId: "events.estimate",
		summary: "Estimate what an event costs in credits",
		description:
			"Includes every meter that would count the event. The event is not ingested. With a meter that neither counts nor sums, a single event has no cost: `UNSUPPORTED_AGGREGATION`.",
		example: { customerId: "customer-acme", eventName: "api_call", dimensions: { region: "eu" } },
		refusals: ["CustomerNotFound", "CustomerResourceNotFound"],
	}),
	consume: operation({
		operationId: "customers.consumeEntitlement",
		summary: "Check and record usage in one step",
		description:
			"Decides and records in one step. If many requests compete for the last unit, exactly one gets it. The status is always 200. If `isGranted` is false, nothing was recorded.",
		path,
		example: { amount: 1, idempotencyKey: "seat-of-jane" },
		refusals: [...onReported, outOfRange],
	}),
	reserve: operation({
		operationId: "customers.reserveEntitlement",
		summary: "Reserve usage",
		description:
			"A reservation counts against the limit until it is committed with the actual usage, released, or expired. The status is always 200. If `isGranted` is false, nothing was reserved.",
		path,
		example: { amount: 2, expiresIn: 60 },
		refusals: [...onReported, outOfRange, "EntitlementLimitExceededError"],
	}),
	listReservations: operation({
		operationId: "customers.listReservations",
		summary: "List a customer's reservations",
		description:
			"The newest first. A request examines a bounded number of reservations. With a selective filter, a page can have fewer than the requested rows, or none; follow `pagination.next` until it is null. HELD reservations are found directly.",
		path: { id: path.id },
		query: {
			featureId: ["Only this feature", "feature-seats"],
			resourceId: "Only this resource of the customer",
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
		summary: "Commit a reservation",
		description:
			"Records the actual usage; the default is the reserved amount. A larger amount, or an expired reservation, is decided again. A repeated commit changes nothing.",
		path: { id: "The reservation's id" },
		example: { amount: 1 },
		refusals: ["EntitlementLimitExceededError", "InvalidArgumentError", outOfRange],
		uncoded: noReservation,
	}),
	release: operation({
		operationId: "reservations.release",
		summary: "Release a reservation",
		path: { id: "The reservation's id" },
		refusals: ["InvalidArgumentError"],
		uncoded: noReservation,
	}),
};
