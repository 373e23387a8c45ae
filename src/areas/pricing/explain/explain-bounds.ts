import { type Decimal, toDecimal } from "../../../kernel/decimal";
import { roundToMinor } from "../../../kernel/money";
import type { LineBasis } from "../basis";
import type { RatedCharge } from "../models/charge";
import type { TransactionCount, TransactionPrice } from "../models/transaction";
import type { Share } from "../proration";
import { costOfWindow, minimumOfWindow, priceOfUsage, trueUpOfWindow, type WindowPrice } from "../window-cost";
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
	const before = window.base === undefined ? undefined : priceOfUsage(price, window.base, false).amount;
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
	const own = count && count.cost !== usage ? usage : arithmetic;
	return {
		rated,
		steps: [...counted, { of: cost, text, arithmetic: bounded(price, own), value: toDecimal(rated.amount) }],
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
