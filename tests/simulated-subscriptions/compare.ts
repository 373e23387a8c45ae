import { digitsOf } from "../support/oracle/pricing";
import type { Issued, Line } from "./bill";
import type { ContractOracle } from "./contracts/oracle";
import type { StoredDocument, StoredLine } from "./documents";
import type { Oracle } from "./oracle";
import type { Settlement } from "./system";

/** Compares the documents of Tollgate and the oracle. Returns the first difference in words, or undefined. */
export function differenceOf(documents: readonly StoredDocument[], issued: readonly Issued[]): string | undefined {
	for (const kind of ["invoice", "credit note"] as const) {
		const actual = documents.filter((one) => one.kind === kind);
		const stored = actual.map((one) => ({ at: one.at, text: textOfStored(one) }));
		const wanted = issued.filter((one) => one.kind === kind).map((one) => ({ at: one.at, text: textOfIssued(one) }));
		// The order in which several invoices are credited is undefined.
		for (const all of kind === "credit note" ? [stored, wanted] : [])
			all.sort((one, other) => one.at - other.at || (one.text < other.text ? -1 : 1));
		for (let at = 0; at < Math.max(stored.length, wanted.length); at += 1) {
			const [is, should] = [stored[at]?.text, wanted[at]?.text];
			if (is !== should) return `${kind} ${at + 1} is\n${is ?? "not there"}\nand should be\n${should ?? "not there"}`;
		}
		for (const [at, document] of actual.entries()) {
			const flaw = flawOf(document, actual[at - 1]);
			if (flaw) return `${kind} ${at + 1}: ${flaw}\n${textOfStored(document)}`;
		}
	}
	return undefined;
}

/** Compares open amounts and balances at the end of a history. Returns the difference in words, or undefined. */
export function unsettledOf(
	{ invoices, balances }: Settlement,
	{ invoices: issued, balances: expected }: Pick<Oracle, "invoices" | "balances">,
): string | undefined {
	const stored = [
		...invoices.map(
			({ state, due, currency }, at) => `invoice ${at + 1} ${state} ${minorOf(due, currency)} ${currency}`,
		),
		...balances.map(({ amount, currency }) => `balance ${minorOf(amount, currency)} ${currency}`),
	].join("\n");
	const wanted = [
		...issued.map(({ state, due, currency }, at) => `invoice ${at + 1} ${state} ${due} ${currency}`),
		...expected.map(([currency, amount]) => `balance ${amount} ${currency}`),
	].join("\n");
	return stored === wanted ? undefined : `In the end there is\n${stored}\nand should be\n${wanted}`;
}

/** Compares the state and total of a contract at the end. Returns the difference in words, or undefined. */
export function disagreementOf(
	{ phase, total, currency }: { readonly phase: string | null; readonly total: string; readonly currency: string },
	agreed: NonNullable<ContractOracle["agreed"]>,
): string | undefined {
	const stored = `${phase} ${minorOf(total, currency)}`;
	const wanted = `${agreed.phase} ${agreed.total}`;
	return stored === wanted ? undefined : `In the end the contract is ${stored} in all, and should be ${wanted}`;
}

const iso = (at: number | null): string => (at === null ? "-" : new Date(at).toISOString());

const textOfIssued = ({ subscription, at, dueAt, reason, currency, lines }: Issued): string =>
	[`${iso(at)} due ${iso(dueAt)} ${subscription} ${reason} ${currency}`, ...lines.map(textOfLine).sort()].join("\n  ");

const textOfLine = (line: Line): string =>
	[
		line.kind === "once" ? "advance" : line.kind === "true-up" ? "minimum" : line.kind,
		line.addon ?? "-",
		line.feature ?? "-",
		`${line.quantity ?? "-"} × ${line.unitPrice ?? "-"}`,
		`${iso(line.span?.start ?? null)}..${iso(line.span?.end ?? null)}`,
		`= ${line.amount} less ${line.discount} tax ${line.tax} (${line.taxPercentage ?? "-"} %) total ${line.total}`,
	].join(" ");

const textOfStored = ({ kind, subscription, at, dueAt, reason, currency, lines }: StoredDocument): string =>
	[
		`${iso(at)} due ${iso(dueAt)} ${subscription} ${reason} ${currency}`,
		...lines.map((line) => textOfStoredLine(line, currency, kind === "invoice" ? 1n : -1n)).sort(),
	].join("\n  ");

const kinds: Readonly<Record<string, string>> = {
	MinimumSpendCharge: "minimum",
	MinimumSpendAdjustmentCharge: "drawn",
	PayAsYouGoCharge: "usage",
	OverageCharge: "usage",
};

function textOfStoredLine(line: StoredLine, currency: string, sign: 1n | -1n): string {
	const [amount, discount, tax, total] = [line.amount, line.discount, line.tax, line.total].map(
		(text) => sign * minorOf(text, currency),
	);
	return [
		kinds[line.kind] ?? "advance",
		line.addon ?? "-",
		line.feature ?? "-",
		`${line.quantity ?? "-"} × ${line.unitPrice ?? "-"}`,
		`${iso(line.start)}..${iso(line.end)}`,
		`= ${amount} less ${discount} tax ${tax} (${line.taxPercentage ?? "-"} %) total ${total}`,
	].join(" ");
}

/** Every document must satisfy this: its sums are those of its lines, and numbers rise with time without a gap. */
function flawOf(document: StoredDocument, before: StoredDocument | undefined): string | undefined {
	const { currency, lines } = document;
	for (const [sum, part] of [
		["subTotal", "amount"],
		["discount", "discount"],
		["tax", "tax"],
		["total", "total"],
	] as const) {
		const added = lines.reduce((all, line) => all + minorOf(line[part], currency), 0n);
		if (added !== minorOf(document[sum], currency))
			return `its ${sum} is ${document[sum]}, its lines add up to ${added}`;
	}
	if (before && document.sequence !== before.sequence + 1) return `its number ${document.sequence} leaves a gap`;
	if (before && document.at < before.at) return "it is dated before the one that was issued before it";
	return undefined;
}

/** Returns whole minor units; a fraction of one is an error. */
function minorOf(text: string, currency: string): bigint {
	const places = digitsOf(currency);
	const [, minus, whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
	if (whole === "" || fraction.length > places) throw new Error(`${text} ${currency} is no whole amount.`);
	const size = BigInt(whole + fraction.padEnd(places, "0"));
	return minus ? -size : size;
}
