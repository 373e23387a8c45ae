import type { Stripe } from "stripe";
import type { Instant } from "../../../../kernel/clock";
import { type HostedPage, type OpenedPage, type Provider, ProviderError } from "../provider";
import { toUnits } from "./amounts";
import { answerOf, idOf, methodOf, pageField, referenceField } from "./answers";
import { type Call, isClientError } from "./client";

/** Opens a page of the provider. A customer without a reference is created first, under a key of its own. */
export async function openPage(call: Call, page: HostedPage, key: string): Promise<OpenedPage> {
	const { client, options } = call;
	const customer = page.customerRef ?? (await createCustomer(call, page, key));
	const metadata = { [referenceField]: page.ours, [pageField]: "1" };
	const session = await client.checkout.sessions.create(
		{
			...{ customer, metadata, client_reference_id: page.ours },
			...{ success_url: page.successUrl, cancel_url: page.cancelUrl },
			...(page.purpose === "PAY" ? payment(page, metadata) : saving(page, metadata)),
		},
		options(key),
	);
	if (session.url === null) throw new ProviderError("REJECTED", "the provider opened a page without an address");
	const expiresAt = (session.expires_at * 1000) as Instant;
	return { ref: session.id, url: session.url, customerRef: customer, expiresAt };
}

async function createCustomer({ client, options }: Call, page: HostedPage, key: string): Promise<string> {
	const { id } = await client.customers.create(
		{
			metadata: { [referenceField]: page.ours },
			...(page.customerName !== null && { name: page.customerName }),
			...(page.customerEmail !== null && { email: page.customerEmail }),
		},
		options(`${key}:customer`),
	);
	return id;
}

function saving({ methodCurrency }: HostedPage, metadata: Stripe.MetadataParam): Stripe.Checkout.SessionCreateParams {
	// With a currency the provider offers all methods that the account has switched on.
	const methods = methodCurrency ? { currency: methodCurrency } : { payment_method_types: ["card" as const] };
	return { mode: "setup", setup_intent_data: { metadata }, ...methods };
}

function payment(page: HostedPage, metadata: Stripe.MetadataParam): Stripe.Checkout.SessionCreateParams {
	const { money, description, savesMethod } = page;
	if (money === null) throw new ProviderError("REJECTED", "a page that pays needs an amount");
	const { currency } = money;
	return {
		mode: "payment",
		line_items: [
			{ quantity: 1, price_data: { currency, unit_amount: toUnits(money), product_data: { name: description } } },
		],
		payment_intent_data: { metadata, description, ...(savesMethod && { setup_future_usage: "off_session" }) },
		// The customer pays in the currency of the invoice.
		adaptive_pricing: { enabled: false },
	};
}

const states = { open: "OPEN", complete: "COMPLETE", expired: "EXPIRED" } as const;

export async function lookPage({ client, options }: Call, ref: string): ReturnType<Provider["lookPage"]> {
	const session = await client.checkout.sessions.retrieve(
		ref,
		{
			expand: [
				...["setup_intent.payment_method", "payment_intent.payment_method"],
				"payment_intent.latest_charge.balance_transaction",
			],
		},
		options(),
	);
	const intent = typeof session.payment_intent === "object" ? session.payment_intent : null;
	const setup = typeof session.setup_intent === "object" ? session.setup_intent : null;
	const method = setup?.status === "succeeded" ? setup.payment_method : intent?.payment_method;
	const saved = typeof method === "object" && method !== null && idOf(method.customer) !== null ? method : null;
	return {
		state: states[(session.status ?? "open") as keyof typeof states] ?? "OPEN",
		method: saved && methodOf(saved),
		payment: intent && answerOf(intent),
	};
}

/** Closes a page. The provider refuses to expire a page that is complete or expired already. */
export async function closePage({ client, options }: Call, ref: string): Promise<void> {
	try {
		await client.checkout.sessions.expire(ref, {}, options());
	} catch (error) {
		if (!isClientError(error) || error.statusCode !== 400) throw error;
		const { status } = await client.checkout.sessions.retrieve(ref, {}, options());
		if (status === "open") throw error;
	}
}
