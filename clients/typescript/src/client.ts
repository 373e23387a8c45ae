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
	/** Where events wait until the server has them; without it `report` is not to be called. */
	readonly events?: Omit<SpoolOptions, "send">;
	/** Whether checks are answered from what the server pushes. True when left out. */
	readonly push?: boolean;
	/** Told when the entitlements of a customer that was asked for have changed. */
	readonly onChange?: (customerId: string, featureIds: readonly string[]) => void;
}

type CheckQuery = NonNullable<operations["customers.checkEntitlement"]["parameters"]["query"]>;

/** `resourceId`, `requestedUsage`, `requestedValues`. */
export type CheckOptions = Omit<CheckQuery, "featureId" | "currencyId" | "explain">;

/** What the server has refused: `code` is one of its catalogue, null where it has none. */
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

/** A client of one environment. `api` is every route, with the types of the server's own document. */
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
	 * May the customer do that? One more unit, unless it says how many. A plain check of a customer that was asked for before is
	 * answered without a call, from what the server has pushed; others ask the server. TollgateError.
	 */
	async check(customerId: string, featureId: string, options: CheckOptions = {}): Promise<FeatureEntitlement> {
		const isPlain = Object.values(options).every((value) => value === undefined);
		const known = isPlain ? this.#pushed?.find(customerId, featureId) : undefined;
		return known ?? this.#ask(customerId, { ...options, featureId });
	}

	/** As `check`, with why: always asks the server. */
	explain(customerId: string, featureId: string, options: CheckOptions = {}): Promise<FeatureEntitlement> {
		return this.#ask(customerId, { ...options, featureId, explain: "true" });
	}

	/** Resolves when the event is on disk here; it is sent with others, and counted once. */
	async report(event: UsageEvent): Promise<void> {
		if (!this.#spool) throw new Error("Name a folder for events (`events.folder`) to report any.");
		await this.#spool.add(event);
	}

	/** Sends what waits. Rejects when the server cannot be reached: it is tried again by itself. */
	async flush(): Promise<void> {
		await this.#spool?.flush();
	}

	/** Sends what waits, as far as it can be, and ends the stream. */
	async close(): Promise<void> {
		this.#pushed?.close();
		await this.#spool?.close();
	}

	async #ask(id: string, query: CheckQuery): Promise<FeatureEntitlement> {
		const answer = await this.api.GET("/api/v1/customers/{id}/entitlements/check", { params: { path: { id }, query } });
		if (answer.data?.data.type === "FEATURE") return answer.data.data;
		throw refusalOf(answer);
	}

	/** What is refused for what it holds will be refused again; everything else may be taken later. */
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
