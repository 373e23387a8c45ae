import type { Instant } from "../../../kernel/clock";
import { type ChangedPlaces, placeOf } from "../../../kernel/storage/epochs";
import { underEpoch } from "../../../kernel/storage/remembered";
import type { Sync, Transactions, Work } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { customerIdsAfter, customersByIds, resourceRefsUpTo } from "../../customers/operations";
import type { Resolve } from "../operations";
import { type ObservedChange, Watched } from "./watched";

/** Receives changes one after the other. A returned promise delays the next one until it settles; it never rejects. */
export type PushChange = (change: ObservedChange) => Promise<void> | undefined;

/** The shortest pause between two messages about one customer, so thousands of events a second become a few messages. */
const pauseMs = 100;

/** The pause before a customer that could not be read is examined again. */
const restMs = 1_000;

/** The part of a time slice for the rotation over customers without known changes. */
const rotationMs = 2;

/** Customers whose changes are found at once, about 60 MB. The rotation finds the changes of all others. */
const listedMax = 500_000;
/** Customers and resources with stored marks, about 50 MB. For others, only signaled changes are pushed. */
const knownMax = 50_000;
/** The examined resources of one customer. */
const resourcesMax = 1_000;
const pageMax = 1_000;
/** The cached ids of customers without resources in one epoch of the main file, some megabytes. */
const subjectsMax = 10_000;

/** A customer, and its resources. */
interface Subjects {
	readonly customerRef: string | undefined;
	readonly resourceRefs: readonly string[];
}

/**
 * Watches all customers of an environment and their resources. Counters in shared memory (`Transactions.changedPlaces`) signal
 * customers with changed usage or access, which are examined first. Other changes (of the main file, or the end of a usage period)
 * are found at their instants, and by a rotation over all customers. The first signal of an unknown customer pushes all its
 * entitlements. The rotation pushes them too if the main file has changed since the start: the customer may have changed with it.
 */
export class WatchedEnvironment {
	readonly listeners = new Set<PushChange>();
	readonly #environmentId: string;
	readonly #transactions: Transactions;
	readonly #resolve: Resolve;
	readonly #changedPlaces: ChangedPlaces;
	/** Row ids of customers, by the counters of their changes. */
	readonly #listed = new Map<number, string[]>();
	#listedCount = 0;
	#listedTo = "";
	#isListed = false;
	/** Customers to examine, and from when (monotonic). */
	readonly #due = new Map<string, number>();
	readonly #watched = new Map<string, Watched>();
	/** By customers. */
	readonly #subjects: () => Map<string, Subjects>;
	/** The earliest instant at which entitlements can change without a signal. */
	#until = Number.POSITIVE_INFINITY;
	/** The epoch of the main file at the start. */
	readonly #startEpoch: number;
	#epoch: number | undefined;
	/** The position of the rotation; undefined while it rests. */
	#rotatedTo: string | undefined;
	#page: IterableIterator<string> = [].values();
	#rotatesAgain = false;
	#pendingPushes = 0;

	constructor(environmentId: string, transactions: Transactions, resolve: Resolve) {
		this.#environmentId = environmentId;
		this.#transactions = transactions;
		this.#resolve = resolve;
		this.#subjects = underEpoch(transactions.epoch, () => new Map());
		// Changes during the listing are examined after it.
		this.#changedPlaces = transactions.changedPlaces();
		this.#startEpoch = transactions.epoch();
	}

	/** Examines customers until `end` (monotonic). Returns whether only future changes remain. */
	turn(end: number): boolean {
		if (this.#pendingPushes > 0) return true;
		if (!this.#list(end)) return false;
		this.#collectChanges();
		if (!this.#examineDue(end)) return false;
		this.#rotate(Math.min(end, performance.now() + rotationMs));
		return true;
	}

	/** Lists customers until `end`. Returns whether all are listed. */
	#list(end: number): boolean {
		while (!this.#isListed) {
			if (performance.now() >= end) return false;
			this.#isListed = this.#listNext().length < pageMax;
		}
		return true;
	}

	/** Lists the next page of customers. */
	#listNext(): readonly string[] {
		const ids = this.#read((work) => customerIdsAfter(work, this.#listedTo, pageMax));
		for (const id of ids) this.#add(id);
		this.#listedTo = ids.at(-1) ?? this.#listedTo;
		return ids;
	}

	#add(id: string): void {
		if (this.#listedCount >= listedMax) return;
		const place = placeOf(id);
		const ids = this.#listed.get(place);
		if (ids?.includes(id)) return;
		if (ids) ids.push(id);
		else this.#listed.set(place, [id]);
		this.#listedCount += 1;
	}

	/** Marks customers that have changed since the last call. */
	#collectChanges(): void {
		const { epoch, now } = this.#transactions;
		// Before the reads, so changes during them are found by the next call.
		const { isAll, places } = this.#changedPlaces();
		const current = epoch();
		if (current !== this.#epoch) {
			const isFirst = this.#epoch === undefined;
			this.#epoch = current;
			this.#rotatesAgain = true;
			const added = this.#listNext();
			if (!isFirst) for (const id of added) this.#mark(id);
			this.#isListed = added.length < pageMax;
		}
		if (isAll) this.#rotatesAgain = true;
		for (const place of places) for (const id of this.#listed.get(place) ?? []) this.#mark(id);
		const at = now(this.#environmentId);
		if (at >= this.#until) this.#markOver(at);
	}

	#mark(id: string): void {
		if (this.#due.has(id)) return;
		const observedAtMs = this.#watched.get(keyOf(id, null))?.observedAtMs ?? Number.NEGATIVE_INFINITY;
		this.#due.set(id, Math.max(performance.now(), observedAtMs + pauseMs));
	}

	#markOver(at: Instant): void {
		this.#until = Number.POSITIVE_INFINITY;
		for (const [key, { until }] of this.#watched) {
			if (until === null) continue;
			if (until > at) this.#until = Math.min(this.#until, until);
			else this.#mark(key.slice(0, key.indexOf("\n")));
		}
	}

	/** Examines due customers. Returns whether all are examined. */
	#examineDue(end: number): boolean {
		for (const [id, dueMs] of this.#due) {
			const nowMs = performance.now();
			if (dueMs > nowMs) continue;
			if (nowMs >= end || this.#pendingPushes > 0) return false;
			this.#due.delete(id);
			try {
				this.#examine(id, true);
			} catch (error) {
				// The others go first.
				this.#due.set(id, nowMs + restMs);
				throw error;
			}
		}
		return true;
	}

	/** Examines all customers once after a change of the main file. */
	#rotate(end: number): void {
		while (performance.now() < end && this.#pendingPushes === 0) {
			const { value: id, done } = this.#page.next();
			if (done) {
				if (this.#turnPage()) continue;
				return;
			}
			this.#add(id);
			if (!this.#due.has(id)) this.#examine(id, false);
		}
	}

	/** Reads the next page of the rotation. Returns whether it has customers. */
	#turnPage(): boolean {
		if (this.#rotatedTo === undefined) {
			if (!this.#rotatesAgain) return false;
			this.#rotatesAgain = false;
			this.#rotatedTo = "";
		}
		const after = this.#rotatedTo;
		const ids = this.#read((work) => customerIdsAfter(work, after, pageMax));
		this.#rotatedTo = ids.at(-1);
		this.#page = ids.values();
		return ids.length > 0;
	}

	#examine(id: string, isSignaled: boolean): void {
		const { customerRef, resourceRefs } = this.#subjectsOf(id);
		if (customerRef === undefined) return;
		for (const resourceRef of [null, ...resourceRefs]) {
			const key = keyOf(id, resourceRef);
			const known = this.#watched.get(key);
			if (!known && !isSignaled && this.#watched.size >= knownMax) continue;
			const of = { environmentId: this.#environmentId, customerRef, resourceRef };
			const watched = known ?? new Watched(of, this.#transactions, this.#resolve);
			const change = watched.observe();
			if (!known) this.#store(key, watched);
			if (watched.until !== null) this.#until = Math.min(this.#until, watched.until);
			const pushesFirst = isSignaled || this.#transactions.epoch() !== this.#startEpoch;
			if (change && (pushesFirst || !change.isFirst)) this.#push(change);
		}
	}

	/** Returns the ids of a customer and its resources, as the caller knows them. */
	#subjectsOf(id: string): Subjects {
		const known = this.#subjects();
		const cached = known.get(id);
		if (cached) return cached;
		const subjects = this.#read((work) => ({
			customerRef: customersByIds(work, [id]).get(id)?.refId,
			resourceRefs: resourceRefsUpTo(work, id, resourcesMax),
		}));
		if (known.size >= subjectsMax) known.clear();
		if (subjects.resourceRefs.length === 0) known.set(id, subjects);
		return subjects;
	}

	#store(key: string, watched: Watched): void {
		const [oldest] = this.#watched.keys();
		if (this.#watched.size >= knownMax && oldest !== undefined) this.#watched.delete(oldest);
		this.#watched.set(key, watched);
	}

	#push(change: ObservedChange): void {
		for (const listener of this.listeners) {
			const pushing = listener(change);
			if (!pushing) continue;
			this.#pendingPushes += 1;
			void pushing.finally(() => {
				this.#pendingPushes -= 1;
			});
		}
	}

	#read<T>(body: (work: Work) => T, ...sync: Sync<T>): T {
		return this.#transactions.read(systemActor(this.#environmentId), body, ...sync);
	}
}

/** Ids contain no line break. */
const keyOf = (customerId: string, resourceRef: string | null): string => `${customerId}\n${resourceRef ?? ""}`;
