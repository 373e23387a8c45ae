import createClient from "openapi-fetch";
import type { components, operations, paths } from "./api";
import { type FeatureEntitlement, PushedEntitlements } from "./pushed";
import { type RetryOptions, retrying } from "./retry";
import { EventSpool, type SentEvent, type SpoolOptions, type UsageEvent } from "./spool";

export type { components, paths } from "./api";
export type { Entitlement, FeatureEntitlement } from "./pushed";
export type { UsageEvent } from "./spool";

export interface TollgateOptions extends RetryOptions {
	/** Such as `http://127.0.0.1:4280`. */
	readonly baseUrl: string;
	/** A server key. */
	readonly apiKey: string;
	/** Where events wait until the server has stored them. `report` needs it. */
	readonly events?: Omit<SpoolOptions, "send">;
	/** Whether the client answers checks from pushed entitlements. Defaults to true. */
	readonly push?: boolean;
	/** Called when the entitlements of a followed customer have changed. */
	readonly onChange?: (customerId: string, featureIds: readonly string[]) => void;
}

type CheckQuery = NonNullable<operations["customers.checkEntitlement"]["parameters"]["query"]>;

/** `resourceId`, `requestedUsage`, `requestedValues`. */
export type CheckOptions = Omit<CheckQuery, "featureId" | "currencyId" | "explain">;

/** An error response of the server. `code` is from its catalogue, or null. */
export class TollgateError extends Error {
	override readonly name = "TollgateError";

	constructor(
		readonly status: number,
		readonly code: string | null,
		message: string,
	) {
		super(message);
	}
}

/** A client for one environment. `api` has all routes, typed by the OpenAPI document. */
export class Tollgate {
	readonly api;
	readonly #spool: EventSpool | undefined;
	readonly #pushed: PushedEntitlements | undefined;

	constructor(options: TollgateOptions) {
		const { baseUrl, apiKey, fetch = globalThis.fetch, events, push = true, onChange } = options;
		const headers = { "X-API-KEY": apiKey };
		this.api = createClient<paths>({ baseUrl, headers, fetch: retrying(options) });
		if (events) this.#spool = new EventSpool({ ...events, send: (batch) => this.#send(batch) });
		if (push)
			this.#pushed = new PushedEntitlements({
				open: (customerIds, signal) => {
					const query = new URLSearchParams({ customerId: customerIds.join() });
					return fetch(`${baseUrl}/api/v1/stream/entitlements?${query}`, { headers, signal });
				},
				...(onChange && { onChange }),
			});
	}

	/**
	 * Checks whether the customer may use one more unit, or `requestedUsage`. A plain check of a followed customer is answered
	 * from pushed entitlements; other checks call the server. TollgateError.
	 */
	async check(customerId: string, featureId: string, options: CheckOptions = {}): Promise<FeatureEntitlement> {
		const isPlain = Object.values(options).every((value) => value === undefined);
		const known = isPlain ? this.#pushed?.find(customerId, featureId) : undefined;
		return known ?? this.#callCheck(customerId, { ...options, featureId });
	}

	/** Like `check`, with an explanation. Always calls the server. */
	explain(customerId: string, featureId: string, options: CheckOptions = {}): Promise<FeatureEntitlement> {
		return this.#callCheck(customerId, { ...options, featureId, explain: "true" });
	}

	/** Resolves when the event is on the local disk. The client sends it later; it counts once. */
	async report(event: UsageEvent): Promise<void> {
		if (!this.#spool) throw new Error("Set `events.folder` to report events.");
		await this.#spool.add(event);
	}

	/** Sends the waiting events. Rejects when the server is unreachable; the client retries later. */
	async flush(): Promise<void> {
		await this.#spool?.flush();
	}

	/** Sends the waiting events if possible, and closes the stream. */
	async close(): Promise<void> {
		this.#pushed?.close();
		await this.#spool?.close();
	}

	async #callCheck(id: string, query: CheckQuery): Promise<FeatureEntitlement> {
		const answer = await this.api.GET("/api/v1/customers/{id}/entitlements/check", { params: { path: { id }, query } });
		if (answer.data?.data.type === "FEATURE") return answer.data.data;
		throw refusalOf(answer);
	}

	/** Returns a message if the server rejects the content permanently. Throws on temporary errors. */
	async #send(events: SentEvent[]): Promise<string | null> {
		const answer = await this.api.POST("/api/v1/events", { body: { events } });
		if (answer.response.ok) return null;
		const refusal = refusalOf(answer);
		if ([400, 404, 413].includes(refusal.status)) return refusal.message;
		throw refusal;
	}
}

interface Refused {
	readonly response: Response;
	readonly error?: components["schemas"]["Error"];
}

function refusalOf({ response: { status }, error }: Refused): TollgateError {
	return new TollgateError(status, error?.code ?? null, error?.message ?? `The server answered ${status}.`);
}
