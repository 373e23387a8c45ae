import type { Instant } from "../../kernel/clock";
import { underEpoch } from "../../kernel/storage/remembered";
import type { Transactions, Work } from "../../kernel/work";
import type { CurrencyRow } from "../currencies/table";
import type { FeatureRow } from "../features/table";
import { type Resolved, resolveEntitlements } from "./operations.resolve";

/** How many customers' entitlements are remembered, and what they hold together; beyond it all are forgotten. Our choices. */
const customersMax = 20_000;
/** Features and credits, each with what grants it: about half a kilobyte, so 50 MB at the most. */
const entitlementsMax = 100_000;

export interface ResolvedLimits {
	readonly customersMax: number;
	readonly entitlementsMax: number;
}

/**
 * Remembers what customers are entitled to, until anything in the main file changes, or its time has come (`changesAt`). Usage is not part of it and is read each time. A cache changes cost, never meaning: what is kept under an
 * epoch was read no earlier.
 */
export class ResolvedCache {
	readonly #limits: ResolvedLimits;
	readonly #remembered: () => Remembered;

	constructor(transactions: Transactions, limits: ResolvedLimits = { customersMax, entitlementsMax }) {
		this.#limits = limits;
		this.#remembered = underEpoch(transactions.epoch, nothing);
	}

	/** How much is remembered now. */
	get size(): { readonly customers: number; readonly entitlements: number } {
		const { byHolder, entitlements } = this.#remembered();
		return { customers: byHolder.size, entitlements };
	}

	readonly resolve = (work: Work, customerRef: string, resourceRef: string | null): Resolved => {
		const all = this.#remembered();
		// Ids hold no line break, so the parts cannot run into each other.
		const key = `${work.actor.environmentId}\n${customerRef}\n${resourceRef ?? ""}`;
		const remembered = all.byHolder.get(key);
		if (remembered && !hasChanged(remembered, work.now)) return remembered;
		const resolved = shared(all, resolveEntitlements(work, customerRef, resourceRef));
		if (remembered) all.entitlements -= countOf(remembered);
		all.byHolder.delete(key);
		const isFull =
			all.byHolder.size >= this.#limits.customersMax ||
			all.entitlements + countOf(resolved) > this.#limits.entitlementsMax;
		if (isFull) forget(all);
		all.byHolder.set(key, resolved);
		all.entitlements += countOf(resolved);
		return resolved;
	};
}

/** What is known under one epoch of the main file. */
interface Remembered {
	readonly byHolder: Map<string, Resolved>;
	/** How many they hold together. */
	entitlements: number;
	/** Rows of the catalogue by their ids: customers who have the same thing share what is known of it. */
	readonly features: Map<string, FeatureRow>;
	readonly currencies: Map<string, CurrencyRow>;
}

const nothing = (): Remembered => ({
	byHolder: new Map(),
	entitlements: 0,
	features: new Map(),
	currencies: new Map(),
});

function forget(all: Remembered): void {
	all.byHolder.clear();
	all.entitlements = 0;
	all.features.clear();
	all.currencies.clear();
}

const shared = (known: Remembered, { features, credits, ...rest }: Resolved): Resolved => ({
	...rest,
	features: mapped(features, (one) => ({
		...one,
		feature: sharedRow(known.features, one.feature),
		// What it comes from is as large as all the rest, and nobody asks a cache for it.
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
