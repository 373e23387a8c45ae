import type Stripe from "stripe";
import { type Account, later } from "./account";
import { findByNumber } from "./cards";
import { authenticate, charge, testMethodOf } from "./charging";
import { invalid, missing, Refusal, wrongState } from "./errors";
import { inner, list, type Params, text, texts } from "./form";
import { addMethod, attachTo, createCustomer, getCustomer } from "./methods";
import { newIntent, newSession, newSetup } from "./objects";

const sessionMs = 24 * 3_600_000;

export function createSession(account: Account, params: Params): Stripe.Checkout.Session {
	const mode = text(params, "mode");
	if (mode !== "payment" && mode !== "setup") throw invalid("The stand-in has the modes payment and setup.", "mode");
	const customer = text(params, "customer") ?? null;
	if (customer !== null) getCustomer(account, customer);
	const metadata = texts(inner(params, "metadata"));
	const session = newSession(account, {
		...{ mode, customer, metadata, client_reference_id: text(params, "client_reference_id") ?? null },
		...{ success_url: text(params, "success_url") ?? null, cancel_url: text(params, "cancel_url") ?? null },
		...{ customer_email: text(params, "customer_email") ?? null, currency: text(params, "currency") ?? null },
		payment_status: mode === "setup" ? "no_payment_required" : "unpaid",
	});
	if (session.success_url === null) throw invalid("Missing required param: success_url.", "success_url");
	if (mode === "setup") {
		const data = inner(params, "setup_intent_data");
		const setup = newSetup(account, { customer, metadata: texts(inner(data, "metadata")) });
		account.objects.setups.set(setup.id, setup);
		session.setup_intent = setup.id;
	} else sellItem(account, session, params);
	account.objects.sessions.set(session.id, session);
	later(account, sessionMs, "expire session", session.id);
	return session;
}

/** A page that pays sells one thing, and makes its intent at the first try, as the provider does. */
function sellItem({ objects }: Account, session: Stripe.Checkout.Session, params: Params): void {
	const [item] = list(params, "line_items");
	const price = typeof item === "object" ? inner(item, "price_data") : {};
	const amount = Number(text(price, "unit_amount"));
	const currency = text(price, "currency");
	if (!Number.isInteger(amount) || currency === undefined) throw invalid("The session sells nothing.", "line_items");
	Object.assign(session, { amount_subtotal: amount, amount_total: amount, currency });
	session.total_details = { amount_discount: 0, amount_shipping: 0, amount_tax: 0 };
	objects.names.set(session.id, text(inner(price, "product_data"), "name") ?? "");
	objects.names.set(`data ${session.id}`, JSON.stringify(inner(params, "payment_intent_data")));
}

export function getSession({ objects }: Account, id: string): Stripe.Checkout.Session {
	const session = objects.sessions.get(id);
	if (!session) throw missing("checkout.session", id);
	return session;
}

export function expireSession(account: Account, id: string): Stripe.Checkout.Session {
	const session = getSession(account, id);
	if (session.status !== "open")
		throw wrongState("Only open Checkout Sessions can be expired.", "resource_already_exists");
	session.status = "expired";
	session.url = null;
	const intent = account.objects.intents.get(String(session.payment_intent));
	if (intent && intent.status !== "succeeded") {
		intent.status = "canceled";
		intent.cancellation_reason = "expired";
		account.emit("payment_intent.canceled", intent);
	}
	account.emit("checkout.session.expired", session);
	return session;
}

/** The next step of a person on a page: another card, the authentication, or the way back. */
export type PageStep =
	| { readonly to: "done"; readonly url: string }
	| { readonly to: "authentication"; readonly url: string }
	| { readonly to: "again"; readonly message: string };

/** A person enters a number on the page of a session. */
export function submitPage(account: Account, session: Stripe.Checkout.Session, number: string): PageStep {
	const of = findByNumber(number);
	if (!of) return { to: "again", message: "The stand-in knows only the test numbers listed below." };
	if (session.customer === null) session.customer = createCustomer(account, {}).id;
	const method = addMethod(account, of);
	if (session.mode === "setup") return saveOnPage(account, session, method);
	const intent = intentOf(account, session);
	try {
		const returnUrl = `${account.baseUrl}/c/pay/${session.id}`;
		charge(account, intent, method, { offSession: false, returnUrl });
	} catch (error) {
		if (error instanceof Refusal) return { to: "again", message: error.message };
		throw error;
	}
	if (intent.status === "requires_action")
		return { to: "authentication", url: `${account.baseUrl}/3ds/${intent.id}?session=${session.id}` };
	return complete(account, session, intent.status === "succeeded" ? "paid" : "unpaid");
}

function intentOf(account: Account, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
	const { objects } = account;
	const existing = objects.intents.get(String(session.payment_intent));
	if (existing) return existing;
	const data = JSON.parse(objects.names.get(`data ${session.id}`) ?? "{}") as Params;
	const intent = newIntent(account, {
		...{ amount: session.amount_total ?? 0, currency: session.currency ?? "", customer: session.customer },
		...{ description: text(data, "description") ?? null, metadata: texts(inner(data, "metadata")) },
		setup_future_usage: text(data, "setup_future_usage") === "off_session" ? "off_session" : null,
	});
	objects.intents.set(intent.id, intent);
	session.payment_intent = intent.id;
	account.emit("payment_intent.created", intent);
	return intent;
}

/**
 * Saves a method. The stand-in also saves the test cards that the provider declines when they are saved, so that charges of saved methods
 * can fail with each code.
 */
function saveOnPage(account: Account, session: Stripe.Checkout.Session, method: Stripe.PaymentMethod): PageStep {
	const setup = account.objects.setups.get(String(session.setup_intent));
	if (!setup) return { to: "again", message: "This page is no longer valid." };
	setup.payment_method = method.id;
	if (testMethodOf(account, method).authentication === undefined) return endSetup(account, session, setup);
	setup.status = "requires_action";
	account.emit("setup_intent.requires_action", setup);
	return { to: "authentication", url: `${account.baseUrl}/3ds/${setup.id}?session=${session.id}` };
}

function endSetup(account: Account, session: Stripe.Checkout.Session, setup: Stripe.SetupIntent): PageStep {
	const { objects } = account;
	const method = objects.methods.get(String(setup.payment_method));
	const hidden = objects.hidden.get(String(setup.payment_method));
	if (!method || !hidden) return { to: "again", message: "This page is no longer valid." };
	hidden.isSetUp = true;
	setup.status = "succeeded";
	setup.customer = session.customer;
	attachTo(account, method, String(session.customer));
	account.emit("setup_intent.succeeded", setup);
	return complete(account, session, "no_payment_required");
}

function complete(
	account: Account,
	session: Stripe.Checkout.Session,
	paymentStatus: Stripe.Checkout.Session.PaymentStatus,
): PageStep {
	session.status = "complete";
	session.payment_status = paymentStatus;
	session.url = null;
	account.emit("checkout.session.completed", session);
	return { to: "done", url: (session.success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", session.id) };
}

/** A person ends the authentication page of an intent or a setup. */
export function submitAuthentication(account: Account, id: string, sessionId: string, isDone: boolean): PageStep {
	const { objects } = account;
	const session = objects.sessions.get(sessionId);
	const setup = objects.setups.get(id);
	const failure = "We are unable to authenticate your card. Please choose another one.";
	if (setup && session) {
		if (isDone) return endSetup(account, session, setup);
		setup.status = "requires_payment_method";
		account.emit("setup_intent.setup_failed", setup);
		return { to: "again", message: failure };
	}
	const intent = objects.intents.get(id);
	if (!intent) throw missing("payment_intent", id);
	const back = intent.next_action?.redirect_to_url?.return_url ?? "";
	try {
		authenticate(account, intent, isDone);
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		if (session) return { to: "again", message: error.message };
	}
	if (session && intent.status !== "succeeded") return { to: "again", message: failure };
	if (session) return complete(account, session, "paid");
	const address = new URL(back || account.baseUrl);
	address.searchParams.set("payment_intent", intent.id);
	address.searchParams.set("redirect_status", intent.status === "succeeded" ? "succeeded" : "failed");
	return { to: "done", url: address.href };
}
