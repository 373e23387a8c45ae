import type Stripe from "stripe";
import type { Account } from "./account";
import { charge } from "./charging";
import { invalid, missing, wrongState } from "./errors";
import { inner, type Params, text, texts } from "./form";
import { findMethod, getCustomer } from "./methods";
import { newIntent } from "./objects";

/** The provider rejects smaller amounts, in units of the currency. */
const smallest = 50;
const largest = 99_999_999;

export function createIntent(account: Account, params: Params): Stripe.PaymentIntent {
	const amount = Number(text(params, "amount"));
	if (!Number.isInteger(amount)) throw invalid("Invalid integer", "amount", "parameter_invalid_integer");
	const currency = text(params, "currency");
	if (currency === undefined) throw invalid("Missing required param: currency.", "currency", "parameter_missing");
	if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}.`, "currency");
	if (amount < smallest) throw invalid("Amount must be at least 50 units.", "amount", "amount_too_small");
	if (amount > largest) throw invalid("Amount must be no more than 99999999.", "amount", "amount_too_large");
	const customer = text(params, "customer");
	if (customer !== undefined) getCustomer(account, customer);
	const methodId = text(params, "payment_method");
	const method = methodId === undefined ? undefined : findMethod(account, methodId);
	if (method && method.customer !== null && method.customer !== customer)
		throw invalid("The PaymentMethod belongs to another customer.", "payment_method");
	const intent = newIntent(account, {
		...{ amount, currency, customer: customer ?? null, description: text(params, "description") ?? null },
		...{ metadata: texts(inner(params, "metadata")), payment_method: method?.id ?? null },
		setup_future_usage: (text(params, "setup_future_usage") as "off_session" | undefined) ?? null,
		status: method ? "requires_confirmation" : "requires_payment_method",
	});
	account.objects.intents.set(intent.id, intent);
	account.emit("payment_intent.created", intent);
	return text(params, "confirm") === "true" ? confirmIntent(account, intent.id, params) : intent;
}

export function getIntent({ objects }: Account, id: string): Stripe.PaymentIntent {
	const intent = objects.intents.get(id);
	if (!intent) throw missing("payment_intent", id);
	return intent;
}

export function confirmIntent(account: Account, id: string, params: Params): Stripe.PaymentIntent {
	const intent = getIntent(account, id);
	if (!["requires_payment_method", "requires_confirmation", "requires_action"].includes(intent.status))
		throw wrongState(
			`You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`,
			"payment_intent_unexpected_state",
			intent,
		);
	const methodId = text(params, "payment_method") ?? (intent.payment_method as string | null);
	if (methodId === null)
		throw wrongState(
			"You cannot confirm this PaymentIntent because it is missing a payment method.",
			"payment_intent_unexpected_state",
			intent,
		);
	const method = findMethod(account, methodId);
	if (method.customer === null && account.objects.hidden.get(methodId)?.isSetUp)
		throw wrongState("The PaymentMethod was detached from its customer.", "payment_method_unexpected_state", intent);
	charge(account, intent, method, {
		offSession: text(params, "off_session") === "true",
		returnUrl: text(params, "return_url") ?? null,
	});
	return intent;
}

export function cancelIntent(account: Account, id: string): Stripe.PaymentIntent {
	const intent = getIntent(account, id);
	const isOfOpenSession = [...account.objects.sessions.values()].some(
		({ payment_intent, status }) => payment_intent === id && status === "open",
	);
	if (isOfOpenSession || ["canceled", "succeeded", "processing"].includes(intent.status))
		throw wrongState(
			`You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
			"payment_intent_unexpected_state",
			intent,
		);
	intent.status = "canceled";
	intent.canceled_at = account.clock.seconds();
	account.emit("payment_intent.canceled", intent);
	return intent;
}
