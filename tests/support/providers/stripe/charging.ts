import type Stripe from "stripe";
import { type Account, later } from "./account";
import { findByNumber, type TestMethod } from "./cards";
import { openDispute } from "./disputes";
import { Refusal } from "./errors";
import { move } from "./money";
import { newCharge } from "./objects";

export interface Confirmation {
	readonly offSession: boolean;
	readonly returnUrl: string | null;
	/** The customer has authenticated on the provider's page. */
	readonly isAuthenticated?: boolean;
}

export function testMethodOf({ objects }: Account, method: Stripe.PaymentMethod): TestMethod {
	const of = findByNumber(objects.hidden.get(method.id)?.number ?? "");
	if (!of) throw new Error(`The stand-in has lost the number of ${method.id}.`);
	return of;
}

const needsAuthentication = ({ authentication }: TestMethod, isSetUp: boolean, offSession: boolean): boolean =>
	authentication === "always" || (authentication === "unless set up" && !(isSetUp && offSession));

/** Charges the method of an intent, as a confirmation does. A decline changes the intent and throws a 402. */
export function charge(account: Account, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, by: Confirmation) {
	const of = testMethodOf(account, method);
	const isSetUp = account.objects.hidden.get(method.id)?.isSetUp ?? false;
	intent.payment_method = method.id;
	intent.last_payment_error = null;
	intent.next_action = null;
	if (!by.isAuthenticated && needsAuthentication(of, isSetUp, by.offSession)) {
		if (!by.offSession) return requireAction(account, intent, by.returnUrl);
		throw decline(account, intent, method, {
			...{ code: "authentication_required", declineCode: "authentication_required" },
			message: "Your card was declined. This transaction requires authentication.",
		});
	}
	if (of.decline) throw decline(account, intent, method, of.decline);
	if (of.kind === "sepa_debit") return processDebit(account, intent, method);
	const made = newCharge(account, intent, method, {});
	account.objects.charges.set(made.id, made);
	succeed(account, intent, made);
	if (of.dispute) openDispute(account, made, of.dispute);
}

/** The money of an intent arrives. */
export function succeed(account: Account, intent: Stripe.PaymentIntent, made: Stripe.Charge): void {
	const { amount, currency } = made;
	const type = made.id.startsWith("ch") ? "charge" : "payment";
	made.balance_transaction = move(account, type, { amount, currency, source: made.id }).id;
	Object.assign(made, { status: "succeeded", paid: true, amount_captured: amount } satisfies Partial<Stripe.Charge>);
	made.outcome = {
		...{ advice_code: null, network_advice_code: null, network_decline_code: null, reason: null },
		...{ network_status: "approved_by_network", seller_message: "Payment complete.", type: "authorized" },
	};
	Object.assign(intent, {
		...{ status: "succeeded", amount_received: amount, latest_charge: made.id, next_action: null },
	} satisfies Partial<Stripe.PaymentIntent>);
	if (intent.setup_future_usage) attachSaved(account, intent);
	account.emit("charge.succeeded", made);
	account.emit("payment_intent.succeeded", intent);
}

/** A payment that saves its method attaches it to the customer. */
function attachSaved(account: Account, intent: Stripe.PaymentIntent): void {
	const method = account.objects.methods.get(String(intent.payment_method));
	if (!method || method.customer !== null || intent.customer === null) return;
	method.customer = intent.customer as string;
	const hidden = account.objects.hidden.get(method.id);
	if (hidden) hidden.isSetUp = true;
	account.emit("payment_method.attached", method);
}

function requireAction(account: Account, intent: Stripe.PaymentIntent, returnUrl: string | null): void {
	intent.status = "requires_action";
	intent.next_action =
		returnUrl === null
			? { type: "use_stripe_sdk", use_stripe_sdk: {} }
			: {
					type: "redirect_to_url",
					redirect_to_url: { return_url: returnUrl, url: `${account.baseUrl}/3ds/${intent.id}` },
				};
	account.emit("payment_intent.requires_action", intent);
}

function processDebit(account: Account, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): void {
	const made = newCharge(account, intent, method, {});
	account.objects.charges.set(made.id, made);
	intent.latest_charge = made.id;
	intent.status = "processing";
	later(account, account.debitMs, "settle debit", intent.id);
	account.emit("charge.pending", made);
	account.emit("payment_intent.processing", intent);
}

/** Ends a direct debit by the test account that it debits. */
export function settleDebit(account: Account, intentId: string): void {
	const { objects } = account;
	const intent = objects.intents.get(intentId);
	const made = objects.charges.get(String(intent?.latest_charge));
	const method = objects.methods.get(String(intent?.payment_method));
	if (intent?.status !== "processing" || !made || !method) return;
	const { debit } = testMethodOf(account, method);
	if (debit === "fails") {
		const message = "The customer's account has insufficient funds to cover this payment.";
		Object.assign(made, { status: "failed", failure_code: "insufficient_funds", failure_message: message });
		failIntent(account, intent, method, { code: "insufficient_funds", declineCode: null, message }, made);
		return;
	}
	succeed(account, intent, made);
	if (debit === "disputed") openDispute(account, made, "debit_returned");
}

interface Decline {
	readonly code: string;
	readonly declineCode: string | null;
	readonly message: string;
}

function decline(account: Account, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, why: Decline): Refusal {
	const { code, declineCode, message } = why;
	const made = newCharge(account, intent, method, { status: "failed", failure_code: code, failure_message: message });
	made.outcome = {
		...{ advice_code: "do_not_try_again", network_advice_code: null, network_decline_code: null, reason: declineCode },
		...{ network_status: "declined_by_network", seller_message: message, type: "issuer_declined" },
	};
	account.objects.charges.set(made.id, made);
	failIntent(account, intent, method, why, made);
	return new Refusal(402, {
		...{ type: "card_error", code, message, charge: made.id, payment_intent: intent, payment_method: method },
		...(declineCode !== null && { decline_code: declineCode }),
	});
}

function failIntent(
	account: Account,
	intent: Stripe.PaymentIntent,
	method: Stripe.PaymentMethod,
	{ code, declineCode, message }: Decline,
	made: Stripe.Charge | null,
): void {
	intent.status = "requires_payment_method";
	intent.payment_method = null;
	intent.next_action = null;
	if (made) intent.latest_charge = made.id;
	intent.last_payment_error = {
		...{ type: "card_error", code, message, payment_method: method },
		...(declineCode !== null && { decline_code: declineCode }),
		...(made && { charge: made.id }),
	};
	if (made) account.emit("charge.failed", made);
	account.emit("payment_intent.payment_failed", intent);
}

/** The customer has ended the authentication of an intent. Throws the 402 of a decline that follows. */
export function authenticate(account: Account, intent: Stripe.PaymentIntent, isDone: boolean): void {
	const method = account.objects.methods.get(String(intent.payment_method));
	if (intent.status !== "requires_action" || !method) return;
	const message = "We are unable to authenticate your payment method. Please choose a different one and try again.";
	if (isDone) charge(account, intent, method, { offSession: false, returnUrl: null, isAuthenticated: true });
	else {
		const why = { code: "payment_intent_authentication_failure", declineCode: null, message };
		failIntent(account, intent, method, why, null);
	}
}
