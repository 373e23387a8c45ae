/** The prices of rows, from the formulas of docs/contracts.md and the interface, in exact fractions. */
import {
	add,
	ceiling,
	compare,
	less,
	parse,
	type Rational,
	ratio,
	rounded,
	smaller,
	times,
	total,
} from "../../support/oracle/rational";
import type { Span } from "../calendar";
import { plain } from "../calls";
import type { RowModel } from "./requests";

/** A row with its committed quantity and lower bound. */
export interface PricedRow {
	readonly quantity: Rational;
	readonly price: Rational;
	readonly from: Rational;
	readonly to: Rational | null;
	readonly packageSize: Rational;
}

export interface Cost {
	readonly amount: Rational;
	readonly quantity: Rational | null;
	readonly unitPrice: Rational | null;
}

const nought = ratio(0);
const one = ratio(1);
const isAbove = (value: Rational, bound: Rational) => compare(value, bound) > 0n;
const over = (value: Rational, by: Rational) => times(value, ratio(by.under, by.over));

/** `used` replaces the committed quantity. */
export function costOf(model: RowModel, rows: readonly PricedRow[], used?: Rational): Cost {
	const [first] = rows;
	const quantityOf = (row: PricedRow) => used ?? row.quantity;
	const single = first && rows.length === 1 ? first : undefined;
	switch (model) {
		case "flat":
			return {
				amount: total(rows.map((row) => times(row.price, quantityOf(row)))),
				quantity: single ? quantityOf(single) : null,
				unitPrice: single ? single.price : null,
			};
		case "package":
			return {
				amount: total(rows.map((row) => times(row.price, ceiling(over(quantityOf(row), row.packageSize))))),
				quantity: single ? quantityOf(single) : null,
				unitPrice: null,
			};
		default: {
			const quantity = first ? quantityOf(first) : nought;
			return { amount: tieredAmount(model, rows, quantity), quantity: first ? quantity : null, unitPrice: null };
		}
	}
}

function tieredAmount(
	model: Exclude<RowModel, "flat" | "package">,
	rows: readonly PricedRow[],
	quantity: Rational,
): Rational {
	const reached = rows.find(({ from, to }) => isAbove(quantity, from) && (to === null || compare(quantity, to) <= 0n));
	switch (model) {
		case "stairstep":
			return reached?.price ?? nought;
		case "volume":
			return reached ? times(reached.price, quantity) : nought;
		case "tiered":
			return total(
				rows
					.filter(({ from }) => isAbove(quantity, from))
					.map(({ from, to, price }) => times(price, less(to === null ? quantity : smaller(to, quantity), from))),
			);
	}
}

/** Pay as you go, before any usage is known. */
export const costOfEachRow = (rows: readonly PricedRow[]): Rational => total(rows.map(({ price }) => price));

/** Whole minor units. */
export interface Figures {
	readonly amount: bigint;
	readonly discount: bigint;
	readonly tax: bigint;
	readonly total: bigint;
}

export const minorOf = (value: Rational, digits: number): bigint => {
	const { over: units, under } = times(rounded(value, digits), ratio(10n ** BigInt(digits)));
	return units / under;
};

const percent = (part: number | undefined) => over(parse(plain(part ?? 0)), ratio(100));

/** Calculates each figure from the rounded ones before it. */
export function figuresOf(amount: bigint, terms: { readonly discount?: number; readonly tax?: number }): Figures {
	const discount = minorOf(times(ratio(amount), percent(terms.discount)), 0);
	const tax = minorOf(times(ratio(amount - discount), percent(terms.tax)), 0);
	return { amount, discount, tax, total: amount - discount + tax };
}

export const shareOf = (part: Span, whole: Span | null): Rational =>
	whole ? ratio(part.end - part.start, whole.end - whole.start) : one;

export const raised = (price: Rational, uplift: number): Rational => times(price, add(one, percent(uplift)));

/** Formats a finite decimal in plain digits. */
export function unsigned(value: Rational): string {
	let places = 0n;
	while ((value.over * 10n ** places) % value.under !== 0n) places += 1n;
	const units = (value.over * 10n ** places) / value.under;
	const digits = String(units < 0n ? -units : units).padStart(Number(places) + 1, "0");
	const at = digits.length - Number(places);
	return `${units < 0n ? "-" : ""}${digits.slice(0, at)}${places > 0n ? `.${digits.slice(at)}` : ""}`;
}
