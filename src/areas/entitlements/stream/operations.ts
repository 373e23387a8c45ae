import type { Log } from "../../../http/log";
import { FileNotHere, repeatably } from "../../../kernel/storage/failures";
import type { Transactions } from "../../../kernel/work";
import { ResolvedCache } from "../operations.remembered";
import { type PushChange, WatchedEnvironment } from "./environment";
import { type Publication, WatchedPublications } from "./publications";
import { type EntitlementUpdate, Watched, type WatchedCustomer } from "./watched";

/** The pause between two looks, which bounds the delay of a message. */
const lookEveryMs = 10;

/** The length of a time slice, which bounds the delay of other requests, and the pause before the next slice. */
const turnMs = 4;
const goOnMs = 1;

/** The pause after a failed read. */
const restMs = 1_000;

/** The bounds of the cache, in addition to the cache of checks. */
const cacheLimits = { customersMax: 2_000, entitlementsMax: 20_000 };

/**
 * Watches customers and environments for all connections of one thread, a few milliseconds at a time. With many customers and a busy
 * main file, messages are delayed, but the thread is never blocked.
 */
export class Watching {
	readonly #transactions: Transactions;
	readonly #log: Log;
	readonly #resolve;
	readonly #watched = new Map<string, Watched>();
	readonly #environments = new Map<string, WatchedEnvironment>();
	readonly #publications = new Map<string, WatchedPublications>();
	#next: IterableIterator<Watched> | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#restsUntil = 0;

	constructor(transactions: Transactions, log: Log) {
		this.#transactions = transactions;
		this.#log = log;
		this.#resolve = new ResolvedCache(transactions, cacheLimits).resolve;
	}

	/** Pushes the entitlements of a customer, then its changes. Returns a function that ends it. */
	follow(followed: WatchedCustomer, listener: (update: EntitlementUpdate) => void): () => void {
		const { environmentId, customerRef, resourceRef } = followed;
		// Ids contain no line break, so keys are unique.
		const key = `${environmentId}\n${customerRef}\n${resourceRef ?? ""}`;
		const watched = this.#watched.get(key) ?? new Watched(followed, this.#transactions, this.#resolve);
		this.#watched.set(key, watched);
		const known = watched.snapshot();
		if (known) listener(known);
		watched.listeners.add(listener);
		this.#timer ??= setTimeout(() => this.#turn(), 0);
		return () => {
			watched.listeners.delete(listener);
			if (watched.listeners.size === 0) this.#watched.delete(key);
		};
	}

	/** Pushes changes of all customers of an environment from now on. Returns a function that ends it. */
	followAll(environmentId: string, push: PushChange): () => void {
		const make = () => new WatchedEnvironment(environmentId, this.#transactions, this.#resolve);
		return this.#follow(this.#environments, environmentId, make, push);
	}

	/** Pushes each publication in an environment from now on. Returns a function that ends it. */
	followPublications(environmentId: string, push: (publication: Publication) => void): () => void {
		const make = () => new WatchedPublications(environmentId, this.#transactions);
		return this.#follow(this.#publications, environmentId, make, push);
	}

	#follow<Push, One extends { readonly listeners: Set<Push> }>(
		all: Map<string, One>,
		environmentId: string,
		make: () => One,
		push: Push,
	): () => void {
		const one = all.get(environmentId) ?? make();
		all.set(environmentId, one);
		one.listeners.add(push);
		this.#timer ??= setTimeout(() => this.#turn(), 0);
		return () => {
			one.listeners.delete(push);
			if (one.listeners.size === 0) all.delete(environmentId);
		};
	}

	#turn(): void {
		const now = performance.now();
		const end = now < this.#restsUntil ? now : now + turnMs;
		let isAllSeen = this.#refreshWatched(end);
		const others = [...this.#environments.values(), ...this.#publications.values()];
		for (const one of others) isAllSeen = this.#attempt(() => one.turn(end)) !== false && isAllSeen;
		// Without listeners the timer stops; the next listener starts it again.
		const isIdle = this.#watched.size + others.length === 0;
		this.#timer = isIdle ? undefined : setTimeout(() => this.#turn(), isAllSeen ? lookEveryMs : goOnMs);
	}

	/** Refreshes stale customers. Returns whether all are examined. */
	#refreshWatched(end: number): boolean {
		for (let looked = 0; looked < this.#watched.size; looked += 1) {
			if (performance.now() >= end) return false;
			const watched = this.#nextWatched();
			if (watched?.isStale()) this.#attempt(() => watched.refresh());
		}
		return true;
	}

	/** Runs a read. After a failure, the next slices rest for a moment. */
	#attempt<T>(look: () => T): T | undefined {
		try {
			return repeatably(look);
		} catch (error) {
			this.#restsUntil = performance.now() + restMs;
			// The data is being fetched or read.
			if (!(error instanceof FileNotHere))
				this.#log.error({ err: error }, "reading watched entitlements failed; it is retried");
			return undefined;
		}
	}

	#nextWatched(): Watched | undefined {
		const next = this.#next?.next();
		if (next && !next.done) return next.value;
		this.#next = this.#watched.values();
		return this.#next.next().value;
	}
}
