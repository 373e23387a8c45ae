import { trueUpOf } from "../support/oracle/pricing";
import type { Item } from "./bill";
import { dayMs, firstOfMonth, lengthsAround, monthsAround, type Span } from "./calendar";
import type { Used } from "./calls";
import { features, type Reset } from "./price-list";
import { cycleAround, type Held, pricesOf, type Terms } from "./terms";

/** The billed part of a window, and its prices. */
interface Window {
	readonly span: Span;
	readonly billed: Quantity;
	/** Empty: it only counts against a limit here. */
	readonly prices: readonly Price[];
}
type Price = Omit<Item, "quantity" | "billed" | "span" | "ended"> & { readonly endedFor?: Share } & {
	readonly feature: string;
	readonly limit?: string;
};

/** The counting state of a subscription: its sources, start, and the billed part of each window. */
export interface Counted {
	/** The resource whose usage counts; null if the customer has one subscription. */
	readonly resource: string | null;
	readonly terms: Terms;
	readonly usageAnchor: number;
	readonly anchor: number | null;
	readonly counted: Map<string, Window>;
	/** The end of counted usage, by source. */
	readonly countedUntil: Map<string, number>;
	/** The end of the windows that the last bill closed, by source. */
	readonly closedUntil: Map<string, number>;
	readonly endedAt: number | null;
}

export interface Late {
	readonly item: Item;
	readonly span: Span;
	/** It was counted up to this very instant, and its window continues. */
	readonly goesOn: boolean;
}

type Share = NonNullable<Item["ended"]>["share"];

/** Which prices a bill counts, and whether it ends windows that would go on. */
interface Counting {
	readonly isDue: (price: Held) => boolean;
	readonly isElsewhere: (key: string) => boolean;
	readonly ends: boolean;
}

type Whose = Pick<Counted, "resource">;

/** Reported usage and its totals. */
export class Meters {
	readonly #used: Used[] = [];

	report(used: readonly Used[]): void {
		this.#used.push(...used);
	}

	/**
	 * Returns the usage of each price since the last count, or since a time: pay as you go within the periods of its
	 * price, from `first` on; overage within the windows of its limit. Counting records it as billed. Windows counted
	 * earlier are checked again at their own prices, unless another subscription continues them.
	 */
	count(
		of: Counted,
		{ since, first, until }: { readonly since: number; readonly first: number; readonly until: number },
		{ isDue, isElsewhere, ends }: Counting,
	): { open: Item[]; late: Late[] } {
		const isOther = new Set<string>();
		const goingOn = new Set<string>();
		const priced = new Set<string>();
		const open = (of.endedAt === null ? pricesOf(of.terms) : [])
			.filter(({ listed }) => listed.model === "USAGE_BASED")
			.flatMap((held) => {
				const kind = kindOf(held);
				if (!isDue(held)) {
					isOther.add(kind);
					return [];
				}
				const counted = of.countedUntil.get(kind) ?? since;
				// A window that was billed up to this very instant still ends with it.
				const running = ends ? Math.min(counted, of.closedUntil.get(kind) ?? counted) : counted;
				const start = Math.max(first, running);
				const price = this.#priceOf(of, held);
				const spans = this.#windowsOf(of, held, { start, end: until }, first);
				// A subscription that starts at this instant has no continuing windows.
				const goesOn = first < until ? this.#windowsOf(of, held, { start: until, end: until + 1 }, first) : [];
				for (const span of goesOn) goingOn.add(kind + span.start);
				of.closedUntil.set(kind, Math.min(until, goesOn[0]?.start ?? until));
				priced.add(kind);
				return [{ kind, spans, held, price }];
			})
			.flatMap(({ kind, spans, held, price }) => {
				of.countedUntil.set(kind, until);
				return spans.map((span) => {
					const endedFor = endOf(of, held, span, ends);
					return { kind, span, price: { ...price, ...(endedFor && { endedFor }) } };
				});
			});
		for (const [kind, closed] of of.closedUntil)
			if (!priced.has(kind) && !isOther.has(kind)) of.closedUntil.set(kind, Math.max(until, closed));
		const keys = new Map(open.map((one) => [one.kind + one.span.start, one.span]));
		const items = open.flatMap(({ kind, span, price }) =>
			this.#add(of, span, price, of.counted.get(kind + span.start)?.billed ?? 0n, "now"),
		);
		const late = [...of.counted].flatMap(([key, { span, billed, prices }]) => {
			if (keys.has(key) || isElsewhere(key) || [...isOther].some((kind) => key.startsWith(kind))) return [];
			const found = prices.flatMap((price) => this.#add(of, span, price, billed));
			const [price] = prices;
			if (price) this.#keep(of, key, span, prices);
			return found.map((item) => ({ item, span, goesOn: goingOn.has(key) }));
		});
		for (const [key, span] of keys)
			this.#keep(
				of,
				key,
				span,
				open.filter((one) => one.kind + one.span.start === key).map(({ price }) => price),
			);
		return { open: items, late };
	}

	/** Returns the usage that was reported late for closed windows, at the prices of then, and records it as billed. */
	countClosed(of: Counted, isElsewhere: (key: string) => boolean): Late[] {
		return [...of.counted].flatMap(([key, { span, billed, prices }]) => {
			const kind = key.slice(0, key.lastIndexOf(" ") + 1);
			const closedUntil = of.closedUntil.get(kind);
			if (closedUntil === undefined || span.start >= closedUntil || isElsewhere(key)) return [];
			const found = prices.flatMap((price) => this.#add(of, span, price, billed));
			if (prices.length > 0) this.#keep(of, key, span, prices);
			return found.map((item) => ({ item, span, goesOn: false }));
		});
	}

	/** Returns the total usage of a feature in a time, in plain digits. */
	quantityIn(feature: string, span: Span): string {
		return decimal(this.#quantity({ resource: null }, feature, span));
	}

	/** Overage before an instant counts against the limit, and is not billed here. */
	excludeOverage(of: Counted, until: number): void {
		for (const held of pricesOf(of.terms)) {
			const { beyond, feature = "" } = held.listed;
			if (!beyond) continue;
			for (const span of resets(beyond.reset, of.usageAnchor, { start: until - 1, end: until })) {
				const key = `overage ${feature} ${span.start}`;
				if (resets(beyond.reset, of.usageAnchor, { start: until - 1, end: until + 1 })[0]?.end === until) continue;
				const known = of.counted.get(key);
				const quantity = this.#quantity(of, feature, span);
				const billed = known && known.billed > quantity ? known.billed : quantity;
				of.counted.set(key, { span, billed, prices: known?.prices ?? [] });
			}
		}
	}

	#keep(of: Counted, key: string, span: Span, prices: readonly Price[]): void {
		const before = of.counted.get(key)?.billed ?? 0n;
		const quantity = this.#quantity(of, prices[0]?.feature ?? "", span);
		of.counted.set(key, { span, prices, billed: quantity > before ? quantity : before });
	}

	#windowsOf(of: Counted, { listed, cycle }: Held, reach: Span, first: number): Span[] {
		if (listed.beyond) return resets(listed.beyond.reset, of.usageAnchor, reach);
		const spans: Span[] = [];
		if (of.anchor === null) return spans;
		for (let at = reach.start; at < reach.end; ) {
			const period = cycleAround(of.anchor, listed.interval ?? cycle, at);
			spans.push({ start: Math.max(period.start, first), end: Math.min(period.end, reach.end) });
			at = period.end;
		}
		return spans;
	}

	#priceOf(of: Counted, { listed, charge, addon }: Held): Price {
		const { feature = "", beyond } = listed;
		const { divide, round = "UP" } = features[feature] ?? {};
		return {
			charge,
			addon,
			feature,
			unitTransformation: divide === undefined ? null : { divide, round },
			...(beyond && { limit: limitOf(of.terms, feature, beyond.limit) }),
		};
	}

	#add(
		of: Whose,
		span: Span,
		{ endedFor, ...price }: Price,
		billed: Quantity,
		at: "now" | "before" = "before",
	): Item[] {
		const quantity = this.#quantity(of, price.feature, span);
		const { limit, charge, unitTransformation = null } = price;
		const ended = endedFor && { ended: { at, share: endedFor } };
		const item: Item = { ...price, ...ended, span, quantity: decimal(quantity), billed: decimal(billed) };
		const isUsed = quantity > billed && (limit === undefined || isBeyond(quantity, unitTransformation, limit));
		const isNow = endedFor !== undefined && at === "now";
		const isUnused = isNow && charge.chargesUnused && charge.tiers && billed === 0n;
		return [
			...(isUsed || isUnused ? [item] : []),
			...(isNow && trueUpOf(item) > 0n ? [{ ...item, isTrueUp: true as const }] : []),
		];
	}

	#quantity({ resource }: Whose, feature: string, { start, end }: Span): Quantity {
		const values = this.#used
			.filter(
				(used) => used.feature === feature && (used.resource ?? null) === resource && start <= used.at && used.at < end,
			)
			.map(({ n }) => quantityOf(n));
		if (features[feature]?.counts === "SUM") return values.reduce((sum, value) => sum + value, 0n);
		const [first = 0n, ...others] = values;
		return others.reduce((most, value) => largest(most, value), first);
	}
}

/** Usage by different intervals counts in windows of its own. */
const kindOf = ({ listed: { beyond, feature, interval } }: Held): string =>
	`${beyond ? "overage" : "usage"} ${feature}${interval === undefined ? "" : `/${interval}`} `;

/** If a bill ends a window of usage: the share of its whole that it lasts. */
function endOf({ anchor }: Counted, { listed, cycle }: Held, { start, end }: Span, ends: boolean): Share | undefined {
	if (listed.beyond || anchor === null) return undefined;
	const whole = cycleAround(anchor, listed.interval ?? cycle, start);
	return ends || end >= whole.end ? { partMs: end - start, wholeMs: whole.end - whole.start } : undefined;
}

function resets(reset: Reset, anchor: number, { start, end }: Span): Span[] {
	const windowAt = (at: number): Span => {
		switch (reset) {
			case "MONTH from the start":
				return monthsAround(anchor, 1, at);
			case "MONTH from the first":
				return monthsAround(firstOfMonth(anchor), 1, at);
			case "YEAR":
				return monthsAround(anchor, 12, at);
			case "WEEK":
				return lengthsAround(anchor, 7 * dayMs, at);
			case "DAY":
				return lengthsAround(0, dayMs, at);
		}
	};
	const windows: Span[] = [];
	for (let at = start; at < end; ) {
		const window = windowAt(at);
		windows.push({ start: window.start, end: Math.min(window.end, end) });
		at = window.end;
	}
	return windows;
}

/** Returns the plan's limit plus those of addons, times their quantity. */
const limitOf = ({ addons }: Terms, feature: string, limit: string): string =>
	decimal(
		addons.reduce(
			(sum, { package: sold, quantity }) =>
				sold.adds
					.filter((one) => one.feature === feature)
					.reduce((more, one) => more + quantityOf(one.limit) * BigInt(quantity), sum),
			quantityOf(limit),
		),
	);

function isBeyond(
	quantity: Quantity,
	transformation: { divide: string; round: "UP" | "DOWN" } | null,
	limit: string,
): boolean {
	if (!transformation) return quantity > quantityOf(limit);
	const by = quantityOf(transformation.divide);
	const isPart = quantity % by !== 0n && quantity > 0n;
	const units = quantity / by + (transformation.round === "UP" && isPart ? 1n : 0n);
	return units * millionth > quantityOf(limit);
}

/** Usage, in millionths. */
export type Quantity = bigint;
const millionth = 1_000_000n;
const largest = (one: Quantity, other: Quantity): Quantity => (one < other ? other : one);

function quantityOf(text: string): Quantity {
	const [, minus, whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
	const size = BigInt(whole) * millionth + BigInt(fraction.padEnd(6, "0"));
	return minus ? -size : size;
}

/** In plain digits. */
function decimal(quantity: Quantity): string {
	const size = quantity < 0n ? -quantity : quantity;
	const fraction = String(size % millionth)
		.padStart(6, "0")
		.replace(/0+$/, "");
	return `${quantity < 0n ? "-" : ""}${size / millionth}${fraction ? `.${fraction}` : ""}`;
}
