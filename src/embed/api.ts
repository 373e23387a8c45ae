import type { OfPeriod } from "./billing-period";

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

export async function send(
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

export async function data<T>(caller: Caller, method: string, path: string, body?: unknown): Promise<T> {
	const answer = (await (await send(caller, method, path, body)).json()) as { data: T };
	return answer.data;
}

/** The part of `GET /api/v1/paywall` that a pricing table shows. */
export interface PricedPlan {
	readonly refId: string;
	readonly displayName: string;
	readonly description: string | null;
	readonly pricingType: string | null;
	readonly prices: ReadonlyArray<
		OfPeriod & {
			readonly billingModel: string;
			readonly price: { readonly amount: number; readonly currency: string } | null;
			readonly feature: { readonly displayName: string; readonly featureUnits: string | null } | null;
		}
	>;
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
