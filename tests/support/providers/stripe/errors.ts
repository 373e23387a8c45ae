import type Stripe from "stripe";

interface ErrorBody {
	readonly type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
	readonly message: string;
	readonly code?: string;
	readonly param?: string;
	readonly decline_code?: string;
	readonly charge?: string;
	readonly payment_intent?: Stripe.PaymentIntent;
	readonly payment_method?: Stripe.PaymentMethod;
}

/** An answer of the stand-in that is an error. `isStored` says whether the idempotency key keeps it. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly body: ErrorBody,
		readonly isStored = true,
	) {
		super(body.message);
	}
}

/** A request that fails its validation; its key stays unused. */
export const invalid = (message: string, param?: string, code?: string) =>
	new Refusal(
		400,
		{ type: "invalid_request_error", message, ...(param !== undefined && { param }), ...(code && { code }) },
		false,
	);

export const missing = (what: string, id: string) =>
	new Refusal(
		404,
		{ type: "invalid_request_error", message: `No such ${what}: '${id}'`, param: "id", code: "resource_missing" },
		false,
	);

/** A request that the state of its object forbids. */
export const wrongState = (message: string, code: string, intent?: Stripe.PaymentIntent) =>
	new Refusal(400, { type: "invalid_request_error", message, code, ...(intent && { payment_intent: intent }) });
