import { signCustomer } from "../../../src/areas/access/rules.secrets";
import type { Answer, World } from "../../support/world";

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Calls by a customer's own token. */
export const callBy =
	(w: World, token: string): Call =>
	(method, path, body, headers = {}) =>
		w.call(method, path, { key: "", body, headers: { authorization: `Bearer ${token}`, ...headers } });

/** A customer's portal, by its link. */
export async function portalOf(w: World, customer = "acme", body: object = {}): Promise<Call> {
	const made = await w.call("POST", `/customers/${customer}/portal-sessions`, { body });
	if (made.status !== 201) throw new Error(JSON.stringify(made.body));
	return callBy(w, made.body.data.token);
}

/** The headers of a seller's page for a customer: the publishable key, and the customer ID signed by the seller's backend. */
export const signedBy = (w: World, customer: string): Record<string, string> => ({
	"x-api-key": w.publishableKey,
	"x-customer-token": signCustomer(w.services.authenticator.signingSecretOf(w.environmentId), customer),
});

export const tokenIn = (url: string): string => url.slice(url.indexOf("#") + 1);

export const order = {
	customerId: "acme",
	planId: "pro",
	billingPeriod: "MONTHLY",
	successUrl: "https://app.example/welcome",
	cancelUrl: "https://app.example/pricing",
};

/** An order of acme's, by its link. */
export async function checkoutOf(w: World, body: object = {}): Promise<{ call: Call; id: string }> {
	const made = await w.call("POST", "/checkout-sessions", { body: { ...order, ...body } });
	if (made.status !== 201) throw new Error(JSON.stringify(made.body));
	return { call: callBy(w, tokenIn(made.body.data.url)), id: made.body.data.id };
}
