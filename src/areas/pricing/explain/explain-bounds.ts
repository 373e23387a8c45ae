import { type Decimal, toDecimal, zero } from "../../../kernel/decimal";
import { roundToMinor } from "../../../kernel/money";
import type { LineBasis } from "../basis";
import type { RatedCharge } from "../models/charge";
import type { TransactionCount, TransactionPrice } from "../models/transaction";
import type { Share } from "../proration";
import {
	adjustmentOfWindow,
	costOfBase,
	costOfWindow,
	minimumOfWindow,
	trueUpOfWindow,
	type WindowPrice,
} from "../window-cost";
import { rounded, type Step, signed } from "./steps";

/** Names what bounds the cost of a window. */
export const boundsText = ({ charge, window }: LineBasis): string => {
	const bounds = [
		...(window?.base === undefined ? [] : ["without what was billed on other terms"]),
		...(charge?.priceTerms?.maximumAmount === undefined ? [] : ["at most the maximum"]),
		...(window?.minimum === undefined ? [] : ["at least the minimum that was paid"]),
	];
	return `${["Its price", ...bounds].join(", ")}.`;
};

/** Returns the arithmetic of a window's cost from that of its price. */
export function bounded(price: WindowPrice, arithmetic: string): string {
	const { charge, window = {} } = price;
	const before = window.base === undefined ? undefined : costOfBase(price);
	const own = before ? `${arithmetic} - ${signed(toDecimal(before))}` : arithmetic;
	const { maximumAmount } = charge.priceTerms ?? {};
	const most = maximumAmount === undefined ? own : `min(${own}, ${maximumAmount})`;
	return window.minimum === undefined ? most : `max(${most}, ${window.minimum})`;
}

/** Returns the steps of a window of transactions: their number and their cost. An earlier bill stores its cost alone. */
export function transactionSteps(
	price: WindowPrice & LineBasis,
	of: TransactionPrice,
	usage: Decimal,
	isEnded: boolean,
	[units, cost, count]: readonly [Step["of"], Step["of"], TransactionCount?],
): { readonly rated: RatedCharge; readonly steps: Step[] } {
	const rated = costOfWindow(price, usage, isEnded);
	const { text, arithmetic } = count
		? { text: boundsText(price), arithmetic: costArithmetic(of, count) }
		: { text: "The cost that earlier invoices billed.", arithmetic: usage };
	const counted: Step[] = count
		? [{ of: units, text: countText(count), arithmetic: String(count.counted), value: toDecimal(count.counted) }]
		: [];
	// Transactions that were billed and canceled since are not refunded.
	const whole = count && count.cost !== usage ? usage : arithmetic;
	const { percentOff } = price.charge.priceTerms ?? {};
	const own = percentOff === undefined ? whole : `(${whole}) * ${factor(percentOff)} / 100`;
	return {
		rated,
		steps: [...counted, { of: cost, text, arithmetic: bounded(price, own), value: toDecimal(rated.amount) }],
	};
}

/** A percentage below 0 is an increase by the renewals of a term. */
const factor = (percentOff: Decimal): string =>
	percentOff.startsWith("-") ? `(100 + ${percentOff.slice(1)})` : `(100 - ${percentOff})`;

/** Returns the steps of a window that is divided into segments: their number, if the line charges all of them, and their cost. */
export function segmentSteps(
	price: WindowPrice & LineBasis,
	usage: Decimal,
	isEnded: boolean,
	[units, cost, groups]: readonly [Step["of"], Step["of"], number?],
): { readonly rated: RatedCharge; readonly steps: Step[] } {
	const rated = costOfWindow(price, usage, isEnded);
	const counted: Step[] =
		groups === undefined
			? []
			: [{ of: units, text: "The segments of the window.", arithmetic: String(groups), value: toDecimal(groups) }];
	const text = `The sum of its segments, each at its own price. ${boundsText(price)}`;
	return {
		rated,
		steps: [...counted, { of: cost, text, arithmetic: bounded(price, signed(usage)), value: toDecimal(rated.amount) }],
	};
}

/** Returns the step from the lines of segments to the bounded cost of their window. */
export function adjustmentStep(basis: WindowPrice & LineBasis, currency: string): Step {
	const { quantity, billed = zero } = basis;
	const [now, before] = [quantity, billed].map((usage) => rounded(bounded(basis, signed(usage)), currency));
	return {
		of: "amount",
		text: "The cost of the window, less its part in earlier invoices, and less the lines of its segments.",
		arithmetic: `${now} - ${before} - (${signed(quantity)} - ${signed(billed)})`,
		value: toDecimal(adjustmentOfWindow(basis, currency)),
	};
}

const countText = ({ ignored, freeCost }: TransactionCount): string =>
	`${[
		"The transactions of the window",
		...(ignored === 0 ? [] : [`without ${ignored} whose value is missing, not a number or below 0`]),
		...(freeCost === "0" ? [] : [`of which the first are free and would cost ${freeCost}`]),
	].join(", ")}.`;

/** Returns the arithmetic of the cost: by the bounds, the values and the fees. */
function costArithmetic(
	{ percentRate, fixedFee, minimum, maximum }: TransactionPrice,
	count: TransactionCount,
): string {
	const { atMinimum, atMaximum, between, valueBetween, freeCost } = count;
	const parts = [
		percentRate === undefined ? valueBetween : `${valueBetween} * ${percentRate} / 100`,
		...(fixedFee === undefined ? [] : [`${fixedFee} * ${between}`]),
		...(minimum === undefined || atMinimum === 0 ? [] : [`${minimum} * ${atMinimum}`]),
		...(maximum === undefined || atMaximum === 0 ? [] : [`${maximum} * ${atMaximum}`]),
	];
	return [parts.join(" + "), ...(freeCost === "0" ? [] : [freeCost])].join(" - ");
}

/** Returns the step from the cost of a window to what it lacks to its minimum. */
export function trueUpStep(price: WindowPrice, share: Share, usage: Decimal, currency: string): Step {
	const { partMs, wholeMs } = share;
	const minimum = price.charge.priceTerms?.minimumAmount ?? "0";
	const part = partMs === wholeMs ? minimum : `${minimum} * ${partMs} / ${wholeMs}`;
	const cost = roundToMinor(costOfWindow(price, usage, true).amount, currency);
	return {
		of: "amount",
		text:
			partMs === wholeMs
				? "What the cost of the window lacks to its minimum."
				: `What the cost of the window lacks to its part of the minimum, ${minimumOfWindow(price, share, currency)?.toFixed()}.`,
		arithmetic: `max(${rounded(part, currency)} - ${signed(toDecimal(cost))}, 0)`,
		value: toDecimal(trueUpOfWindow(price, usage, share, currency)),
	};
}
