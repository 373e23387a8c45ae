import { type Instant, parseInstant, toIso } from "../../../kernel/clock";
import { earliest } from "../../../kernel/period";
import type { Transactions } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import type { EffectiveEntitlement } from "../../entitlement-sources/schema";
import { listEntitlements, type Resolve } from "../operations";
import type { Resolved } from "../operations.resolve";
import { withoutQuota } from "../operations.state";
import type { EntitlementsAnswer } from "../schema";

/** Whose entitlements are followed. */
export interface Followed {
	readonly environmentId: string;
	/** The caller's ids. */
	readonly customerRef: string;
	readonly resourceRef: string | null;
}

/** What a stream tells of a customer: all of it at first, then what is another. */
export interface Told {
	readonly customerId: string;
	readonly resourceId: string | null;
	readonly accessDeniedReason: string | null;
	readonly entitlements: readonly EffectiveEntitlement[];
	/** Ids of features and currencies that the customer is no longer entitled to. */
	readonly removed: readonly string[];
	/** The environment's time at which it was so. */
	readonly at: string;
}

/** What a look has found. */
export interface Seen {
	/** Why there is nothing. */
	readonly reason: EntitlementsAnswer["accessDeniedReason"];
	/** All that the customer is entitled to, and what it was made of. */
	readonly entitlements: readonly EffectiveEntitlement[];
	readonly resolved: Resolved;
	readonly at: Instant;
	/** Whether the usage may be another by now. */
	readonly hasNewUsage: () => boolean;
}

/** What a look has found to be another than at the look before. */
export interface Change {
	/** Whether there was none before: then all of it is here. */
	readonly isFirst: boolean;
	readonly of: Followed;
	readonly seen: Seen;
	readonly changed: readonly EffectiveEntitlement[];
	readonly removed: readonly string[];
	/** Whether more is another than how much was used. */
	readonly isOfTerms: boolean;
	/** Those of which another amount was used, or the usage period is another. */
	readonly used: readonly EffectiveEntitlement[];
}

/** Of one entitlement, as it was seen last: hashes, since there may be many. */
interface Mark {
	readonly terms: number;
	readonly usage: number;
}

const unseen: ReadonlyMap<string, Mark> = new Map();
const never = (): boolean => false;

/**
 * What is known of one customer's entitlements, for all of this thread who follow it. It is looked at again only
 * when its version is another: the main file's, its usage's, or because an instant has come from which it may be another.
 */
export class Watched {
	readonly listeners = new Set<(told: Told) => void>();
	readonly #of: Followed;
	readonly #resolve: Resolve;
	readonly #transactions: Transactions;
	#epoch: number | undefined;
	#hasNewUsage = never;
	#from = Number.NEGATIVE_INFINITY;
	#lookedAtMs = Number.NEGATIVE_INFINITY;
	#until: Instant | null = null;
	#reason: string | null = null;
	/** By id. */
	#marks = unseen;

	constructor(of: Followed, transactions: Transactions, resolve: Resolve) {
		this.#of = of;
		this.#transactions = transactions;
		this.#resolve = resolve;
	}

	/** From when on it may be another, though nothing happens. */
	get until(): Instant | null {
		return this.#until;
	}

	/** On the monotonic clock. */
	get lookedAtMs(): number {
		return this.#lookedAtMs;
	}

	isStale(): boolean {
		const { epoch, now } = this.#transactions;
		if (epoch() !== this.#epoch) return true;
		if (this.#hasNewUsage()) return true;
		return this.#isOver(now(this.#of.environmentId));
	}

	/** Looks again, and tells who listens what is another. */
	refresh(): void {
		const change = this.look();
		if (!change) return;
		const told = toldOf(change);
		for (const listener of this.listeners) listener(told);
	}

	/** Looks again; undefined where nothing is another. */
	look(): Change | undefined {
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

	/** All as it is now; undefined before the first look. */
	snapshot(): Told | undefined {
		if (this.#epoch === undefined) return undefined;
		const seen = this.#read();
		return toldOf({ of: this.#of, seen, changed: seen.entitlements, removed: [] });
	}

	#isOver(now: Instant): boolean {
		// A clock that was turned back makes it another too.
		return now < this.#from || (this.#until !== null && now >= this.#until);
	}

	#see(): Seen {
		// Asked for before anything is read: what changes meanwhile is looked at again.
		const epoch = this.#transactions.epoch();
		const seen = this.#read();
		this.#hasNewUsage = seen.hasNewUsage;
		this.#epoch = epoch;
		this.#from = seen.at;
		this.#lookedAtMs = performance.now();
		this.#until = earliest([seen.resolved.changesAt, ...seen.entitlements.map(untilOf)]);
		return seen;
	}

	#read(): Seen {
		const { environmentId, customerRef, resourceRef } = this.#of;
		return this.#transactions.read(systemActor(environmentId), (work) => {
			const resolved = this.#resolve(work, customerRef, resourceRef);
			const hasNewUsage = resolved.customerId === null ? never : work.watchUsage(resolved.customerId);
			const { accessDeniedReason, entitlements } = listEntitlements(work, customerRef, resourceRef, () => resolved);
			return { reason: accessDeniedReason, entitlements, resolved, at: work.now, hasNewUsage };
		});
	}
}

const toldOf = ({ of, seen, changed, removed }: Pick<Change, "of" | "seen" | "changed" | "removed">): Told => ({
	customerId: of.customerRef,
	resourceId: of.resourceRef,
	accessDeniedReason: seen.reason,
	entitlements: changed,
	removed,
	at: toIso(seen.at),
});

/** Features and currencies have ids of their own; which of the two it is stands before it. */
const idOf = (one: EffectiveEntitlement): string =>
	one.type === "CREDIT" ? `currency:${one.currency.currencyId}` : `feature:${one.feature?.id}`;

/** Access that a full quota denies follows from the usage; so does when credits have changed last. */
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

/** Of 53 bits, which a number holds. */
const hashOf = (value: unknown): number => Number(BigInt.asUintN(53, Bun.hash.wyhash(JSON.stringify(value))));

const untilOf = ({ validUntil }: EffectiveEntitlement): Instant | null =>
	validUntil === undefined ? null : (parseInstant(validUntil) ?? null);
