import type { components } from "./api";
import { serverEvents } from "./events";
import { backoff } from "./retry";

export type FeatureEntitlement = components["schemas"]["EffectiveFeatureEntitlement"];
export type Entitlement = FeatureEntitlement | components["schemas"]["EffectiveCreditEntitlement"];

/** What the stream tells of a customer: all of it at first, then what is another. */
interface Told {
	readonly customerId: string;
	readonly accessDeniedReason: string | null;
	readonly entitlements: readonly Entitlement[];
	readonly removed: readonly string[];
	readonly at: string;
}

export interface PushOptions {
	/** Opens the stream of these customers. */
	readonly open: (customerIds: readonly string[], signal: AbortSignal) => Promise<Response>;
	/** Told of each customer whose entitlements have changed. */
	readonly onChange?: (customerId: string, featureIds: readonly string[]) => void;
}

/** As many as the server follows by one stream; the one that was asked for longest ago makes room. */
const customersMax = 200;

/** The server says something at least every ten seconds. */
const silenceMsMax = 25_000;

/** How long customers gather before the stream is opened anew for them. */
const gatherMs = 50;

const reopenMs = 500;

interface Known {
	readonly features: Map<string, { readonly entitlement: FeatureEntitlement; readonly validUntilMs: number }>;
}

/**
 * The entitlements of the customers that were asked for, kept true by the server's stream. While the stream is open and the
 * time of an answer has not passed, it is what the server would answer; else nothing is known.
 */
export class PushedEntitlements {
	readonly #options: PushOptions;
	/** In the order in which they were asked for; undefined until the stream has told of them. */
	readonly #customers = new Map<string, Known | undefined>();
	#stream: AbortController | undefined;
	#heardAtMs = 0;
	#opening: ReturnType<typeof setTimeout> | undefined;
	#failures = 0;
	#isClosed = false;

	constructor(options: PushOptions) {
		this.#options = options;
	}

	/** What is known of a feature; undefined where the server has to be asked. From now on the customer is followed. */
	find(customerId: string, featureId: string): FeatureEntitlement | undefined {
		const known = this.#customers.get(customerId);
		const isFollowed = this.#customers.delete(customerId);
		this.#customers.set(customerId, known);
		if (!isFollowed) this.#follow();
		if (!known || this.#isSilent()) return undefined;
		const found = known.features.get(featureId);
		return found && performance.now() < found.validUntilMs ? found.entitlement : undefined;
	}

	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#opening);
		this.#stream?.abort();
	}

	#isSilent(): boolean {
		return this.#stream === undefined || performance.now() - this.#heardAtMs > silenceMsMax;
	}

	#follow(): void {
		const [oldest] = this.#customers.keys();
		if (this.#customers.size > customersMax && oldest !== undefined) this.#customers.delete(oldest);
		this.#openSoon(gatherMs);
	}

	#openSoon(inMs: number): void {
		if (this.#isClosed || this.#opening !== undefined) return;
		this.#opening = setTimeout(() => {
			this.#opening = undefined;
			void this.#listen();
		}, inMs);
		this.#opening.unref();
	}

	async #listen(): Promise<void> {
		const customerIds = [...this.#customers.keys()];
		const stream = new AbortController();
		try {
			const response = await this.#options.open(customerIds, stream.signal);
			if (!response.ok || !response.body) throw new Error(`The stream was refused: ${response.status}.`);
			const before = this.#stream;
			this.#stream = stream;
			this.#heard();
			// The former stream told of fewer customers; what it has told holds until this one says more.
			before?.abort();
			for await (const heard of serverEvents(response.body)) {
				if (this.#stream !== stream) return;
				this.#heard();
				if (heard?.event === "snapshot" || heard?.event === "change") this.#apply(heard.event, heard.data as Told);
			}
		} catch {
			// Whatever ended it: it is opened again, and until then the server is asked.
		}
		if (this.#stream !== stream && this.#stream !== undefined) return;
		this.#stream = undefined;
		this.#failures += 1;
		this.#openSoon(backoff(reopenMs, this.#failures));
	}

	#heard(): void {
		this.#heardAtMs = performance.now();
		this.#failures = 0;
	}

	#apply(event: "snapshot" | "change", { customerId, entitlements, removed, at }: Told): void {
		if (!this.#customers.has(customerId)) return;
		const known = (event === "change" && this.#customers.get(customerId)) || { features: new Map() };
		for (const id of removed) known.features.delete(id.replace("feature:", ""));
		const changed: string[] = [];
		for (const entitlement of entitlements) {
			if (entitlement.type !== "FEATURE" || !entitlement.feature) continue;
			changed.push(entitlement.feature.id);
			known.features.set(entitlement.feature.id, { entitlement, validUntilMs: validUntilOf(entitlement, at) });
		}
		this.#customers.set(customerId, known);
		if (event === "change")
			this.#options.onChange?.(customerId, [...changed, ...removed.map((id) => id.replace("feature:", ""))]);
	}
}

/** On this process's own clock: how long it holds is reckoned from the server's time, since clocks differ. */
const validUntilOf = ({ validUntil }: FeatureEntitlement, at: string): number =>
	validUntil === undefined ? Number.POSITIVE_INFINITY : performance.now() + (Date.parse(validUntil) - Date.parse(at));
