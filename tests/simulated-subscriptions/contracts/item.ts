import { digitsOf } from "../../support/oracle/pricing";
import { ceiling, compare, less, parse, type Rational, ratio, times } from "../../support/oracle/rational";
import type { Issued, Line } from "../bill";
import type { Span } from "../calendar";
import { plain } from "../calls";
import type { Meters } from "../counting";
import { features } from "../price-list";
import { type Cycle, nextCycle, type Timed } from "./cycles";
import {
	type Cost,
	costOf,
	costOfEachRow,
	type Figures,
	figuresOf,
	minorOf,
	type PricedRow,
	raised,
	shareOf,
	unsigned,
} from "./prices";
import type { ItemRequest, Renewing, Row, RowModel } from "./requests";

/** The prices of a cycle, also for its late usage. */
export interface Pricing {
	readonly model: RowModel;
	readonly rows: readonly PricedRow[];
	readonly discount?: number;
	readonly tax?: number;
}

/** An invoiced cycle, or one without usage. */
export interface Billed {
	readonly span: Span;
	readonly invoice: Issued | null;
	readonly figures: Figures;
	/** The invoiced usage of a pay-as-you-go item. */
	readonly quantity: Rational;
	readonly pricing: Pricing;
	/** The end of the item's invoiced time before it. */
	readonly untilBefore: number | null;
}

export interface Item extends Timed, Pricing {
	/** The caller's id; null after its removal. */
	readonly ref: string | null;
	/** The counted feature of a pay-as-you-go item; null: fixed. */
	readonly feature: string | null;
	readonly netTerms: number;
	readonly separate: boolean;
	/** It was removed from the live contract. */
	readonly isOut: boolean;
	readonly billed: readonly Billed[];
}

export interface Lined {
	readonly line: Line;
	/** A fixed line is always on its invoice; a usage line only with usage. */
	readonly isShown: boolean;
}

const nought = ratio(0);

export const itemOf = (words: ItemRequest, window: Span, anchor: number): Item => {
	const feature = words.pricingModelId.startsWith("usage-") ? (words.itemName ?? "") : null;
	const model = words.pricingModelId.replace("usage-", "") as RowModel;
	return {
		ref: words.externalId,
		feature,
		model,
		rows: rowsOf(model, words.rows),
		...(words.discount !== undefined && { discount: words.discount }),
		...(words.tax !== undefined && { tax: words.tax }),
		netTerms: words.netTerms,
		separate: words.separateInvoice ?? false,
		unit: words.billingCycleUnit,
		count: words.billingCycleCount ?? 1,
		inArrears: feature !== null || words.paymentTime === "IN_ARREARS",
		prorates: words.prorateCutCycles ?? false,
		start: window.start,
		end: window.end,
		anchor,
		until: null,
		isOut: false,
		billed: [],
	};
};

/** Completes rows: one unit, one per package; a tier begins where the one before it ends. */
export function rowsOf(model: RowModel, rows: readonly Row[]): PricedRow[] {
	const isTiered = model === "tiered" || model === "volume" || model === "stairstep";
	const committed = rows.find(({ quantity }) => quantity !== undefined)?.quantity ?? 1;
	const exact = (value: number) => parse(plain(value));
	return rows.map(({ quantity, price, from, to, packageSize }, at) => ({
		quantity: exact(isTiered ? committed : (quantity ?? 1)),
		price: exact(price ?? 0),
		from: exact(from ?? rows[at - 1]?.to ?? 0),
		to: to === undefined || to === null ? null : exact(to),
		packageSize: exact(packageSize ?? 1),
	}));
}

/** Returns the item of the next term, at raised prices. */
export const renewedItem = (item: Item, { start, end }: Span, { upliftPercentage = 0 }: Renewing): Item => ({
	...item,
	ref: item.ref && `${item.ref.replace(/@\d{4}-\d{2}-\d{2}$/, "")}@${new Date(start).toISOString().slice(0, 10)}`,
	rows: item.rows.map((row) => ({ ...row, price: raised(row.price, upliftPercentage) })),
	start,
	end,
	anchor: start,
	until: null,
	billed: [],
});

/** Returns the usage of a cycle in priced units. */
export function usedIn(feature: string, span: Span, meters: Meters): Rational {
	const reported = parse(meters.quantityIn(feature, span));
	const { divide, round } = features[feature] ?? {};
	if (divide === undefined) return positive(reported);
	const divided = times(reported, ratio(1, BigInt(divide)));
	const minus = (value: Rational) => times(ratio(-1), value);
	return positive(round === "DOWN" ? minus(ceiling(minus(divided))) : ceiling(divided));
}

const positive = (value: Rational): Rational => (compare(value, nought) < 0n ? nought : value);

/** Returns one cycle of an item with its usage. */
export function lineFor(item: Item, cycle: Cycle, currency: string, used: Rational | null): Lined {
	const cost = costOf(item.model, item.rows, used ?? undefined);
	const share = used ? ratio(1) : shareOf(cycle, cycle.whole);
	const amount = minorOf(times(cost.amount, share), digitsOf(currency));
	const isShown = item.rows.length > 0 && (used === null || compare(used, nought) > 0n || amount !== 0n);
	return { line: lineOf(item, cycle, cost, figuresOf(amount, item)), isShown };
}

/** Returns late usage of a cycle: its price with that usage, less its former price. Undefined without growth. */
export function lateLine(
	item: Item,
	{ span, quantity, pricing }: Billed,
	used: Rational,
	currency: string,
): Lined | undefined {
	if (compare(used, quantity) <= 0n) return undefined;
	const [now, before] = [costOf(pricing.model, pricing.rows, used), costOf(pricing.model, pricing.rows, quantity)];
	const [whole, paid] = [now, before].map((cost) => minorOf(cost.amount, digitsOf(currency))) as [bigint, bigint];
	const isFirst = compare(quantity, nought) === 0n;
	const amount = isFirst ? whole : whole - paid;
	const added = less(used, quantity);
	const isExact = now.unitPrice !== null && minorOf(times(now.unitPrice, added), digitsOf(currency)) === amount;
	const cost = isFirst ? now : { ...now, quantity: added, unitPrice: isExact ? now.unitPrice : null };
	return {
		line: lineOf({ ...item, ...pricing }, span, cost, figuresOf(amount, pricing)),
		isShown: pricing.rows.length > 0,
	};
}

const lineOf = (
	{ feature, tax }: Pick<Item, "feature" | "tax">,
	{ start, end }: Span,
	{ quantity, unitPrice }: Cost,
	figures: Figures,
): Line => ({
	addon: null,
	feature,
	kind: feature === null ? "advance" : "usage",
	quantity: quantity && unsigned(quantity),
	unitPrice: unitPrice && unsigned(unitPrice),
	span: { start, end },
	...figures,
	taxPercentage: tax === undefined ? null : plain(tax),
	charged: null,
});

/**
 * Returns the invoiced and future amount of an item; future usage is unknown, so each priced row counts once a cycle.
 */
export function totalOf(item: Item, currency: string): bigint {
	let sum = item.billed.reduce((all, { figures }) => all + figures.total, 0n);
	let rest: Item = item;
	for (let cycle = nextCycle(rest); cycle; cycle = nextCycle(rest)) {
		const amount =
			item.feature === null
				? lineFor(item, cycle, currency, null).line.amount
				: minorOf(costOfEachRow(item.rows), digitsOf(currency));
		sum += figuresOf(amount, item).total;
		rest = { ...rest, until: cycle.end };
	}
	return sum;
}
