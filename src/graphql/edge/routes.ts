import { type TSchema, Type } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { networkOf } from "../../http/client-address";
import { identity, type Permit } from "../../http/identity";
import { HttpRefusal } from "../../http/refusal";
import { queryValues } from "../../kernel/query";
import type { Actor } from "../../kernel/work";
import type { Services } from "../../server/context";
import { type FixedAnswer, FixedAnswers } from "./answers";
import {
	configurationDocument,
	entitlementDocument,
	entitlementsDocument,
	paywallDocument,
	stateDocument,
	subscriptionsDocument,
} from "./documents";
import {
	EntitlementsQuery,
	inEnvironment,
	NoQuery,
	ofCustomer,
	ofProduct,
	PaywallQuery,
	StateQuery,
	SubscriptionsQuery,
} from "./schema";

type Texts = Readonly<Record<string, string | undefined>>;

/** An address that clients read without GraphQL (docs/interface/graphql.md). */
interface EdgeRoute {
	readonly path: string;
	readonly permit: Permit;
	readonly params?: Readonly<Record<string, TSchema>>;
	readonly query: TSchema;
	readonly asks: (params: Texts, query: Texts) => FixedAnswer;
}

const catalogue = { scope: "CATALOG:READ", publishable: true } as const;
const customer = { scope: "CUSTOMER:READ", publishable: true, customer: "customerId" } as const;

/** The input of the paywall operation. */
export const paywallInput = ({ billingCountryCode: country, fetchAllCountriesPrices, includeHiddenPlans }: Texts) => ({
	...(country && country !== "undefined" && { billingCountryCode: country }),
	fetchAllCountriesPrices: fetchAllCountriesPrices === "true",
	includeHiddenPlans: includeHiddenPlans === "true",
});

const holderOf = ({ customerId = "" }: Texts, { resourceId }: Texts) => ({
	customerId,
	resourceId: resourceId || null,
});

const configuration = (name: string): EdgeRoute => ({
	path: `/config/${name}-configuration.json`,
	permit: { publishable: true },
	query: NoQuery,
	asks: () => ({ document: configurationDocument, variables: {} }),
});

const routes: readonly EdgeRoute[] = [
	...["server-sdk", "client-sdk", "persistent-cache-service"].map(configuration),
	{
		path: "/credentials/event-queue.json",
		permit: {},
		query: NoQuery,
		// Events are sent by HTTP only: there is no queue with credentials.
		asks: () => ({ document: configurationDocument, variables: {}, data: () => ({ eventQueue: null }) }),
	},
	{
		path: "/paywall.json",
		permit: catalogue,
		query: PaywallQuery,
		asks: (_, query) => ({ document: paywallDocument, variables: { input: paywallInput(query) } }),
	},
	{
		path: "/p/:productId/paywall.json",
		permit: catalogue,
		params: ofProduct,
		query: PaywallQuery,
		asks: ({ productId }, query) => ({
			document: paywallDocument,
			variables: { input: { ...paywallInput(query), productId } },
		}),
	},
	{
		path: "/c/:customerId/entitlements-state.json",
		permit: customer,
		params: ofCustomer,
		query: StateQuery,
		asks(params, query) {
			const holder = holderOf(params, query);
			return { document: stateDocument, variables: { query: holder }, holder };
		},
	},
	{
		path: "/c/:customerId/entitlements.json",
		permit: customer,
		params: ofCustomer,
		query: EntitlementsQuery,
		asks: entitlements,
	},
	{
		path: "/c/:customerId/subscriptions.json",
		// A web page may read a customer's entitlements, but not its subscriptions.
		permit: { scope: "SUBSCRIPTION:READ" },
		params: ofCustomer,
		query: SubscriptionsQuery,
		asks({ customerId = "" }, { resourceId, resourceIds }) {
			const ids = queryValues(resourceIds);
			const input = { customerId, ...(resourceId && { resourceId }), ...(ids && { resourceIds: ids }) };
			return { document: subscriptionsDocument, variables: { input }, holder: { customerId, resourceId: null } };
		},
	},
];

/** All granted entitlements, or the decision on one feature with the requested usage. */
function entitlements(params: Texts, query: Texts): FixedAnswer {
	const holder = holderOf(params, query);
	const { featureId, requestedUsage } = query;
	if (featureId === undefined) return { document: entitlementsDocument, variables: { query: holder }, holder };
	const options = requestedUsage === undefined ? {} : { requestedUsage: Number(requestedUsage) };
	return {
		document: entitlementDocument,
		variables: { query: { ...holder, featureId, options } },
		holder,
		data: ({ entitlement }) => ({ entitlements: [entitlement] }),
	};
}

/** The key selects the environment. An address of another environment is not found. */
function assertOwn({ accountId, environmentId }: Texts, actor: Actor): void {
	if (environmentId === undefined || (environmentId === actor.environmentId && accountId === actor.accountId)) return;
	throw new HttpRefusal(404, `There is no environment '${environmentId}' of an account '${accountId}' for this key.`);
}

const prefixes = [
	["/v1", {}],
	["/v1/a/:accountId/e/:environmentId", inEnvironment],
] as const;

/** GET routes with GraphQL's bodies, for known clients and for proxies between them and Tollgate. */
export function edgeRoutes(services: Services): AnyElysia {
	const answers = new FixedAnswers(services);
	const { senders, edgeLimit } = services;
	const app = new Elysia({ tags: ["GraphQL"], normalize: false }).use(identity(services));
	for (const [prefix, own] of prefixes)
		for (const { path, permit, params, query, asks } of routes) {
			const named = { ...own, ...params };
			app.get(
				`${prefix}${path}`,
				({ request, server, set, actor, read, params: given, query: asked }) => {
					edgeLimit.count(networkOf(senders.of(request, server)), (headers) => Object.assign(set.headers, headers));
					const texts: Texts = given ?? {};
					assertOwn(texts, actor);
					return answers.answer(request, read, asks(texts, asked as Texts));
				},
				{
					permit,
					query,
					// The framework accepts no empty schema.
					...(Object.keys(named).length > 0 && { params: Type.Object(named, { additionalProperties: false }) }),
				},
			);
		}
	return app;
}
