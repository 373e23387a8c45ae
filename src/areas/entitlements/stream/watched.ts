import { type Instant, parseInstant, toIso } from "../../../kernel/clock";
import { earliest } from "../../../kernel/period";
import type { Transactions } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import type { EffectiveEntitlement } from "../../entitlement-sources/schema";
import { listEntitlements, type Resolve } from "../operations";
import type { Resolved } from "../operations.resolve";
import { withoutQuota } from "../operations.state";
import type { EntitlementsAnswer } from "../schema";

/** A watched customer or resource. */
export interface WatchedCustomer {
	readonly environmentId: string;
	/** The caller's ids. */
	readonly customerRef: string;
	readonly resourceRef: string | null;
}

/** A message about a customer: first all entitlements, then the changed ones. */
export interface EntitlementUpdate {
	readonly customerId: string;
	readonly resourceId: string | null;
	readonly accessDeniedReason: string | null;
	readonly entitlements: readonly EffectiveEntitlement[];
	/** Ids of features and currencies that the customer is no longer entitled to. */
	readonly removed: readonly string[];
	/** The environment's time of the observation. */
	readonly at: string;
}

/** The entitlements of a customer at one instant. */
export interface Observation {
	/** The reason if there are none. */
	readonly reason: EntitlementsAnswer["accessDeniedReason"];
	/** All entitlements, and the data that they follow from. */
	readonly entitlements: readonly EffectiveEntitlement[];
	readonly resolved: Resolved;
	readonly at: Instant;
	/** Whether the usage may have changed since. */
	readonly hasNewUsage: () => boolean;
}

/** The difference between two observations. */
export interface ObservedChange {
	/** Whether it is the first observation, with all entitlements. */
	readonly isFirst: boolean;
	readonly of: WatchedCustomer;
	readonly seen: Observation;
	readonly changed: readonly EffectiveEntitlement[];
	readonly removed: readonly string[];
	/** Whether more than usage has changed. */
	readonly isOfTerms: boolean;
	/** The entitlements with changed usage or usage period. */
	readonly used: readonly EffectiveEntitlement[];
}

/** Hashes of one observed entitlement, which need little memory. */
interface Mark {
	readonly terms: number;
	readonly usage: number;
}

const unseen: ReadonlyMap<string, Mark> = new Map();
const never = (): boolean => false;

/**
 * The observed entitlements of one customer, for all listeners of this thread. They are read again only if the main file or the usage
 * has changed, or at an instant at which they can change.
 */
export class Watched {
	readonly listeners = new Set<(update: EntitlementUpdate) => void>();
	readonly #of: WatchedCustomer;
	readonly #resolve: Resolve;
	readonly #transactions: Transactions;
	#epoch: number | undefined;
	#hasNewUsage = never;
	#from = Number.NEGATIVE_INFINITY;
	#observedAtMs = Number.NEGATIVE_INFINITY;
	#until: Instant | null = null;
	#reason: string | null = null;
	/** By id. */
	#marks = unseen;

	constructor(of: WatchedCustomer, transactions: Transactions, resolve: Resolve) {
		this.#of = of;
		this.#transactions = transactions;
		this.#resolve = resolve;
	}

	/** When the entitlements can change without a signal. */
	get until(): Instant | null {
		return this.#until;
	}

	/** On the monotonic clock. */
	get observedAtMs(): number {
		return this.#observedAtMs;
	}

	isStale(): boolean {
		const { epoch, now } = this.#transactions;
		if (epoch() !== this.#epoch) return true;
		if (this.#hasNewUsage()) return true;
		return this.#isOver(now(this.#of.environmentId));
	}

	/** Observes again, and pushes the changes to the listeners. */
	refresh(): void {
		const change = this.observe();
		if (!change) return;
		const update = updateOf(change);
		for (const listener of this.listeners) listener(update);
	}

	/** Observes again. Returns undefined if nothing has changed. */
	observe(): ObservedChange | undefined {
		const isFirst = this.#epoch === undefined;
		const [before, reasonBefore] = [this.#marks, this.#reason];
		const seen = this.#see();
		const marks = new Map(seen.entitlements.map((one) => [idOf(one), markOf(one)]));
		this.#marks = marks.size === 0 ? unseen : marks;
		this.#reason = seen.reason;
		const differing = (differ: (now: Mark | undefined, then: Mark | undefined) => boolean) =>
			seen.entitlements.filter((one) => differ(marks.get(idOf(one)), before.get(idOf(one))));
		const others = differing((now, then) => now?.terms !== then?.terms);
		const used = differing((now, then) => now?.usage !== then?.usage);
		const removed = [...before.keys()].filter((id) => !marks.has(id));
		const isOfTerms = isFirst || others.length + removed.length > 0 || reasonBefore !== seen.reason;
		if (!isOfTerms && used.length === 0) return undefined;
		const changed = [...new Set([...others, ...used])];
		return { isFirst, of: this.#of, seen, changed, removed, isOfTerms, used };
	}

	/** Returns all current entitlements; undefined before the first observation. */
	snapshot(): EntitlementUpdate | undefined {
		if (this.#epoch === undefined) return undefined;
		const seen = this.#read();
		return updateOf({ of: this.#of, seen, changed: seen.entitlements, removed: [] });
	}

	#isOver(now: Instant): boolean {
		// Setting the clock back also changes entitlements.
		return now < this.#from || (this.#until !== null && now >= this.#until);
	}

	#see(): Observation {
		// Before the reads, so changes during them make the observation stale.
		const epoch = this.#transactions.epoch();
		const seen = this.#read();
		this.#hasNewUsage = seen.hasNewUsage;
		this.#epoch = epoch;
		this.#from = seen.at;
		this.#observedAtMs = performance.now();
		this.#until = earliest([seen.resolved.changesAt, ...seen.entitlements.map(untilOf)]);
		return seen;
	}

	#read(): Observation {
		const { environmentId, customerRef, resourceRef } = this.#of;
		return this.#transactions.read(systemActor(environmentId), (work) => {
			const resolved = this.#resolve(work, customerRef, resourceRef);
			const hasNewUsage = resolved.customerId === null ? never : work.watchUsage(resolved.customerId);
			const { accessDeniedReason, entitlements } = listEntitlements(work, customerRef, resourceRef, () => resolved);
			return { reason: accessDeniedReason, entitlements, resolved, at: work.now, hasNewUsage };
		});
	}
}

const updateOf = ({
	of,
	seen,
	changed,
	removed,
}: Pick<ObservedChange, "of" | "seen" | "changed" | "removed">): EntitlementUpdate => ({
	customerId: of.customerRef,
	resourceId: of.resourceRef,
	accessDeniedReason: seen.reason,
	entitlements: changed,
	removed,
	at: toIso(seen.at),
});

/** The prefix separates the ids of features and currencies. */
const idOf = (one: EffectiveEntitlement): string =>
	one.type === "CREDIT" ? `currency:${one.currency.currencyId}` : `feature:${one.feature?.id}`;

/** Separates terms from usage. A denial by an exhausted limit and the time of the last change of credits follow from usage. */
function markOf(one: EffectiveEntitlement): Mark {
	const { isGranted, accessDeniedReason } = withoutQuota(one);
	if (one.type === "CREDIT") {
		const { currentUsage, usageUpdatedAt, entitlementUpdatedAt: _, ...terms } = one;
		return { terms: hashOf(terms), usage: hashOf([currentUsage, usageUpdatedAt]) };
	}
	const { currentUsage, reservedUsage, ...terms } = one;
	return {
		terms: hashOf({ ...terms, isGranted, accessDeniedReason }),
		usage: hashOf([currentUsage, reservedUsage, one.usagePeriodEnd]),
	};
}

/** Returns a hash of 53 bits, which a number represents exactly. */
const hashOf = (value: unknown): number => Number(BigInt.asUintN(53, Bun.hash.wyhash(JSON.stringify(value))));

const untilOf = ({ validUntil }: EffectiveEntitlement): Instant | null =>
	validUntil === undefined ? null : (parseInstant(validUntil) ?? null);
