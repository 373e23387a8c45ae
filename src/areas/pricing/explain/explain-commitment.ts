import { type Decimal, toDecimal } from "../../../kernel/decimal";
import type { LineBasis } from "../basis";
import type { RatedCharge } from "../models/charge";
import type { Commitment, CommittedUsage, CommittedWindow } from "../models/commitment";
import { committedAmount } from "../models/committed-charge";
import { wholePeriod } from "../proration";
import { costOfWindow, type WindowPrice } from "../window-cost";
import { bounded, boundsText } from "./explain-bounds";
import { type Step, signed } from "./steps";

/** Returns the steps of windows with a commitment: their units and their cost. An earlier bill stores its cost alone. */
export function commitmentSteps(
	price: WindowPrice & LineBasis,
	commitment: Commitment,
	usage: Decimal,
	isEnded: boolean,
	[units, cost, of]: readonly [Step["of"], Step["of"], CommittedUsage?],
): { readonly rated: RatedCharge; readonly steps: Step[] } {
	const rated = costOfWindow(price, usage, isEnded);
	const used: Step[] = of ? [{ of: units, text: usedText(of), arithmetic: signed(of.units), value: of.units }] : [];
	// Usage that was billed and canceled since is not refunded.
	const isOwn = of?.stated !== undefined && usage === price.quantity;
	const own = isOwn
		? costArithmetic(toDecimal(committedAmount(price.charge, commitment)), commitment, of.stated)
		: signed(usage);
	const text = of ? `${costText(commitment)} ${boundsText(price)}` : "The cost that earlier invoices billed.";
	return {
		rated,
		steps: [...used, { of: cost, text, arithmetic: bounded(price, own), value: toDecimal(rated.amount) }],
	};
}

const usedText = ({ windows, used }: CommittedUsage): string =>
	windows === 1
		? `The usage of the window, which costs ${used} without the commitment.`
		: `The usage of ${windows} windows, which costs ${used} without the commitment.`;

const costText = ({ overageFactor, isTrueUp }: Commitment): string =>
	[
		isTrueUp === false ? "Each window costs its usage" : "Each window costs at least its commitment",
		...(overageFactor === undefined ? [] : [`, and ${overageFactor} times what exceeds the commitment`]),
		".",
	].join("");

const costArithmetic = (amount: Decimal, commitment: Commitment, windows: readonly CommittedWindow[]): string =>
	windows.map((window) => windowArithmetic(amount, commitment, window)).join(" + ") || "0";

/** With cost c, commitment a and factor f, a window costs max(c, a) + max(c - a, 0) * (f - 1), and without a true-up c in place of max(c, a). */
function windowArithmetic(
	amount: Decimal,
	{ overageFactor, isTrueUp }: Commitment,
	{ cost, share = wholePeriod, isOpen, count }: CommittedWindow,
): string {
	const { partMs, wholeMs } = share;
	const owed = partMs === wholeMs ? amount : `${amount} * ${partMs} / ${wholeMs}`;
	const least = isOpen || isTrueUp === false ? cost : `max(${cost}, ${owed})`;
	const above = overageFactor === undefined ? [] : [`max(${cost} - ${owed}, 0) * (${overageFactor} - 1)`];
	const one = [least, ...above].join(" + ");
	return count === 1 ? one : `(${one}) * ${count}`;
}
