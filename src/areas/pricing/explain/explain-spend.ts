import { toDecimal } from "../../../kernel/decimal";
import { amountOfCommitment, type CommittedPart, owedBy, type SpendBasis } from "../models/spend-commitment";
import { wholePeriod } from "../proration";
import { rounded, type Step, signed } from "./steps";

/** Returns the steps of a line that charges a commitment: what the window owes, and what the line charges of it. */
export function spendSteps(basis: SpendBasis, currency: string): Step[] {
	const { parts, spent, scope, billed, overageFactor } = basis;
	const owed = owedBy(parts, currency);
	const counted = scope === "ALL" ? "all recurring charges" : "usage";
	const before = billed === "0" ? "" : ` - ${signed(billed)}`;
	const isShortfall = basis.of === "SHORTFALL";
	const text = isShortfall
		? `What ${counted}, ${spent} in all, lack to the commitment of the window`
		: `What ${overageFactor} times the part of ${counted} above the commitment adds`;
	return [
		{
			of: "cost",
			text: "The commitment of the window, each part of it for its share.",
			arithmetic: parts.map((part) => partArithmetic(part, currency)).join(" + ") || "0",
			value: toDecimal(owed),
		},
		{
			of: "amount",
			text: before === "" ? `${text}.` : `${text}, less what earlier invoices charged of it.`,
			arithmetic: `${isShortfall ? shortfallText(basis, toDecimal(owed)) : excessText(basis, toDecimal(owed), currency)}${before}`,
			value: toDecimal(amountOfCommitment(basis, currency)),
		},
	];
}

function partArithmetic({ amount, share = wholePeriod }: CommittedPart, currency: string): string {
	const { partMs, wholeMs } = share;
	return rounded(partMs === wholeMs ? signed(amount) : `${signed(amount)} * ${partMs} / ${wholeMs}`, currency);
}

const shortfallText = ({ spent, isTrueUp }: SpendBasis, owed: string): string =>
	isTrueUp === false ? "0" : `max(${owed} - ${signed(spent)}, 0)`;

const excessText = (
	{ spent, overageFactor = "1" as SpendBasis["spent"] }: SpendBasis,
	owed: string,
	currency: string,
) => rounded(`max(${signed(spent)} - ${owed}, 0) * (${overageFactor} - 1)`, currency);
