import type { Log } from "../../../http/log";
import { FileNotHere } from "../../../kernel/storage/failures";
import type { Transactions } from "../../../kernel/work";
import { ResolvedCache } from "../operations.remembered";
import { FollowedEnvironment, type TellChange } from "./environment";
import { FollowedPublications, type Publication } from "./publications";
import { type Followed, type Told, Watched } from "./watched";

/** Our choice: how soon a change is told of. */
const lookEveryMs = 10;

/** Our choices: how long the thread looks at a time, so that other requests wait for no more than that; and how soon it goes on. */
const turnMs = 4;
const goOnMs = 1;

/** Our choice: when what could not be read is looked at again. */
const restMs = 1_000;

/** Our choice: what is remembered between changes of the main file, beside what the checks remember. */
const remembered = { customersMax: 2_000, entitlementsMax: 20_000 };

/**
 * Looks after all that the connections of one thread follow, a few milliseconds at a time: single customers in rotation, and
 * only those that have another version; whole environments by `FollowedEnvironment`. With many customers and a busy main file a
 * change is told of later; the thread is never held up.
 */
export class Watching {
	readonly #transactions: Transactions;
	readonly #log: Log;
	readonly #resolve;
	readonly #watched = new Map<string, Watched>();
	readonly #environments = new Map<string, FollowedEnvironment>();
	readonly #publications = new Map<string, FollowedPublications>();
	#next: IterableIterator<Watched> | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#restsUntil = 0;

	constructor(transactions: Transactions, log: Log) {
		this.#transactions = transactions;
		this.#log = log;
		this.#resolve = new ResolvedCache(transactions, remembered).resolve;
	}

	/** Tells what is known of it, as soon as it is, and from then on what is another. Answers what ends that. */
	follow(followed: Followed, listener: (told: Told) => void): () => void {
		const { environmentId, customerRef, resourceRef } = followed;
		// Ids hold no line break, so the parts cannot run into each other.
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

	/** Tells what is another with any customer of an environment, from now on. Answers what ends that. */
	followAll(environmentId: string, tell: TellChange): () => void {
		const make = () => new FollowedEnvironment(environmentId, this.#transactions, this.#resolve);
		return this.#follow(this.#environments, environmentId, make, tell);
	}

	/** Tells of each publication in an environment, from now on. Answers what ends that. */
	followPublications(environmentId: string, tell: (publication: Publication) => void): () => void {
		const make = () => new FollowedPublications(environmentId, this.#transactions);
		return this.#follow(this.#publications, environmentId, make, tell);
	}

	#follow<Tell, One extends { readonly listeners: Set<Tell> }>(
		all: Map<string, One>,
		environmentId: string,
		make: () => One,
		tell: Tell,
	): () => void {
		const one = all.get(environmentId) ?? make();
		all.set(environmentId, one);
		one.listeners.add(tell);
		this.#timer ??= setTimeout(() => this.#turn(), 0);
		return () => {
			one.listeners.delete(tell);
			if (one.listeners.size === 0) all.delete(environmentId);
		};
	}

	#turn(): void {
		const now = performance.now();
		const end = now < this.#restsUntil ? now : now + turnMs;
		let isAllSeen = this.#lookAtWatched(end);
		const others = [...this.#environments.values(), ...this.#publications.values()];
		for (const one of others) isAllSeen = this.#attempt(() => one.turn(end)) !== false && isAllSeen;
		// Nobody follows anything: the next one to come begins again.
		const isIdle = this.#watched.size + others.length === 0;
		this.#timer = isIdle ? undefined : setTimeout(() => this.#turn(), isAllSeen ? lookEveryMs : goOnMs);
	}

	/** Answers whether all were looked at. */
	#lookAtWatched(end: number): boolean {
		for (let looked = 0; looked < this.#watched.size; looked += 1) {
			if (performance.now() >= end) return false;
			const watched = this.#nextWatched();
			if (watched?.isStale()) this.#attempt(() => watched.refresh());
		}
		return true;
	}

	/** A file that cannot be read now may be read a moment later. */
	#attempt<T>(look: () => T): T | undefined {
		try {
			return look();
		} catch (error) {
			this.#restsUntil = performance.now() + restMs;
			// What is being brought comes by itself.
			if (!(error instanceof FileNotHere))
				this.#log.error({ err: error }, "entitlements that are followed could not be read; they are looked at again");
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
