import type Stripe from "stripe";
import type { Account } from "./account";
import { findByName, findByNumber, type TestMethod } from "./cards";
import { invalid, missing, wrongState } from "./errors";
import { inner, type Params, text, texts } from "./form";
import { newCustomer, newMethod } from "./objects";

export function createCustomer(account: Account, params: Params): Stripe.Customer {
	const customer = newCustomer(account, {
		...{ name: text(params, "name") ?? null, email: text(params, "email") ?? null },
		...{ description: text(params, "description") ?? null, metadata: texts(inner(params, "metadata")) },
	});
	account.objects.customers.set(customer.id, customer);
	account.emit("customer.created", customer);
	return customer;
}

export function getCustomer({ objects }: Account, id: string): Stripe.Customer {
	const customer = objects.customers.get(id);
	if (!customer) throw missing("customer", id);
	return customer;
}

export function addMethod(account: Account, of: TestMethod): Stripe.PaymentMethod {
	const method = newMethod(account, of);
	account.objects.methods.set(method.id, method);
	return method;
}

/** Creates a method of a test number or a token, as a client with raw card data does. */
export function createMethod(account: Account, params: Params): Stripe.PaymentMethod {
	const card = inner(params, "card");
	const token = text(card, "token");
	const number = text(card, "number") ?? text(inner(params, "sepa_debit"), "iban");
	const of = token === undefined ? findByNumber(number ?? "") : findByName(token);
	if (!of) throw invalid("The stand-in knows only the documented test numbers.", "card", "incorrect_number");
	return addMethod(account, of);
}

/** Finds a saved method; the name of a test card, as `pm_card_visa`, makes a new one. */
export function findMethod(account: Account, id: string): Stripe.PaymentMethod {
	const saved = account.objects.methods.get(id);
	if (saved) return saved;
	const of = findByName(id);
	if (!of) throw missing("PaymentMethod", id);
	return addMethod(account, of);
}

export function attach(account: Account, id: string, params: Params): Stripe.PaymentMethod {
	const customer = getCustomer(account, text(params, "customer") ?? "");
	const method = findMethod(account, id);
	if (method.customer !== null && method.customer !== customer.id)
		throw wrongState("The payment method is already attached to a customer.", "payment_method_unexpected_state");
	return attachTo(account, method, customer.id);
}

export function attachTo(account: Account, method: Stripe.PaymentMethod, customerId: string): Stripe.PaymentMethod {
	method.customer = customerId;
	account.emit("payment_method.attached", method);
	return method;
}

export function detach(account: Account, id: string): Stripe.PaymentMethod {
	const method = account.objects.methods.get(id);
	if (!method) throw missing("PaymentMethod", id);
	if (method.customer === null)
		throw wrongState(
			"The payment method you provided is not attached to a customer so detachment is impossible.",
			"payment_method_unexpected_state",
		);
	method.customer = null;
	account.emit("payment_method.detached", method);
	return method;
}
