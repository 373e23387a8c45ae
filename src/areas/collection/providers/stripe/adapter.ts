import type { Stripe } from "stripe";
import { type Answer, type Capabilities, type Credentials, type Provider, ProviderError } from "../provider";
import { toUnits } from "./amounts";
import { answerOf, disputeOf, expandedIntent, idOf, methodOf, referenceField, refundOf } from "./answers";
import { type Call, callerOf, isClientError, isMissing } from "./client";
import { readSignedEvent } from "./events";
import { assertEvidence } from "./evidence";
import { movementsSince } from "./movements";
import { closePage, lookPage, openPage } from "./pages";

/**
 * Payments are intents in two steps. The search by our reference lags behind by up to an hour, so it is not complete; a lost reference
 * of an intent costs nobody anything, since only a confirmation charges. Refunds are listed by their payment, completely.
 */
const can: Capabilities = {
	...{ twoSteps: true, savedMethods: true, partialRefunds: true, disputes: true },
	...{ findByReference: false, keyHours: 24 },
};

const expand = [...expandedIntent];

/** The provider demands an address for the way back in each confirmation. Nobody is sent there without the customer. */
const nowhere = "https://example.com/";

/** Opens the adapter of one account of the provider. */
export function openStripe(credentials: Credentials): Provider {
	const call = callerOf(credentials);
	return {
		can,
		verify: () => call(verify),
		openPage: (page, key) => call((one) => openPage(one, page, key)),
		lookPage: (ref) => call((one) => lookPage(one, ref)),
		closePage: (ref) => call((one) => closePage(one, ref)),
		lookMethod: (ref) => call((one) => lookMethod(one, ref)),
		detachMethod: (ref) => call((one) => detachMethod(one, ref)),
		create: ({ ours, money, customerRef, methodRef, description }, key) =>
			call(async ({ client, options }) => {
				const intent = await client.paymentIntents.create(
					{
						...{ amount: toUnits(money), currency: money.currency, description, expand },
						...{ customer: customerRef, payment_method: methodRef, metadata: { [referenceField]: ours } },
						automatic_payment_methods: { enabled: true },
					},
					options(key),
				);
				return answerOf(intent);
			}),
		confirm: (ref, key, returnUrl) => call((one) => confirm(one, ref, key, returnUrl)),
		look: (payment) => call((one) => look(one, payment)),
		cancel: (ref) => call((one) => cancel(one, ref)),
		refund: ({ ours, paymentRef, money, reason }, key) =>
			call(async ({ client, options }) => {
				const refund = await client.refunds.create(
					{
						...{ payment_intent: paymentRef, amount: toUnits(money) },
						metadata: { [referenceField]: ours, ...(reason !== null && { reason: reason.slice(0, 500) }) },
					},
					options(key),
				);
				return refundOf(refund);
			}),
		lookRefund: (refund, paymentRef) => call((one) => lookRefund(one, refund, paymentRef)),
		lookDispute: (ref) =>
			call((one) => orNotFound(async () => disputeOf(await one.client.disputes.retrieve(ref, {}, one.options())))),
		sendEvidence: (ref, evidence, key) =>
			call(async ({ client, options }) => {
				assertEvidence(evidence);
				return disputeOf(await client.disputes.update(ref, { evidence, submit: true }, options(key)));
			}),
		acceptDispute: (ref) => call((one) => acceptDispute(one, ref)),
		readEvent: async (...event) => readSignedEvent(...event),
		movements: (since) => movementsSince(call, since),
	};
}

async function orNotFound<T>(run: () => Promise<T>): Promise<T | "NOT_FOUND"> {
	try {
		return await run();
	} catch (error) {
		if (isMissing(error)) return "NOT_FOUND";
		throw error;
	}
}

async function verify({ client, options }: Call) {
	const [account, balance] = await Promise.all([
		client.accounts.retrieveCurrent({}, options()),
		client.balance.retrieve({}, options()),
	]);
	const name = account.settings?.dashboard?.display_name ?? account.business_profile?.name;
	return { account: name ? `${name} (${account.id})` : account.id, live: balance.livemode };
}

const lookMethod = ({ client, options }: Call, ref: string) =>
	orNotFound(async () => {
		const method = await client.paymentMethods.retrieve(ref, {}, options());
		return idOf(method.customer) === null ? ("NOT_FOUND" as const) : methodOf(method);
	});

async function detachMethod(call: Call, ref: string): Promise<void> {
	try {
		await call.client.paymentMethods.detach(ref, {}, call.options());
	} catch (error) {
		if (!isClientError(error) || (await lookMethod(call, ref)) !== "NOT_FOUND") throw error;
	}
}

/**
 * Confirms a payment without the customer. If the bank demands an authentication and the customer has a way back, the adapter confirms
 * again as a payment with the customer, under a key of its own: the answer has the address where the customer authenticates. The intent
 * succeeds once, so the second confirmation cannot charge twice.
 */
async function confirm(call: Call, ref: string, key: string, returnUrl?: string): Promise<Answer> {
	const { client, options } = call;
	const answer = await declinedOrDone(call, ref, () =>
		client.paymentIntents.confirm(ref, { off_session: true, return_url: returnUrl ?? nowhere, expand }, options(key)),
	);
	const { failure, method } = answer;
	if (answer.state !== "FAILED" || failure?.bucket !== "AUTHENTICATE" || returnUrl === undefined || !method)
		return answer;
	return await declinedOrDone(call, ref, () =>
		client.paymentIntents.confirm(
			ref,
			{ payment_method: method.ref, return_url: returnUrl, expand },
			options(`${key}:authenticate`),
		),
	);
}

/** A decline is an answer about the payment, and so is a refusal because the payment has moved on. */
async function declinedOrDone(call: Call, ref: string, run: () => Promise<Stripe.PaymentIntent>): Promise<Answer> {
	try {
		return answerOf(await run());
	} catch (error) {
		const isAnswer =
			isClientError(error) && (error.type === "StripeCardError" || error.code === "payment_intent_unexpected_state");
		if (!isAnswer) throw error;
		return await lookByRef(call, ref);
	}
}

async function lookByRef({ client, options }: Call, ref: string): Promise<Answer> {
	const intent = await client.paymentIntents.retrieve(ref, { expand }, options());
	const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
	if (!charge?.disputed) return answerOf(intent);
	const { data } = await client.disputes.list({ payment_intent: ref, limit: 100 }, options());
	return answerOf(intent, data);
}

const look = (call: Call, payment: Parameters<Provider["look"]>[0]): Promise<Answer | "NOT_FOUND"> =>
	orNotFound(async () => {
		if (typeof payment === "string") return await lookByRef(call, payment);
		// Our references have no quotation marks; the query language has no way to escape them safely.
		if (!/^[\w:.-]{1,255}$/.test(payment.ours)) throw new ProviderError("REJECTED", "the reference is not searchable");
		const query = `metadata['${referenceField}']:'${payment.ours}'`;
		const { data } = await call.client.paymentIntents.search({ query, limit: 10 }, call.options());
		const [found] = data.filter(({ metadata }) => metadata[referenceField] === payment.ours);
		return found ? await lookByRef(call, found.id) : ("NOT_FOUND" as const);
	});

async function cancel(call: Call, ref: string): Promise<Answer> {
	try {
		return answerOf(await call.client.paymentIntents.cancel(ref, { expand }, call.options()));
	} catch (error) {
		if (!isClientError(error) || error.code !== "payment_intent_unexpected_state") throw error;
		return await lookByRef(call, ref);
	}
}

const lookRefund = ({ client, options }: Call, refund: Parameters<Provider["lookRefund"]>[0], paymentRef: string) =>
	orNotFound(async () => {
		if (typeof refund === "string") return refundOf(await client.refunds.retrieve(refund, {}, options()));
		let after: string | undefined;
		for (;;) {
			const { data, has_more: hasMore } = await client.refunds.list(
				{ payment_intent: paymentRef, limit: 100, ...(after !== undefined && { starting_after: after }) },
				options(),
			);
			const found = data.find(({ metadata }) => metadata?.[referenceField] === refund.ours);
			if (found) return refundOf(found);
			after = data.at(-1)?.id;
			if (!hasMore || after === undefined) return "NOT_FOUND" as const;
		}
	});

async function acceptDispute({ client, options }: Call, ref: string) {
	try {
		return disputeOf(await client.disputes.close(ref, {}, options()));
	} catch (error) {
		if (!isClientError(error) || error.statusCode !== 400) throw error;
		const dispute = disputeOf(await client.disputes.retrieve(ref, {}, options()));
		if (dispute.state !== "LOST") throw error;
		return dispute;
	}
}
