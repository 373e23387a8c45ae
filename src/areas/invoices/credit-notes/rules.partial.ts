import { type Big, type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { NewCreditNoteLine } from "../new-documents";
import { assertWholeMinorUnits, lineTotal } from "../rules";
import { discountsLess } from "../rules.discounts";
import { taxesLess } from "../rules.taxes";
import type { CreditNoteLineRow, InvoiceRow, LineRow } from "../table";
import { creditOfLine, cutLine, isOfUsage } from "./rules";
import type { InvoiceCredit } from "./schema";

/** A line of an invoice, and its uncredited rest as a line of a credit note. */
interface LineLeft {
	readonly line: LineRow;
	readonly left: NewCreditNoteLine;
	/** With tax. */
	readonly total: Big;
}

/**
 * Returns the uncredited rest of each line. Credits count by the charge id (`ofCharges`). For a line without one, the notes of the
 * invoice that name the line count (`ofNotes`).
 */
export function leftOfLines(
	lines: readonly LineRow[],
	ofCharges: readonly LineRow[],
	ofNotes: readonly CreditNoteLineRow[],
): LineLeft[] {
	const byLine = Map.groupBy(
		ofNotes.filter(({ chargeId }) => chargeId === null),
		({ invoiceLine }) => invoiceLine,
	);
	const byCharge = Map.groupBy(ofCharges, ({ chargeId }) => chargeId);
	return lines.map((line) => {
		const credited = (line.chargeId === null ? byLine.get(line.position) : byCharge.get(line.chargeId)) ?? [];
		const less = (part: (of: LineRow) => Decimal): Decimal =>
			toDecimal(exact(part(line)).minus(sum(credited.map((one) => exact(part(one))))));
		const whole = creditOfLine(line);
		const left = {
			...whole,
			...(credited.length > 0 && { unitPrice: null, tiers: null }),
			amount: less(({ amount }) => amount),
			discount: less(({ discount }) => discount),
			tax: less(({ tax }) => tax),
			taxes: taxesLess(line.taxes, credited),
			discounts: discountsLess(line.discounts, credited),
		};
		return { line, left, total: lineTotal(left) };
	});
}

type Asked = Pick<InvoiceCredit, "amount" | "lines">;

/**
 * Returns the lines of a partial credit. An amount with tax is taken from the lines in their order, excluding usage. Named lines,
 * including usage, are credited whole or by an amount each, except usage at the `reversed` positions. Throws InvalidArgumentError if the rest is smaller.
 */
export function linesOfPart(
	{ number, currency }: Pick<InvoiceRow, "number" | "currency">,
	lefts: readonly LineLeft[],
	{ amount, lines }: Asked,
	reversed: ReadonlySet<number>,
): NewCreditNoteLine[] {
	if (amount !== undefined && lines !== undefined)
		throw fail("InvalidArgumentError", "Send either 'amount' or 'lines', whose items have their own amounts.");
	if (lines !== undefined) return namedLines({ number, currency, reversed }, lefts, lines);
	const wanted = toDecimal(amount ?? 0);
	assertWholeMinorUnits("amount", wanted, currency);
	const creditable = lefts.filter(({ line, total }) => !isOfUsage(line) && total.gt(0));
	const most = sum(creditable.map(({ total }) => total));
	if (most.lt(wanted))
		throw fail(
			"InvalidArgumentError",
			`At most ${most.toFixed()} of ${number} can be credited by 'amount'; got ${wanted}. To credit usage, name its lines in 'lines'.`,
		);
	let open = exact(wanted);
	return creditable.flatMap((one) => {
		const taken = open.lt(one.total) ? open : one.total;
		open = open.minus(taken);
		return taken.gt(0) ? [partOf(one, taken, currency)] : [];
	});
}

function namedLines(
	{ number, currency, reversed }: Pick<InvoiceRow, "number" | "currency"> & { readonly reversed: ReadonlySet<number> },
	lefts: readonly LineLeft[],
	asked: NonNullable<Asked["lines"]>,
): NewCreditNoteLine[] {
	if (new Set(asked.map(({ line }) => line)).size < asked.length)
		throw fail("InvalidArgumentError", "'lines' names a line twice; give one amount for each.");
	return asked.map(({ line, amount }) => {
		const one = lefts[line - 1];
		if (!one) throw fail("InvalidArgumentError", `${number} has no line ${line}; its lines are 1 to ${lefts.length}.`);
		if (reversed.has(one.line.position))
			throw fail(
				"InvalidArgumentError",
				`Nothing of line ${line} of ${number} is left to credit: a change with an earlier date has credited it.`,
			);
		if (one.total.lte(0)) throw fail("InvalidArgumentError", `Nothing of line ${line} of ${number} is left to credit.`);
		if (amount === undefined) return one.left;
		const wanted = toDecimal(amount);
		assertWholeMinorUnits("amount", wanted, currency);
		if (one.total.lt(wanted))
			throw fail(
				"InvalidArgumentError",
				`At most ${one.total.toFixed()} of line ${line} of ${number} can be credited; got ${wanted}.`,
			);
		return partOf(one, exact(wanted), currency);
	});
}

const partOf = ({ left, total }: LineLeft, taken: Big, currency: string): NewCreditNoteLine =>
	taken.eq(total) ? left : { ...cutLine(left, taken, currency)[0], quantity: null };
