import type { Instant } from "../../../kernel/clock";
import { type ChangedPlaces, placeOf } from "../../../kernel/storage/epochs";
import { underEpoch } from "../../../kernel/storage/remembered";
import type { Sync, Transactions, Work } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { customerIdsAfter, customersByIds, resourceRefsUpTo } from "../../customers/operations";
import type { Resolve } from "../operations";
import { type Change, Watched } from "./watched";

/** Is told of one change after the other; the next look waits until a promise is settled, which never rejects. */
export type TellChange = (change: Change) => Promise<void> | undefined;

/** Our choice: how often one customer is told of at most, so that thousands of events a second are a few messages. */
const pauseMs = 100;

/** Our choice: when one who could not be looked at is looked at again. */
const restMs = 1_000;

/** Our choice: how long in a turn those are looked at of whom nothing was heard. */
const rotationMs = 2;

/** Our choices: customers whose changes are found at once, some 60 MB; all others are found in rotation. */
const listedMax = 500_000;
/** Holders of whom it is known what they have, some 50 MB; of others only what they use is told, and what is done to them. */
const knownMax = 50_000;
/** Of one customer: as many as are looked at. */
const resourcesMax = 1_000;
const pageMax = 1_000;
/** Customers whose ids are remembered while the main file stays as it is: those without resources, some megabytes. */
const holdersMax = 10_000;

/** A customer, and its resources. */
interface Holders {
	readonly customerRef: string | undefined;
	readonly resourceRefs: readonly string[];
}

/**
 * Follows all customers of an environment, and all of their resources. Whose usage or access has changed is told by counters in
 * shared memory (`Transactions.changedPlaces`), and looked at first. Whatever else may have changed somebody's entitlements
 * (the main file is another, a usage period is over) is found by looking at those whose time has come, and at everybody in
 * rotation. Of whom nothing is known, all is told at the first sign of a change.
 */
export class FollowedEnvironment {
	readonly listeners = new Set<TellChange>();
	readonly #environmentId: string;
	readonly #transactions: Transactions;
	readonly #resolve: Resolve;
	readonly #changedPlaces: ChangedPlaces;
	/** Row ids of customers, by the places at which their changes are counted. */
	readonly #listed = new Map<number, string[]>();
	#listedCount = 0;
	#listedTo = "";
	#isListed = false;
	/** Who is to be looked at, and from when on (monotonic). */
	readonly #due = new Map<string, number>();
	readonly #watched = new Map<string, Watched>();
	/** By customers. */
	readonly #holders: () => Map<string, Holders>;
	/** The first instant from which what is known of anybody may be another. */
	#until = Number.POSITIVE_INFINITY;
	#epoch: number | undefined;
	/** Where the rotation is; undefined while there is none. */
	#rotatedTo: string | undefined;
	#page: IterableIterator<string> = [].values();
	#rotatesAgain = false;
	#telling = 0;

	constructor(environmentId: string, transactions: Transactions, resolve: Resolve) {
		this.#environmentId = environmentId;
		this.#transactions = transactions;
		this.#resolve = resolve;
		this.#holders = underEpoch(transactions.epoch, () => new Map());
		// From now on: what is changed while customers are being listed is looked at then.
		this.#changedPlaces = transactions.changedPlaces();
	}

	/** Looks on until `end` (monotonic); answers whether it waits for nothing but changes. */
	turn(end: number): boolean {
		if (this.#telling > 0) return true;
		if (!this.#list(end)) return false;
		this.#hear();
		if (!this.#lookAtDue(end)) return false;
		this.#rotate(Math.min(end, performance.now() + rotationMs));
		return true;
	}

	/** Answers whether all are listed. */
	#list(end: number): boolean {
		while (!this.#isListed) {
			if (performance.now() >= end) return false;
			this.#isListed = this.#listOn().length < pageMax;
		}
		return true;
	}

	/** The next of those who came after the last that is listed. */
	#listOn(): readonly string[] {
		const ids = this.#read((work) => customerIdsAfter(work, this.#listedTo, pageMax));
		for (const id of ids) this.#add(id);
		this.#listedTo = ids.at(-1) ?? this.#listedTo;
		return ids;
	}

	#add(id: string): void {
		if (this.#listedCount >= listedMax) return;
		const place = placeOf(id);
		const there = this.#listed.get(place);
		if (there?.includes(id)) return;
		if (there) there.push(id);
		else this.#listed.set(place, [id]);
		this.#listedCount += 1;
	}

	/** Who has changed since the last time. */
	#hear(): void {
		const { epoch, now } = this.#transactions;
		// Before anything is read: what changes meanwhile is heard of the next time.
		const { isAll, places } = this.#changedPlaces();
		const current = epoch();
		if (current !== this.#epoch) {
			const isFirst = this.#epoch === undefined;
			this.#epoch = current;
			this.#rotatesAgain = true;
			const added = this.#listOn();
			if (!isFirst) for (const id of added) this.#mark(id);
			this.#isListed = added.length < pageMax;
		}
		if (isAll) this.#rotatesAgain = true;
		for (const place of places) for (const id of this.#listed.get(place) ?? []) this.#mark(id);
		const at = now(this.#environmentId);
		if (at >= this.#until) this.#markThoseOver(at);
	}

	#mark(id: string): void {
		if (this.#due.has(id)) return;
		const lookedAtMs = this.#watched.get(keyOf(id, null))?.lookedAtMs ?? Number.NEGATIVE_INFINITY;
		this.#due.set(id, Math.max(performance.now(), lookedAtMs + pauseMs));
	}

	#markThoseOver(at: Instant): void {
		this.#until = Number.POSITIVE_INFINITY;
		for (const [key, { until }] of this.#watched) {
			if (until === null) continue;
			if (until > at) this.#until = Math.min(this.#until, until);
			else this.#mark(key.slice(0, key.indexOf("\n")));
		}
	}

	/** Answers whether all whose time has come were looked at. */
	#lookAtDue(end: number): boolean {
		for (const [id, dueMs] of this.#due) {
			const nowMs = performance.now();
			if (dueMs > nowMs) continue;
			if (nowMs >= end || this.#telling > 0) return false;
			this.#due.delete(id);
			try {
				this.#lookAt(id, true);
			} catch (error) {
				// Others come first, whatever is wrong with this one.
				this.#due.set(id, nowMs + restMs);
				throw error;
			}
		}
		return true;
	}

	/** Looks at everybody once after whatever has changed; what is found for the first time is how things are, and no change. */
	#rotate(end: number): void {
		while (performance.now() < end && this.#telling === 0) {
			const { value: id, done } = this.#page.next();
			if (done) {
				if (this.#turnPage()) continue;
				return;
			}
			this.#add(id);
			if (!this.#due.has(id)) this.#lookAt(id, false);
		}
	}

	/** Answers whether there is anybody to look at. */
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

	#lookAt(id: string, tellsFirst: boolean): void {
		const { customerRef, resourceRefs } = this.#holdersOf(id);
		if (customerRef === undefined) return;
		for (const resourceRef of [null, ...resourceRefs]) {
			const key = keyOf(id, resourceRef);
			const known = this.#watched.get(key);
			if (!known && !tellsFirst && this.#watched.size >= knownMax) continue;
			const of = { environmentId: this.#environmentId, customerRef, resourceRef };
			const watched = known ?? new Watched(of, this.#transactions, this.#resolve);
			const change = watched.look();
			if (!known) this.#remember(key, watched);
			if (watched.until !== null) this.#until = Math.min(this.#until, watched.until);
			if (change && (tellsFirst || !change.isFirst)) this.#tell(change);
		}
	}

	/** The caller's ids. */
	#holdersOf(id: string): Holders {
		const known = this.#holders();
		const there = known.get(id);
		if (there) return there;
		const holders = this.#read((work) => ({
			customerRef: customersByIds(work, [id]).get(id)?.refId,
			resourceRefs: resourceRefsUpTo(work, id, resourcesMax),
		}));
		if (known.size >= holdersMax) known.clear();
		if (holders.resourceRefs.length === 0) known.set(id, holders);
		return holders;
	}

	#remember(key: string, watched: Watched): void {
		const [oldest] = this.#watched.keys();
		if (this.#watched.size >= knownMax && oldest !== undefined) this.#watched.delete(oldest);
		this.#watched.set(key, watched);
	}

	#tell(change: Change): void {
		for (const listener of this.listeners) {
			const telling = listener(change);
			if (!telling) continue;
			this.#telling += 1;
			void telling.finally(() => {
				this.#telling -= 1;
			});
		}
	}

	#read<T>(body: (work: Work) => T, ...sync: Sync<T>): T {
		return this.#transactions.read(systemActor(this.#environmentId), body, ...sync);
	}
}

/** Ids hold no line break. */
const keyOf = (customerId: string, resourceRef: string | null): string => `${customerId}\n${resourceRef ?? ""}`;
