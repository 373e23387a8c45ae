import type {
	Branding,
	PortalBilling,
	PortalChange,
	PortalInvoice,
	PortalOptions,
	PortalOverview,
	PortalPreview,
} from "../areas/portal/schema";
import type { Checkout, CheckoutConfirmed, CheckoutDetails, CheckoutPreview } from "../areas/portal/schema.checkout";

export type {
	Branding,
	Checkout,
	CheckoutDetails,
	CheckoutPreview,
	PortalBilling,
	PortalChange,
	PortalInvoice,
	PortalOptions,
	PortalOverview,
	PortalPreview,
};

export type OwnSubscription = PortalOverview["subscriptions"][number];

/** An error response of the server. */
export class Refusal extends Error {
	constructor(
		message: string,
		readonly status: number,
		readonly code: string | null,
		readonly requestId: string | null,
	) {
		super(message);
	}
}

export interface Caller {
	/** The server's origin. */
	readonly base: string;
	/** A customer's token, or a publishable key. Widgets that show a customer also need its id and the signed id. */
	readonly token?: string | null;
	readonly key?: string | null;
	readonly customerId?: string | null;
	readonly customerToken?: string | null;
}

/** Fast clicks wait for a moment instead of showing the rate limit. */
const triesMax = 3;

async function send(
	{ base, token, key, customerToken }: Caller,
	method: string,
	path: string,
	body?: unknown,
): Promise<Response> {
	const headers = {
		...(token && { authorization: `Bearer ${token}` }),
		...(key && { "x-api-key": key }),
		...(customerToken && { "x-customer-token": customerToken }),
		...(body !== undefined && { "content-type": "application/json" }),
	};
	for (let tries = 1; ; tries += 1) {
		const response = await fetch(`${base}/api/v1${path}`, {
			method,
			headers,
			credentials: "omit",
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		if (response.ok) return response;
		const waitSeconds = Number(response.headers.get("retry-after") ?? "0");
		const isBusy = response.status === 429 || response.status === 503;
		if (isBusy && tries < triesMax && waitSeconds > 0 && waitSeconds <= 10) {
			await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000));
			continue;
		}
		const refusal = (await response.json().catch(() => ({}))) as { message?: string; code?: string | null };
		throw new Refusal(
			refusal.message ?? response.statusText,
			response.status,
			refusal.code ?? null,
			response.headers.get("x-request-id"),
		);
	}
}

async function data<T>(caller: Caller, method: string, path: string, body?: unknown): Promise<T> {
	const answer = (await (await send(caller, method, path, body)).json()) as { data: T };
	return answer.data;
}

const of = (id: string) => `/portal/subscriptions/${encodeURIComponent(id)}`;

const shownAt = ({ token, customerId }: Caller) =>
	token ? "/portal" : `/customers/${encodeURIComponent(customerId ?? "")}/portal`;

export const portalApi = (caller: Caller) => ({
	/** Whether the caller can only read, which holds for publishable keys. */
	onlyShows: !caller.token,
	overview: () => data<PortalOverview>(caller, "GET", shownAt(caller)),
	branding: () => data<Branding>(caller, "GET", "/portal/branding"),
	options: (id: string) => data<PortalOptions>(caller, "GET", `${of(id)}/options`),
	preview: (id: string, change: PortalChange) => data<PortalPreview>(caller, "POST", `${of(id)}/preview`, change),
	change: (id: string, change: PortalChange) => data<object>(caller, "POST", `${of(id)}/change`, change),
	cancel: (id: string) => data<object>(caller, "POST", `${of(id)}/cancel`),
	keep: (id: string) => data<object>(caller, "POST", `${of(id)}/keep`),
	updateBilling: (body: object) => data<PortalBilling>(caller, "PATCH", "/portal/billing", body),
	invoices: async (after: string | null) =>
		(await (
			await send(caller, "GET", `${shownAt(caller)}/invoices?limit=10${after ? `&after=${after}` : ""}`)
		).json()) as {
			data: PortalInvoice[];
			pagination: { next: string | null };
		},
	pdf: async (id: string) =>
		await (await send(caller, "GET", `${shownAt(caller)}/invoices/${encodeURIComponent(id)}/pdf`)).blob(),
});
export type PortalApi = ReturnType<typeof portalApi>;

export const checkoutApi = (caller: Caller) => ({
	read: () => data<Checkout>(caller, "GET", "/checkout"),
	branding: () => data<Branding>(caller, "GET", "/checkout/branding"),
	preview: (details: CheckoutDetails) => data<CheckoutPreview>(caller, "POST", "/checkout/preview", details),
	confirm: (body: CheckoutDetails & { readonly offer: string }) =>
		data<CheckoutConfirmed>(caller, "POST", "/checkout/confirm", body),
});

/** The part of `GET /api/v1/paywall` that a pricing table shows. */
export interface PricedPlan {
	readonly refId: string;
	readonly displayName: string;
	readonly description: string | null;
	readonly pricingType: string | null;
	readonly prices: ReadonlyArray<{
		readonly billingModel: string;
		readonly billingPeriod: string;
		readonly price: { readonly amount: number; readonly currency: string } | null;
		readonly feature: { readonly displayName: string; readonly featureUnits: string | null } | null;
	}>;
	readonly entitlements: readonly Brought[];
	readonly inheritedEntitlements: readonly Brought[];
}

interface Brought {
	readonly displayNameOverride: string | null;
	readonly usageLimit: number | null;
	readonly hasUnlimitedUsage: boolean | null;
	readonly feature: { readonly displayName: string; readonly featureUnitsPlural: string | null } | null;
}

export const paywall = async (
	caller: Caller,
	query: Readonly<Record<string, string | null>>,
): Promise<readonly PricedPlan[]> => {
	const asked = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])));
	return (await data<{ plans: PricedPlan[] }>(caller, "GET", `/paywall?${asked}`)).plans;
};
