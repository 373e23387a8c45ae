import { wallClock } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import { idLengthMax } from "../../kernel/schema";
import type { Actor } from "../../kernel/work";
import { SharedWindow } from "./shared-window";
import { SlidingWindow, type WindowState } from "./sliding-window";

/** Entity rate limits: docs/interface/http.md. */
export const callsPerWindowMax = 30;
export const windowMs = 60_000;

/** The kinds of entities, each with its own key. */
export type LimitedEntity = "customer" | "subscription" | "customer-resource";

/** The rate-limited routes. Operations that do the same in another way count as one of them. */
const limitedRoutes = {
	"POST /subscriptions": "customer-resource",
	"POST /subscriptions/:id/transfer": "subscription",
	"POST /subscriptions/:id/migrate": "subscription",
	"POST /subscriptions/:id/delegate": "subscription",
	"DELETE /subscriptions/:id/future-update/pending-payment": "subscription",
	"DELETE /subscriptions/:id/future-update/schedule": "subscription",
	"PATCH /subscriptions/:id": "subscription",
	"POST /subscriptions/:id/cancel": "subscription",
	"POST /subscriptions/:id/trial/end": "subscription",
	"POST /subscriptions/:id/pause": "subscription",
	"POST /subscriptions/:id/resume": "subscription",
	"PATCH /customers/:id": "customer",
	"PATCH /customers/:id/invoicing": "customer",
	"POST /customers/:id/archive": "customer",
	"POST /customers/:id/unarchive": "customer",
	"POST /customers/:id/payment-method": "customer",
	"DELETE /customers/:id/payment-method": "customer",
} as const satisfies Readonly<Record<string, LimitedEntity>>;

export type LimitedRoute = keyof typeof limitedRoutes;

/** Returns the bucket of a route, which all interfaces share. */
export function callOfRoute(route: LimitedRoute): {
	readonly method: string;
	readonly route: string;
	readonly entity: LimitedEntity;
} {
	const [method = "", path = ""] = route.split(" ");
	return { method, route: `/api/v1${path}`, entity: limitedRoutes[route] };
}

export interface RateHeaders {
	[header: string]: string;
}

/** Counts calls by environment, route, method and entity. */
export class EntityLimits {
	readonly #window = new SlidingWindow(callsPerWindowMax, windowMs);

	/** `clockMs` is a monotonic clock. A limit protects the machine, so it ignores test clocks. */
	constructor(readonly clockMs: () => number = () => performance.now()) {}

	/** Counts one call; throws RateLimitExceeded. */
	count(actor: Actor, route: string, method: string, entity: string, setHeaders: (headers: RateHeaders) => void): void {
		const key = JSON.stringify([actor.environmentId, method, route, entity]);
		const { allowed, resetSeconds } = tell(this.#window, this.#window.count(key, this.clockMs()), setHeaders);
		if (!allowed)
			throw fail(
				"RateLimitExceeded",
				`More than ${callsPerWindowMax} calls a minute for '${entity}' on this route; try again in ${resetSeconds} s.`,
			);
	}

	get size(): number {
		return this.#window.size;
	}
}

/** Counts calls by address, over all threads. */
export class AddressLimit {
	readonly #window: SharedWindow;

	/** `memory` is shared with the other threads. The wall clock is the only clock that threads share. */
	constructor(
		callsPerSecondMax: number,
		memory?: SharedArrayBuffer,
		readonly clockMs: () => number = wallClock.now,
	) {
		this.#window = new SharedWindow(callsPerSecondMax, 1000, memory);
	}

	/** Like `EntityLimits.count`. */
	count(address: string, setHeaders: (headers: RateHeaders) => void): void {
		const { allowed, resetSeconds } = tell(this.#window, this.#window.count(address, this.clockMs()), setHeaders);
		if (!allowed)
			throw fail(
				"RateLimitExceeded",
				`More than ${this.#window.callsMax} calls a second from this address; try again in ${resetSeconds} s.`,
			);
	}
}

/** Sets the standard headers, on success and on rejection. */
function tell(
	{ callsMax }: { readonly callsMax: number },
	{ allowed, remaining, resetMs }: WindowState,
	setHeaders: (headers: RateHeaders) => void,
): { readonly allowed: boolean; readonly resetSeconds: string } {
	const resetSeconds = String(Math.max(1, Math.ceil(resetMs / 1000)));
	setHeaders({
		"RateLimit-Limit": String(callsMax),
		"RateLimit-Remaining": String(remaining),
		"RateLimit-Reset": resetSeconds,
		...(allowed ? {} : { "Retry-After": resetSeconds }),
	});
	return { allowed, resetSeconds };
}

/** Returns a possible id. Validation rejects longer texts, so they never become keys. */
const text = (value: unknown): string | undefined =>
	typeof value === "string" && value !== "" && value.length <= idLengthMax ? value : undefined;

/** Returns the entity of a call; undefined if it names no valid one, which validation then rejects. */
export function entityKey(
	entity: LimitedEntity,
	params: Readonly<Record<string, unknown>>,
	body: unknown,
): string | undefined {
	if (entity !== "customer-resource") return text(params.id);
	if (typeof body !== "object" || body === null) return undefined;
	const { customerId, resourceId } = body as Readonly<Record<string, unknown>>;
	const customer = text(customerId);
	const resource = text(resourceId);
	// JSON distinguishes "a:b" from "a" with resource "b".
	return customer && resource ? JSON.stringify([customer, resource]) : customer;
}
