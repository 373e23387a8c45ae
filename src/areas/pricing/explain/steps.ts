import { type Big, type Decimal, toDecimal } from "../../../kernel/decimal";
import { minorDigits, roundToMinor } from "../../../kernel/money";
import { dayMs } from "../../../kernel/period";
import type { LineBasis } from "../basis";
import type { LineDiscount } from "../discounts";
import type { RatedCharge } from "../models/charge";
import { prorate, wholePeriod } from "../proration";
import type { LineTax } from "../tax";

/** The fields of a line that an explanation reads; amounts in major units. */
export interface ExplainedLine {
	readonly quantity: Decimal | null;
	readonly unitPrice: Decimal | null;
	readonly amount: Decimal;
	readonly discount: Decimal;
	readonly tax: Decimal;
	readonly total: Decimal;
	readonly taxPercentage: Decimal | null;
	/** Null: the tax is the percentage. */
	readonly taxes?: readonly LineTax[] | null;
	/** Null: the discount is of a single coupon. */
	readonly discounts?: readonly LineDiscount[] | null;
}

/** The figures of a line that a step can explain. */
export const stepNames = [
	"units",
	"unitsBilledBefore",
	"cost",
	"costBilledBefore",
	"amount",
	"discount",
	"tax",
	"total",
] as const;

/** One step of a calculation. `arithmetic` has numbers, + - * / ( ), round(x, digits) half up, ceil, floor, min and max. */
export interface Step {
	readonly of: (typeof stepNames)[number];
	readonly text: string;
	readonly arithmetic: string;
	readonly value: Decimal;
}

export function proratedStep({ share, isCredit = false }: LineBasis, cost: Big, currency: string): Step {
	const { partMs, wholeMs, left, isByDate = false } = share ?? wholePeriod;
	const unitMs = isByDate ? dayMs : 1;
	const parts = [
		...(share ? [`* ${partMs / unitMs} / ${wholeMs / unitMs}`] : []),
		...(left ? [`* ${signed(left.part)} / ${signed(left.whole)}`] : []),
	];
	const amount = prorate(isCredit ? cost.times(-1) : cost, share ?? wholePeriod, currency);
	const text = [
		isCredit ? "The credit:" : "The charge:",
		share ? `the part of the period, in ${isByDate ? "days" : "milliseconds"},` : "all of it,",
		...(left ? ["the part of the charge that was not credited,"] : []),
		"rounded once.",
	].join(" ");
	return {
		of: "amount",
		text,
		arithmetic: rounded(
			[isCredit ? `-1 * ${signed(toDecimal(cost))}` : signed(toDecimal(cost)), ...parts].join(" "),
			currency,
		),
		value: toDecimal(amount),
	};
}

/** Returns the step from the cost of the window to the cost minus its billed part; undefined if no part was billed. */
export function windowStep(now: RatedCharge, before: RatedCharge | undefined, currency: string): Step {
	const whole = rounded(signed(toDecimal(now.amount)), currency);
	if (!before)
		return {
			of: "amount",
			text: "The cost of the window, rounded once.",
			arithmetic: whole,
			value: toDecimal(roundToMinor(now.amount, currency)),
		};
	return {
		of: "amount",
		text: "The present cost of the window minus its part in earlier invoices, each rounded once.",
		arithmetic: `${whole} - ${rounded(signed(toDecimal(before.amount)), currency)}`,
		value: toDecimal(roundToMinor(now.amount, currency).minus(roundToMinor(before.amount, currency))),
	};
}

/** Returns the arithmetic of tiers: the units of each at its price, and its flat price. */
export const costOfTiers = ({ tiers }: RatedCharge): string =>
	(tiers ?? [])
		.map(({ unitPrice, flatPrice, quantity }) =>
			[
				...(unitPrice === null ? [] : [`${signed(unitPrice)} * ${signed(quantity)}`]),
				...(flatPrice === null ? [] : [signed(flatPrice)]),
			].join(" + "),
		)
		.filter((part) => part !== "")
		.join(" + ") || "0";

export const rounded = (arithmetic: string, currency: string): string =>
	`round(${arithmetic}, ${minorDigits(currency)})`;

/** Returns a number in a form that can follow an operator. */
export const signed = (value: Decimal): string => (value.startsWith("-") ? `(${value})` : value);
