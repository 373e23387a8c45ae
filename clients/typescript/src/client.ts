import createClient from "openapi-fetch";
import type { components, paths } from "./api";
import { type Entitlement, type FeatureEntitlement, PushedEntitlements } from "./pushed";
import { type RetryOptions, retrying } from "./retry";
import { EventSpool, type SpoolOptions, type UsageEvent } from "./spool";

export type { components, paths } from "./api";
export type { Entitlement, FeatureEntitlement } from "./pushed";
export type { UsageEvent } from "./spool";

export interface TollgateOptions extends RetryOptions {
	/** Such as `http://127.0.0.1:4280`. */
	readonly baseUrl: string;
	/** A server key. */
	readonly apiKey: string;
	/** Where events wait until the server has them; without it `report` is not to be called. */
	readonly events?: Pick<SpoolOptions, "folder" | "flushEveryMs" | "bytesMax" | "onRefused">;
	/** Whether checks are answered from what the server pushes. True when left out. */
	readonly push?: boolean;
	/** Told when the entitlements of a customer that was asked for have changed. */
	readonly onChange?: (customerId: string, featureIds: readonly string[]) => void;
}

export interface CheckOptions {
	readonly resourceId?: string;
	readonly requestedUsage?: number;
	readonly requestedValues?: readonly string[];
}

/** What the server has refused: `code` is one of its catalogue, null where it has none. */
export class TollgateError extends Error {
	constructor(
		readonly status: number,
		readonly code: string | null,
		message: string,
	) {
		super(message);
		this.name = "TollgateError";
	}
}

type Refused = components["schemas"]["Error"];

/** A client of one environment. `api` is every route, with the types of the server's own document. */
export class Tollgate {
	readonly api;
	readonly #spool: EventSpool | undefined;
	readonly #pushed: PushedEntitlements | undefined;

	constructor(options: TollgateOptions) {
		const { baseUrl, apiKey, events, push = true, onChange } = options;
		const fetch = retrying(options);
		this.api = createClient<paths>({ baseUrl, headers: { "X-API-KEY": apiKey }, fetch });
		if (events) this.#spool = new EventSpool({ ...events, send: (batch) => this.#send(batch) });
		if (push)
			this.#pushed = new PushedEntitlements({
				open: (customerIds, signal) => {
					const url = `${baseUrl}/api/v1/stream/entitlements?customerId=${customerIds.map(encodeURIComponent).join(",")}`;
					return (options.fetch ?? globalThis.fetch)(url, { headers: { "X-API-KEY": apiKey }, signal });
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
		return known ?? this.#check(customerId, featureId, options, "false");
	}

	/** As `check`, with why: always asks the server. */
	explain(customerId: string, featureId: string, options: CheckOptions = {}): Promise<FeatureEntitlement> {
		return this.#check(customerId, featureId, options, "true");
	}

	async #check(
		customerId: string,
		featureId: string,
		{ resourceId, requestedUsage, requestedValues }: CheckOptions,
		explain: "true" | "false",
	): Promise<FeatureEntitlement> {
		const { data, error, response } = await this.api.GET("/api/v1/customers/{id}/entitlements/check", {
			params: {
				path: { id: customerId },
				query: {
					featureId,
					...(resourceId !== undefined && { resourceId }),
					...(requestedUsage !== undefined && { requestedUsage }),
					...(requestedValues !== undefined && { requestedValues: [...requestedValues] }),
					...(explain === "true" && { explain }),
				},
			},
		});
		const found: Entitlement | undefined = data?.data;
		if (found?.type === "FEATURE") return found;
		throw refusalOf(response, error);
	}

	/** Resolves when the event is on disk here; it is sent with others, and counted once. */
	report(event: UsageEvent): Promise<void> {
		if (!this.#spool) throw new Error("Name a folder for events (`events.folder`) to report any.");
		return this.#spool.add(event);
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

	/** What is refused for what it holds will be refused again; everything else may be taken later. */
	async #send(events: readonly object[]): Promise<string | null> {
		// Written by `add`, whose type the server's own is; read from a file it has none.
		const body = { events: events as unknown as components["schemas"]["EventReport"]["events"] };
		const { error, response } = await this.api.POST("/api/v1/events", { body });
		if (response.ok) return null;
		const refusal = refusalOf(response, error);
		if (response.status === 400 || response.status === 404 || response.status === 413) return refusal.message;
		throw refusal;
	}
}

function refusalOf({ status }: Response, error: Refused | undefined): TollgateError {
	return new TollgateError(status, error?.code ?? null, error?.message ?? `The server answered ${status}.`);
}
