import type { SentEvent, Till } from "../../../subscriptions/billing";

/** A price of calls with variants and groups; `amount` is the default price for each unit. */
export const segmented = (
	amount: number,
	variants: readonly object[] = [],
	{ period = {}, ...model }: { readonly period?: object; readonly [field: string]: unknown } = {},
) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	...model,
	pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount }, ...(variants.length > 0 && { variants }), ...period }],
});

export const variant = (match: Readonly<Record<string, readonly string[]>>, amount: number, more: object = {}) => ({
	match,
	price: { amount },
	...more,
});

let sent = 0;

/** Sends an event of calls, and waits until it is counted. */
export async function send(ours: Till, n: number, dimensions: object, timestamp?: string): Promise<SentEvent> {
	sent += 1;
	const { now } = await ours.insist("GET", "/environments/current/clock");
	const event = {
		...{ eventName: "calls", customerId: "acme", idempotencyKey: `s${sent}`, dimensions: { n, ...dimensions } },
		timestamp: timestamp ?? now,
	};
	await ours.insist("POST", "/events", { events: [event] });
	await ours.use("tokens", 0);
	return { eventName: "calls", customerId: "acme", idempotencyKey: event.idempotencyKey };
}
