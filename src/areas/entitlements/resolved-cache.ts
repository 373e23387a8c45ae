import type { Instant } from "../../kernel/clock";
import type { Doors, Work } from "../../kernel/work";
import type { CurrencyRow } from "../currencies/table";
import type { FeatureRow } from "../features/table";
import { type Resolved, resolveEntitlements } from "./resolve";

/** How many customers' entitlements are remembered, and what they hold together; beyond it all are forgotten. Our choices. */
const customersMax = 20_000;
/** Features and credits, each with what grants it: about half a kilobyte, so 50 MB at the most. */
const entitlementsMax = 100_000;

export interface ResolvedLimits {
	readonly customersMax: number;
	readonly entitlementsMax: number;
}

/**
 * Remembers what customers are entitled to, until anything in the main file changes, or a subscription or a promotional
 * grant ends. Usage is not part of it and is read each time. A cache changes cost, never meaning: what is kept under an
 * epoch was read no earlier.
 */
export class ResolvedCache {
	readonly #doors: Doors;
	readonly #limits: ResolvedLimits;
	#epoch: number | undefined;
	readonly #remembered = new Map<string, Resolved>();
	#entitlements = 0;
	/** Rows of the catalogue by their ids: customers who have the same thing share what is known of it. */
	readonly #features = new Map<string, FeatureRow>();
	readonly #currencies = new Map<string, CurrencyRow>();

	constructor(doors: Doors, limits: ResolvedLimits = { customersMax, entitlementsMax }) {
		this.#doors = doors;
		this.#limits = limits;
	}

	/** How much is remembered now. */
	get size(): { readonly customers: number; readonly entitlements: number } {
		return { customers: this.#remembered.size, entitlements: this.#entitlements };
	}

	readonly resolve = (work: Work, customerRef: string, resourceRef: string | null): Resolved => {
		const epoch = this.#doors.epoch();
		if (epoch !== this.#epoch || this.#remembered.size >= this.#limits.customersMax) this.#forget();
		this.#epoch = epoch;
		// Ids hold no line break, so the parts cannot run into each other.
		const key = `${work.actor.environmentId}\n${customerRef}\n${resourceRef ?? ""}`;
		const remembered = this.#remembered.get(key);
		if (remembered && !hasEnded(remembered, work.now)) return remembered;
		const resolved = this.#shared(resolveEntitlements(work, customerRef, resourceRef));
		if (remembered) this.#entitlements -= countOf(remembered);
		this.#remembered.delete(key);
		if (this.#entitlements + countOf(resolved) > this.#limits.entitlementsMax) this.#forget();
		this.#remembered.set(key, resolved);
		this.#entitlements += countOf(resolved);
		return resolved;
	};

	#forget(): void {
		this.#remembered.clear();
		this.#entitlements = 0;
		this.#features.clear();
		this.#currencies.clear();
	}

	#shared({ features, credits, ...rest }: Resolved): Resolved {
		return {
			...rest,
			features: mapped(features, (one) => ({ ...one, feature: sharedRow(this.#features, one.feature) })),
			credits: mapped(credits, (one) => ({ ...one, currency: sharedRow(this.#currencies, one.currency) })),
		};
	}
}

const countOf = ({ features, credits }: Resolved): number => features.size + credits.size;

const mapped = <Value>(map: ReadonlyMap<string, Value>, change: (value: Value) => Value): ReadonlyMap<string, Value> =>
	new Map(map.entries().map(([key, value]) => [key, change(value)]));

function sharedRow<Row extends { readonly id: string }>(known: Map<string, Row>, row: Row): Row {
	const first = known.get(row.id);
	if (first) return first;
	known.set(row.id, row);
	return row;
}

const hasEnded = ({ endsAt }: Resolved, now: Instant): boolean => endsAt !== null && endsAt <= now;
