import { type Evidence, ProviderError } from "../provider";

/** The texts that a dispute takes as evidence. See the client's `DisputeUpdateParams.Evidence`. */
const textFields: ReadonlySet<string> = new Set(
	`access_activity_log billing_address cancellation_policy_disclosure cancellation_rebuttal customer_email_address customer_name
	customer_purchase_ip duplicate_charge_explanation duplicate_charge_id product_description refund_policy_disclosure
	refund_refusal_explanation service_date shipping_address shipping_carrier shipping_date shipping_tracking_number uncategorized_text`.split(
		/\s+/,
	),
);
/** All texts together. See docs.stripe.com/disputes/best-practices. */
const charactersMax = 150_000;

/** Throws REJECTED if a field has no place at the provider. */
export function assertEvidence(evidence: Evidence): void {
	const unknown = Object.keys(evidence).find((field) => !textFields.has(field));
	if (unknown !== undefined)
		throw new ProviderError(
			"REJECTED",
			`'${unknown}' is no field of evidence; use one of ${[...textFields].join(", ")}`,
		);
	const length = Object.values(evidence).reduce((sum, value) => sum + value.length, 0);
	if (length > charactersMax)
		throw new ProviderError("REJECTED", `the evidence has ${length} characters; the provider takes ${charactersMax}`);
}
