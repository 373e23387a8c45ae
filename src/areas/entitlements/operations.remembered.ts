import type { Instant } from "../../kernel/clock";
import { underEpoch } from "../../kernel/storage/remembered";
import type { Transactions, Work } from "../../kernel/work";
import type { CurrencyRow } from "../currencies/table";
import type { FeatureRow } from "../features/table";
import { type Resolved, resolveEntitlements } from "./operations.resolve";

/** The bounds of the cache: customers, and their entitlements in total. When it is full, it is cleared. */
const customersMax = 20_000;
/** A feature or currency with its sources has about half a kilobyte, so the cache has at most 50 MB. */
const entitlementsMax = 100_000;

export interface ResolvedLimits {
	readonly customersMax: number;
	readonly entitlementsMax: number;
}

/**
 * Caches the entitlements of customers until the main file changes or until `changesAt`. Usage is not in the cache. A cache changes
 * cost, never meaning: an entry of an epoch was read in that epoch.
 */
export class ResolvedCache {
	readonly #limits: ResolvedLimits;
	readonly #cached: () => CachedEntitlements;

	constructor(transactions: Transactions, limits: ResolvedLimits = { customersMax, entitlementsMax }) {
		this.#limits = limits;
		this.#cached = underEpoch(transactions.epoch, nothing);
	}

	/** The number of cached customers and entitlements. */
	get size(): { readonly customers: number; readonly entitlements: number } {
		const { byHolder, entitlements } = this.#cached();
		return { customers: byHolder.size, entitlements };
	}

	readonly resolve = (work: Work, customerRef: string, resourceRef: string | null): Resolved => {
		const all = this.#cached();
		// Ids contain no line break, so keys are unique.
		const key = `${work.actor.environmentId}\n${customerRef}\n${resourceRef ?? ""}`;
		const cached = all.byHolder.get(key);
		if (cached && !hasChanged(cached, work.now)) return cached;
		const resolved = shared(all, resolveEntitlements(work, customerRef, resourceRef));
		if (cached) all.entitlements -= countOf(cached);
		all.byHolder.delete(key);
		const isFull =
			all.byHolder.size >= this.#limits.customersMax ||
			all.entitlements + countOf(resolved) > this.#limits.entitlementsMax;
		if (isFull) clear(all);
		all.byHolder.set(key, resolved);
		all.entitlements += countOf(resolved);
		return resolved;
	};
}

/** The cache of one epoch of the main file. */
interface CachedEntitlements {
	readonly byHolder: Map<string, Resolved>;
	/** Their total number of entitlements. */
	entitlements: number;
	/** Rows of the catalogue by id, which the entries of all customers share. */
	readonly features: Map<string, FeatureRow>;
	readonly currencies: Map<string, CurrencyRow>;
}

const nothing = (): CachedEntitlements => ({
	byHolder: new Map(),
	entitlements: 0,
	features: new Map(),
	currencies: new Map(),
});

function clear(all: CachedEntitlements): void {
	all.byHolder.clear();
	all.entitlements = 0;
	all.features.clear();
	all.currencies.clear();
}

const shared = (known: CachedEntitlements, { features, credits, ...rest }: Resolved): Resolved => ({
	...rest,
	features: mapped(features, (one) => ({
		...one,
		feature: sharedRow(known.features, one.feature),
		// The origin doubles the size of an entry, and only explanations need it.
		sources: one.sources.map(({ origin: _, ...source }) => source),
	})),
	credits: mapped(credits, ({ currency, terms }) => ({
		currency: sharedRow(known.currencies, currency),
		terms: terms.map(({ origin: _, ...one }) => one),
	})),
});

const countOf = ({ features, credits }: Resolved): number => features.size + credits.size;

const mapped = <Value>(map: ReadonlyMap<string, Value>, change: (value: Value) => Value): ReadonlyMap<string, Value> =>
	new Map(map.entries().map(([key, value]) => [key, change(value)]));

function sharedRow<Row extends { readonly id: string }>(known: Map<string, Row>, row: Row): Row {
	const first = known.get(row.id);
	if (first) return first;
	known.set(row.id, row);
	return row;
}

const hasChanged = ({ changesAt }: Resolved, now: Instant): boolean => changesAt !== null && changesAt <= now;
