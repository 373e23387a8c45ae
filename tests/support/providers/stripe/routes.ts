import type Stripe from "stripe";
import { type Account, findObject, newId } from "./account";
import { createSession, expireSession, getSession } from "./checkout";
import { acceptDispute, takeEvidence } from "./disputes";
import { invalid, missing } from "./errors";
import { inner, type Params, text, texts } from "./form";
import { cancelIntent, confirmIntent, createIntent, getIntent } from "./intents";
import { attach, createCustomer, createMethod, detach, findMethod, getCustomer } from "./methods";
import { balance, payOut } from "./money";
import { refund } from "./refunds";

/** The answer of an operation: an object of the client's types, or a page of a list. */
type Result =
	| Stripe.Account
	| Stripe.Balance
	| Stripe.Customer
	| Stripe.PaymentMethod
	| Stripe.SetupIntent
	| Stripe.PaymentIntent
	| Stripe.Checkout.Session
	| Stripe.Charge
	| Stripe.Refund
	| Stripe.Dispute
	| Stripe.BalanceTransaction
	| Stripe.Payout
	| Stripe.WebhookEndpoint
	| Stripe.EventBase
	| Stripe.ApiList<object>
	| Stripe.ApiSearchResult<object>;

export type Operation = (account: Account, params: Params, id: string) => Result;

const found =
	<T>(what: string, from: (account: Account) => ReadonlyMap<string, T>) =>
	(account: Account, _: Params, id: string) => {
		const object = from(account).get(id);
		if (!object) throw missing(what, id);
		return object;
	};

interface Listed {
	readonly id: string;
	readonly created: number;
}

/** A page of a list, newest first, with the filters and cursors of the provider. */
function page<T extends Listed>(
	all: ReadonlyMap<string, T>,
	url: string,
	params: Params,
	matches: (one: T) => boolean,
): Stripe.ApiList<T> {
	const created = inner(params, "created");
	const [from, after] = [Number(text(created, "gte") ?? 0), Number(text(created, "gt") ?? -1)];
	const [to, before] = [Number(text(created, "lte") ?? Infinity), Number(text(created, "lt") ?? Infinity)];
	const rows = [...all.values()]
		.filter((one) => one.created >= from && one.created > after && one.created <= to && one.created < before)
		.filter(matches)
		.reverse();
	const limit = Math.min(Number(text(params, "limit") ?? 10), 100);
	const start = text(params, "starting_after");
	const end = text(params, "ending_before");
	const first = start === undefined ? 0 : rows.findIndex(({ id }) => id === start) + 1;
	if (end !== undefined) {
		const last = rows.findIndex(({ id }) => id === end);
		const data = rows.slice(Math.max(0, last - limit), Math.max(0, last));
		return { object: "list", data, has_more: last > limit, url };
	}
	return { object: "list", data: rows.slice(first, first + limit), has_more: rows.length > first + limit, url };
}

const same = (params: Params, name: string, value: unknown): boolean =>
	text(params, name) === undefined || text(params, name) === value;

/** Searches the metadata of intents: `metadata['name']:'value'`. */
function searchIntents({ objects }: Account, params: Params): Stripe.ApiSearchResult<Stripe.PaymentIntent> {
	const [, name, value] = /^metadata\['([^']+)'\]:'([^']*)'$/.exec(text(params, "query") ?? "") ?? [];
	if (name === undefined) throw invalid("The stand-in searches by one metadata field.", "query");
	const data = [...objects.intents.values()].filter(({ metadata }) => metadata[name] === value).reverse();
	return {
		...{ object: "search_result", data, has_more: false, next_page: null, url: "/v1/payment_intents/search" },
	};
}

const ownAccount = (): Stripe.Account => ({
	...{ id: "acct_1StandIn", object: "account", charges_enabled: true, country: "DE", default_currency: "eur" },
	...{ details_submitted: true, email: "stand-in@example.com", payouts_enabled: true, type: "standard" },
	settings: null,
	business_profile: {
		...{ annual_revenue: null, estimated_worker_count: null, mcc: null, minority_owned_business_designation: null },
		...{ name: "The stand-in", product_description: null, support_address: null, support_email: null },
		...{ specified_commercial_transactions_act_url: null, support_phone: null, support_url: null, url: null },
	},
});

function addEndpoint(account: Account, params: Params): Stripe.WebhookEndpoint {
	const url = text(params, "url");
	if (url === undefined) throw invalid("Missing required param: url.", "url");
	const endpoint: Stripe.WebhookEndpoint = {
		...{ id: newId(account, "we"), object: "webhook_endpoint", api_version: null, application: null, url },
		...{ created: account.clock.seconds(), description: null, enabled_events: ["*"], livemode: false, metadata: {} },
		...{ secret: `whsec_${account.random.letters(32)}`, status: "enabled" },
	};
	account.objects.endpoints.set(endpoint.id, endpoint);
	return endpoint;
}

const dispute = found("dispute", ({ objects }) => objects.disputes);

/** The operations by `METHOD path`; `*` is an id. */
export const operations: Readonly<Record<string, Operation>> = {
	"GET /v1/account": ownAccount,
	"GET /v1/balance": balance,
	"POST /v1/customers": createCustomer,
	"GET /v1/customers/*": (account, _, id) => getCustomer(account, id),
	"POST /v1/customers/*": (account, params, id) => {
		const customer = getCustomer(account, id);
		Object.assign(customer.metadata, texts(inner(params, "metadata")));
		return customer;
	},
	"GET /v1/customers/*/payment_methods": (account, params, id) =>
		page(account.objects.methods, "/v1/payment_methods", params, ({ customer }) => customer === id),
	"POST /v1/payment_methods": createMethod,
	"GET /v1/payment_methods": (account, params) =>
		page(account.objects.methods, "/v1/payment_methods", params, ({ customer }) => same(params, "customer", customer)),
	"GET /v1/payment_methods/*": (account, _, id) => findMethod(account, id),
	"POST /v1/payment_methods/*/attach": (account, params, id) => attach(account, id, params),
	"POST /v1/payment_methods/*/detach": (account, _, id) => detach(account, id),
	"GET /v1/setup_intents/*": found("setup_intent", ({ objects }) => objects.setups),
	"POST /v1/payment_intents": createIntent,
	"GET /v1/payment_intents": (account, params) =>
		page(account.objects.intents, "/v1/payment_intents", params, ({ customer }) => same(params, "customer", customer)),
	"GET /v1/payment_intents/search": searchIntents,
	"GET /v1/payment_intents/*": (account, _, id) => getIntent(account, id),
	"POST /v1/payment_intents/*/confirm": (account, params, id) => confirmIntent(account, id, params),
	"POST /v1/payment_intents/*/cancel": (account, _, id) => cancelIntent(account, id),
	"POST /v1/checkout/sessions": createSession,
	"GET /v1/checkout/sessions": (account, params) =>
		page(account.objects.sessions, "/v1/checkout/sessions", params, (one) =>
			same(params, "payment_intent", one.payment_intent),
		),
	"GET /v1/checkout/sessions/*": (account, _, id) => getSession(account, id),
	"POST /v1/checkout/sessions/*/expire": (account, _, id) => expireSession(account, id),
	"GET /v1/charges/*": found("charge", ({ objects }) => objects.charges),
	"POST /v1/refunds": refund,
	"GET /v1/refunds": (account, params) =>
		page(
			account.objects.refunds,
			"/v1/refunds",
			params,
			(one) => same(params, "payment_intent", one.payment_intent) && same(params, "charge", one.charge),
		),
	"GET /v1/refunds/*": found("refund", ({ objects }) => objects.refunds),
	"GET /v1/disputes": (account, params) =>
		page(
			account.objects.disputes,
			"/v1/disputes",
			params,
			(one) => same(params, "payment_intent", one.payment_intent) && same(params, "charge", one.charge),
		),
	"GET /v1/disputes/*": dispute,
	"POST /v1/disputes/*": (account, params, id) => {
		const one = dispute(account, params, id);
		takeEvidence(account, one, inner(params, "evidence"), text(params, "submit") !== "false");
		return one;
	},
	"POST /v1/disputes/*/close": (account, params, id) => {
		const one = dispute(account, params, id);
		acceptDispute(account, one);
		return one;
	},
	"GET /v1/balance_transactions": (account, params) =>
		page(account.objects.movements, "/v1/balance_transactions", params, ({ type, currency }) =>
			[same(params, "type", type), same(params, "currency", currency)].every(Boolean),
		),
	"GET /v1/balance_transactions/*": found("balance_transaction", ({ objects }) => objects.movements),
	"POST /v1/payouts": (account, params) =>
		payOut(account, Number(text(params, "amount")), text(params, "currency") ?? ""),
	"GET /v1/payouts": (account, params) => page(account.objects.payouts, "/v1/payouts", params, () => true),
	"GET /v1/payouts/*": found("payout", ({ objects }) => objects.payouts),
	"GET /v1/events": (account, params) =>
		page(account.objects.events, "/v1/events", params, ({ type }) => same(params, "type", type)),
	"GET /v1/events/*": found("event", ({ objects }) => objects.events),
	"POST /v1/webhook_endpoints": addEndpoint,
	"GET /v1/webhook_endpoints/*": found("webhook_endpoint", ({ objects }) => objects.endpoints),
};

/** Finds the operation of a request. */
export function findOperation(method: string, path: string): { operation: Operation; id: string } | undefined {
	const exact = operations[`${method} ${path}`];
	if (exact) return { operation: exact, id: "" };
	const parts = path.split("/");
	for (const at of [3, 4]) {
		const id = parts[at];
		if (id === undefined) continue;
		const operation = operations[`${method} ${parts.with(at, "*").join("/")}`];
		if (operation) return { operation, id };
	}
	return undefined;
}

/** Replaces ids by their objects along the paths of `expand`, as `latest_charge.balance_transaction` or `data.source`. */
export function expanded(account: Account, result: object, paths: readonly string[]): object {
	let copy: object = result;
	for (const path of paths) copy = expandPath(account, copy, path.split("."));
	return copy;
}

function expandPath(account: Account, value: unknown, path: readonly string[]): object {
	if (Array.isArray(value)) return value.map((one) => expandPath(account, one, path));
	const [name, ...rest] = path;
	const fields = { ...(value as Readonly<Record<string, unknown>>) };
	if (name === undefined || !(name in fields)) return fields;
	const inside = fields[name];
	const object = typeof inside === "string" ? (findObject(account, inside) ?? inside) : inside;
	fields[name] =
		typeof object === "object" && object !== null && rest.length > 0 ? expandPath(account, object, rest) : object;
	return fields;
}
