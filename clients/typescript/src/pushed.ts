import type { components } from "./api";
import { backoff } from "./retry";

export type FeatureEntitlement = components["schemas"]["EffectiveFeatureEntitlement"];
export type Entitlement = FeatureEntitlement | components["schemas"]["EffectiveCreditEntitlement"];

export interface PushOptions {
	/** Opens the stream of these customers. */
	readonly open: (customerIds: readonly string[], signal: AbortSignal) => Promise<Response>;
	/** Called for each customer whose entitlements have changed. */
	readonly onChange?: (customerId: string, featureIds: readonly string[]) => void;
}

/** A message of the stream: a snapshot of a customer, then its changes. */
interface StreamMessage {
	readonly customerId: string;
	readonly entitlements: readonly Entitlement[];
	readonly removed: readonly string[];
	readonly at: string;
}

/** Check results by feature, with their validity by this process's clock. Empty until the first snapshot. */
type Known = Map<string, { readonly entitlement: FeatureEntitlement; readonly untilMs: number }>;

/** The limit of the server for one stream. */
const customersMax = 200;
/** A customer without a check for this time can be replaced. */
const idleMsMax = 60_000;
/** The server sends a keep-alive every ten seconds. */
const silenceMsMax = 25_000;
/** Collects customers for this time before it opens a stream for them. */
const gatherMs = 50;
const reopenMs = 500;

/**
 * Mirrors the entitlements of followed customers from the server's stream. A result is valid while the stream is alive and
 * until its `validUntil`.
 */
export class PushedEntitlements {
	readonly #options: PushOptions;
	/** Least recently checked first. */
	readonly #customers = new Map<string, { readonly known: Known; readonly checkedAtMs: number }>();
	#stream: AbortController | undefined;
	#receivedAtMs = 0;
	#opening: ReturnType<typeof setTimeout> | undefined;
	#failures = 0;
	#isClosed = false;

	constructor(options: PushOptions) {
		this.#options = options;
	}

	/** Returns the mirrored result, or undefined if the server must be called. Follows the customer from then on. */
	find(customerId: string, featureId: string): FeatureEntitlement | undefined {
		const now = performance.now();
		const followed = this.#customers.get(customerId);
		if (!followed && !this.#makeSpace(now)) return undefined;
		this.#customers.delete(customerId);
		this.#customers.set(customerId, { known: followed?.known ?? new Map(), checkedAtMs: now });
		if (!followed) this.#openIn(gatherMs);
		const found = followed?.known.get(featureId);
		return found && now < found.untilMs && now - this.#receivedAtMs < silenceMsMax ? found.entitlement : undefined;
	}

	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#opening);
		this.#stream?.abort();
	}

	#makeSpace(now: number): boolean {
		const [oldest] = this.#customers;
		if (!oldest || this.#customers.size < customersMax) return true;
		return now - oldest[1].checkedAtMs > idleMsMax && this.#customers.delete(oldest[0]);
	}

	#openIn(ms: number): void {
		if (this.#isClosed || this.#opening !== undefined) return;
		this.#opening = setTimeout(() => {
			this.#opening = undefined;
			void this.#listen();
		}, ms);
		this.#opening.unref();
	}

	/** Opens a stream for all current customers, which replaces the previous stream. */
	async #listen(): Promise<void> {
		const stream = new AbortController();
		const silence = setTimeout(() => stream.abort(), silenceMsMax);
		silence.unref();
		let wasOpen = false;
		try {
			const { ok, body } = await this.#options.open([...this.#customers.keys()], stream.signal);
			if (!ok || !body || this.#isClosed) throw new Error("The stream did not open.");
			wasOpen = true;
			this.#stream?.abort();
			this.#stream = stream;
			let text = "";
			for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
				if (this.#stream !== stream) break;
				silence.refresh();
				this.#receivedAtMs = performance.now();
				this.#failures = 0;
				const messages = `${text}${chunk}`.split("\n\n");
				text = messages.pop() ?? "";
				for (const message of messages) this.#receive(message);
			}
		} catch {
			// The stream is opened again after any error. Until then checks call the server.
		}
		clearTimeout(silence);
		stream.abort();
		const isReplaced = wasOpen && this.#stream !== stream;
		if (isReplaced) return;
		if (wasOpen) for (const { known } of this.#customers.values()) known.clear();
		this.#failures += 1;
		this.#openIn(backoff(reopenMs, this.#failures));
	}

	/** Ignores keep-alives, which only show that the server is alive. */
	#receive(message: string): void {
		const [, event, data] = /^event: (snapshot|change)\ndata: (.*)$/.exec(message) ?? [];
		if (data === undefined) return;
		const { customerId, entitlements, removed, at }: StreamMessage = JSON.parse(data);
		const known = this.#customers.get(customerId)?.known;
		if (!known) return;
		if (event === "snapshot") known.clear();
		const changed = removed.map((id) => id.replace("feature:", ""));
		for (const featureId of changed) known.delete(featureId);
		for (const entitlement of entitlements) {
			if (entitlement.type !== "FEATURE" || !entitlement.feature) continue;
			changed.push(entitlement.feature.id);
			known.set(entitlement.feature.id, { entitlement, untilMs: untilMsOf(entitlement, at) });
		}
		if (event === "change") this.#options.onChange?.(customerId, changed);
	}
}

/** Calculates the validity from the server's time, because clocks differ. */
const untilMsOf = ({ validUntil }: FeatureEntitlement, at: string): number =>
	validUntil === undefined ? Number.POSITIVE_INFINITY : performance.now() + (Date.parse(validUntil) - Date.parse(at));
