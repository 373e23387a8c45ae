import type { Item } from "./bill";
import { dayMs, firstOfMonth, lengthsAround, monthsAround, type Span } from "./calendar";
import type { Used } from "./calls";
import { features, type Reset } from "./price-list";
import { pricesOf, type Terms } from "./terms";

/** Of a subscription: what is counted, from when, and what was billed of each window, as it was reported. */
export interface Counted {
	readonly terms: Terms;
	readonly usageAnchor: number;
	readonly counted: Map<string, Quantity>;
}

/** What has been reported, and what it comes to. */
export class Meters {
	readonly #used: Used[] = [];

	report(used: readonly Used[]): void {
		this.#used.push(...used);
	}

	/**
	 * What each price's usage has added since it was counted last: pay as you go within the periods, overage within the
	 * windows of its limit that `reach` touches. It is counted by that.
	 */
	count(of: Counted, periods: readonly Span[], reach: Span): Item[] {
		return pricesOf(of.terms)
			.filter(({ listed }) => listed.model === "USAGE_BASED")
			.flatMap(({ listed, charge, addon }) => {
				const { feature = "", beyond } = listed;
				const windows = beyond ? resets(beyond.reset, of.usageAnchor, reach) : periods;
				const limit = beyond && limitOf(of.terms, feature, beyond.limit);
				return windows.flatMap((span): Item[] => {
					const key = `${beyond ? "overage" : "usage"} ${feature} ${span.start}`;
					const quantity = this.#quantity(feature, span);
					const billed = of.counted.get(key) ?? 0n;
					const isMore = quantity > billed;
					of.counted.set(key, isMore ? quantity : billed);
					const { divide, round = "UP" } = features[feature] ?? {};
					const unitTransformation = divide === undefined ? null : { divide, round };
					if (!isMore || (limit !== undefined && !isBeyond(quantity, unitTransformation, limit))) return [];
					return [
						{
							charge,
							addon,
							feature,
							span,
							quantity: decimal(quantity),
							billed: decimal(billed),
							unitTransformation,
							...(limit !== undefined && { limit }),
						},
					];
				});
			});
	}

	#quantity(feature: string, { start, end }: Span): Quantity {
		const values = this.#used
			.filter((used) => used.feature === feature && start <= used.at && used.at < end)
			.map(({ n }) => quantityOf(n));
		if (features[feature]?.counts === "SUM") return values.reduce((sum, value) => sum + value, 0n);
		const [first = 0n, ...others] = values;
		return others.reduce((most, value) => largest(most, value), first);
	}
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

/** Of the plan, with what addons add to it, times how many are held. */
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
