import { type Instant, parseInstant, toIso } from "../../../kernel/clock";
import { earliest } from "../../../kernel/period";
import type { Transactions } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import type { EffectiveEntitlement } from "../../grants/schema";
import { listEntitlements, type Resolve } from "../operations";

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

/**
 * What is known of one customer's entitlements, for all connections of this thread that follow it. It is looked at again only
 * when its version is another: the main file's, its usage's, or because an instant has come from which it may be another.
 */
export class Watched {
	readonly listeners = new Set<(told: Told) => void>();
	readonly #of: Followed;
	readonly #resolve: Resolve;
	readonly #transactions: Transactions;
	#epoch: number | undefined;
	#usage: number | undefined;
	#customerId: string | null = null;
	#from = Number.NEGATIVE_INFINITY;
	#until: Instant | null = null;
	#reason: string | null = null;
	/** By id: each as it was told. */
	#told: ReadonlyMap<string, string> = new Map();

	constructor(of: Followed, transactions: Transactions, resolve: Resolve) {
		this.#of = of;
		this.#transactions = transactions;
		this.#resolve = resolve;
	}

	isStale(): boolean {
		const { epoch, usageOf, now } = this.#transactions;
		if (epoch() !== this.#epoch) return true;
		if (this.#customerId === null) return this.#isOver(now(this.#of.environmentId));
		return usageOf(this.#customerId) !== this.#usage || this.#isOver(now(this.#of.environmentId));
	}

	/** Looks again, and tells who listens what is another. */
	refresh(): void {
		const before = this.#told;
		const reasonBefore = this.#reason;
		const isFirst = this.#epoch === undefined;
		const { entitlements, at } = this.#look();
		if (isFirst) {
			this.#tell({ entitlements, removed: [], at });
			return;
		}
		const changed = entitlements.filter((one) => before.get(idOf(one)) !== this.#told.get(idOf(one)));
		const removed = [...before.keys()].filter((id) => !this.#told.has(id));
		if (changed.length + removed.length > 0 || reasonBefore !== this.#reason)
			this.#tell({ entitlements: changed, removed, at });
	}

	/** All that is known now; undefined before the first look. */
	snapshot(): Told | undefined {
		if (this.#epoch === undefined) return undefined;
		const entitlements = [...this.#told.values()].map((text): EffectiveEntitlement => JSON.parse(text));
		return this.#toldOf({ entitlements, removed: [], at: toIso(this.#from as Instant) });
	}

	#isOver(now: Instant): boolean {
		// A clock that was turned back makes it another too.
		return now < this.#from || (this.#until !== null && now >= this.#until);
	}

	#look(): Pick<Told, "entitlements" | "at"> {
		const { environmentId, customerRef, resourceRef } = this.#of;
		// Asked for before anything is read: what changes meanwhile is looked at again.
		const epoch = this.#transactions.epoch();
		return this.#transactions.read(systemActor(environmentId), (work) => {
			const { customerId, changesAt } = this.#resolve(work, customerRef, resourceRef);
			const usage = customerId === null ? undefined : this.#transactions.usageOf(customerId);
			const { accessDeniedReason, entitlements } = listEntitlements(work, customerRef, resourceRef, this.#resolve);
			this.#epoch = epoch;
			this.#customerId = customerId;
			this.#usage = usage;
			this.#reason = accessDeniedReason;
			this.#told = new Map(entitlements.map((one) => [idOf(one), JSON.stringify(one)]));
			this.#from = work.now;
			this.#until = earliest([changesAt, ...entitlements.map(untilOf)]);
			return { entitlements, at: toIso(work.now) };
		});
	}

	#tell(what: Pick<Told, "entitlements" | "removed" | "at">): void {
		const told = this.#toldOf(what);
		for (const listener of this.listeners) listener(told);
	}

	#toldOf(what: Pick<Told, "entitlements" | "removed" | "at">): Told {
		const { customerRef, resourceRef } = this.#of;
		return { customerId: customerRef, resourceId: resourceRef, accessDeniedReason: this.#reason, ...what };
	}
}

/** Features and currencies have ids of their own; which of the two it is stands before it. */
const idOf = (one: EffectiveEntitlement): string =>
	one.type === "CREDIT" ? `currency:${one.currency.currencyId}` : `feature:${one.feature?.id}`;

const untilOf = ({ validUntil }: EffectiveEntitlement): Instant | null =>
	validUntil === undefined ? null : (parseInstant(validUntil) ?? null);
