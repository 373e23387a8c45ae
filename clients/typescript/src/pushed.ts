import type { components } from "./api";
import { backoff } from "./retry";

export type FeatureEntitlement = components["schemas"]["EffectiveFeatureEntitlement"];
export type Entitlement = FeatureEntitlement | components["schemas"]["EffectiveCreditEntitlement"];

export interface PushOptions {
	/** Opens the stream of these customers. */
	readonly open: (customerIds: readonly string[], signal: AbortSignal) => Promise<Response>;
	/** Told of each customer whose entitlements have changed. */
	readonly onChange?: (customerId: string, featureIds: readonly string[]) => void;
}

/** What the stream tells of a customer: all of it in a snapshot, then what is another. */
interface Told {
	readonly customerId: string;
	readonly entitlements: readonly Entitlement[];
	readonly removed: readonly string[];
	readonly at: string;
}

/** By feature: what a check would answer, and until when by this process's clock. Empty until the stream has told of it. */
type Known = Map<string, { readonly entitlement: FeatureEntitlement; readonly untilMs: number }>;

/** As many as the server follows by one stream. */
const customersMax = 200;
/** A customer that was not asked for so long makes room for another. */
const idleMsMax = 60_000;
/** The server says something at least every ten seconds. */
const silenceMsMax = 25_000;
/** How long customers gather before a stream is opened for them. */
const gatherMs = 50;
const reopenMs = 500;

/**
 * The entitlements of the customers that were asked for, kept true by the server's stream. While it speaks and the time of an
 * answer has not passed, that is what the server would answer; else nothing is known.
 */
export class PushedEntitlements {
	readonly #options: PushOptions;
	/** The one that was asked for longest ago comes first. */
	readonly #customers = new Map<string, { readonly known: Known; readonly askedAtMs: number }>();
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
		const now = performance.now();
		const followed = this.#customers.get(customerId);
		if (!followed && !this.#hasRoom(now)) return undefined;
		this.#customers.delete(customerId);
		this.#customers.set(customerId, { known: followed?.known ?? new Map(), askedAtMs: now });
		if (!followed) this.#openIn(gatherMs);
		const found = followed?.known.get(featureId);
		return found && now < found.untilMs && now - this.#heardAtMs < silenceMsMax ? found.entitlement : undefined;
	}

	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#opening);
		this.#stream?.abort();
	}

	#hasRoom(now: number): boolean {
		const [oldest] = this.#customers;
		if (!oldest || this.#customers.size < customersMax) return true;
		return now - oldest[1].askedAtMs > idleMsMax && this.#customers.delete(oldest[0]);
	}

	#openIn(ms: number): void {
		if (this.#isClosed || this.#opening !== undefined) return;
		this.#opening = setTimeout(() => {
			this.#opening = undefined;
			void this.#listen();
		}, ms);
		this.#opening.unref();
	}

	/** Follows all customers of now, in place of the stream before, which knew fewer. */
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
				this.#heardAtMs = performance.now();
				this.#failures = 0;
				const messages = `${text}${chunk}`.split("\n\n");
				text = messages.pop() ?? "";
				for (const message of messages) this.#hear(message);
			}
		} catch {
			// Whatever ended it: it is opened again, and until then the server is asked.
		}
		clearTimeout(silence);
		stream.abort();
		const isReplaced = wasOpen && this.#stream !== stream;
		if (isReplaced) return;
		if (wasOpen) for (const { known } of this.#customers.values()) known.clear();
		this.#failures += 1;
		this.#openIn(backoff(reopenMs, this.#failures));
	}

	/** What is no event, as a keep-alive, says only that the server is there. */
	#hear(message: string): void {
		const [, event, data] = /^event: (snapshot|change)\ndata: (.*)$/.exec(message) ?? [];
		if (data === undefined) return;
		const { customerId, entitlements, removed, at }: Told = JSON.parse(data);
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

/** How long it holds is reckoned from the server's time, since clocks differ. */
const untilMsOf = ({ validUntil }: FeatureEntitlement, at: string): number =>
	validUntil === undefined ? Number.POSITIVE_INFINITY : performance.now() + (Date.parse(validUntil) - Date.parse(at));
