import type { Instant } from "../../kernel/clock";
import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { formatDate, formatMoney, formatMoneyWithCode, formatPercent, formatPeriod, formatQuantity } from "./format";
import { dueOf, reducedBy } from "./rules.credit-notes";
import type { InvoiceParty, PostalAddress, TierBreakdown } from "./schema.party";
import type { CreditNoteRow, InvoiceRow, LineRow } from "./table";

/** An invoice or a credit note as it is printed: every text decided, nothing placed. */
export interface InvoiceDocument {
	readonly id: string;
	readonly title: "Invoice" | "Credit note";
	readonly number: string;
	readonly revision: number;
	/** When this state of the invoice came to be; the PDF carries it as its date, so that it never depends on the render. */
	readonly changedAt: Instant;
	readonly issuer: PartyBlock;
	/** What the customer is to it: who pays, or who is paid back. */
	readonly customerLabel: string;
	readonly customer: PartyBlock;
	readonly facts: readonly Fact[];
	readonly headline: string;
	readonly badge: { readonly text: "PAID" | "CREDITED" | "CANCELED"; readonly good: boolean } | null;
	/** Whether the lines show their own tax rate: only when they differ. */
	readonly showsTaxRates: boolean;
	readonly lines: readonly DocumentLine[];
	readonly totals: readonly Total[];
	readonly notes: string | null;
}

export interface PartyBlock {
	readonly name: string;
	readonly details: readonly string[];
}

export interface Fact {
	readonly label: string;
	readonly value: string;
}

export interface Total extends Fact {
	readonly weight: "normal" | "strong" | "final";
}

export interface DocumentLine {
	readonly description: string;
	readonly period: string | null;
	readonly quantity: string;
	readonly unitPrice: string;
	readonly taxRate: string;
	readonly amount: string;
	/** Tiers and the line's discount: smaller rows below it. */
	readonly parts: readonly DocumentPart[];
}

export interface DocumentPart {
	readonly label: string;
	readonly quantity: string;
	readonly unitPrice: string;
	readonly amount: string;
}

/** `notes`: the credit notes that correct the invoice, in the order of their numbers. */
export function documentOf(
	invoice: InvoiceRow,
	lines: readonly LineRow[],
	notes: readonly CreditNoteRow[],
): InvoiceDocument {
	const money = paymentSummaryOf(invoice, notes);
	return {
		id: invoice.id,
		title: "Invoice",
		number: invoice.number,
		revision: invoice.revision,
		changedAt: invoice.updatedAt,
		issuer: partyBlock(invoice.issuer),
		customerLabel: "Bill to",
		customer: partyBlock(invoice.customer),
		facts: factsOf(invoice, notes, money),
		headline: headlineOf(invoice, money),
		badge: badgeOf(invoice, money),
		showsTaxRates: showsTaxRates(lines),
		lines: linesOf(invoice, lines),
		totals: totalsOf(invoice, lines, notes, money),
		notes: invoice.notes,
	};
}

/** What has become of an invoice's total. */
interface PaymentSummary {
	/** Taken off by credit notes before it was paid. */
	readonly credited: Big;
	/** Paid by what the customer had in credit. */
	readonly fromBalance: Big;
	readonly paid: Big;
	readonly due: Big;
}

function paymentSummaryOf(invoice: InvoiceRow, notes: readonly CreditNoteRow[]): PaymentSummary {
	const { state, total, balanceApplied, amountPaid } = invoice;
	const none = exact(0);
	const credited = reducedBy(notes);
	const rest = exact(total).minus(credited);
	const inPart = exact(amountPaid).gt(0) ? exact(amountPaid).plus(exact(balanceApplied)) : none;
	const paid = state === "PAID" && rest.gt(0) ? rest : inPart;
	return { credited, fromBalance: exact(balanceApplied), paid, due: dueOf(invoice, notes) };
}

export const showsTaxRates = (lines: readonly LineRow[]): boolean =>
	new Set(lines.map(({ taxPercentage }) => taxPercentage ?? "0")).size > 1;

export const partyBlock = ({ name, address, email, taxIds }: InvoiceParty): PartyBlock => ({
	name,
	details: [
		...addressLines(address),
		...(email ? [email] : []),
		...taxIds.map(({ type, value }) => `${type.replaceAll("_", " ").toUpperCase()} ${value}`),
	],
});

/** Street, place, country: the order that post offices read in most of the world. */
function addressLines(address: PostalAddress | null): string[] {
	const { line1, line2, city, state, postalCode, country } = address ?? {};
	const place = [[postalCode, city].filter(Boolean).join(" "), state].filter(Boolean).join(", ");
	return [line1, line2, place, country].filter((line): line is string => line !== undefined && line.trim() !== "");
}

function factsOf(invoice: InvoiceRow, notes: readonly CreditNoteRow[], money: PaymentSummary): Fact[] {
	const { issuedAt, dueAt, paidAt, canceledAt } = invoice;
	const facts: Fact[] = [
		{ label: "Invoice number", value: invoice.number },
		{ label: "Issue date", value: formatDate(issuedAt) },
		{ label: "Due date", value: formatDate(dueAt) },
	];
	if (paidAt !== null)
		facts.push({ label: isCredited(invoice, money) ? "Credited on" : "Paid on", value: formatDate(paidAt) });
	if (canceledAt !== null) facts.push({ label: "Canceled on", value: formatDate(canceledAt) });
	if (notes.length > 0) facts.push({ label: "Credited by", value: notes.map(({ number }) => number).join(", ") });
	facts.push(...periodFact(invoice));
	if (invoice.contractRefId !== null) facts.push({ label: "Contract", value: invoice.contractRefId });
	if (invoice.poNumber !== null) facts.push({ label: "PO number", value: invoice.poNumber });
	return [...facts, ...Object.entries(invoice.customFields).map(([label, value]) => ({ label, value }))];
}

export const periodFact = ({ periodStart, periodEnd }: Pick<InvoiceRow, "periodStart" | "periodEnd">): Fact[] =>
	periodStart === null || periodEnd === null
		? []
		: [{ label: "Service period", value: formatPeriod({ start: periodStart, end: periodEnd }) }];

/** A total below zero is owed to the customer; one that credit notes took off entirely was never paid. */
const isCredited = ({ total }: InvoiceRow, { credited, paid }: PaymentSummary): boolean =>
	exact(total).lt(0) || (credited.gt(0) && paid.eq(0));

function badgeOf(invoice: InvoiceRow, money: PaymentSummary): InvoiceDocument["badge"] {
	if (invoice.state === "OPEN") return null;
	if (invoice.state === "CANCELED") return { text: "CANCELED", good: false };
	return { text: isCredited(invoice, money) ? "CREDITED" : "PAID", good: true };
}

function headlineOf(invoice: InvoiceRow, money: PaymentSummary): string {
	const { currency, total, paidAt, state } = invoice;
	if (state === "OPEN") return `${formatMoneyWithCode(money.due.toFixed(), currency)} due ${formatDate(invoice.dueAt)}`;
	if (state === "CANCELED") return `${formatMoneyWithCode(total, currency)} canceled`;
	const on = paidAt === null ? "" : ` on ${formatDate(paidAt)}`;
	if (isCredited(invoice, money)) return `${formatMoneyWithCode(exact(total).abs().toFixed(), currency)} credited${on}`;
	return `${formatMoneyWithCode(money.paid.toFixed(), currency)} paid${on}`;
}

/** The document's own period stands above; the lines say theirs once one of them has another. */
export function linesOf(
	document: Pick<InvoiceRow, "currency" | "periodStart" | "periodEnd">,
	lines: readonly LineRow[],
): DocumentLine[] {
	const isOther = ({ periodStart, periodEnd }: LineRow): boolean =>
		periodStart !== null && (periodStart !== document.periodStart || periodEnd !== document.periodEnd);
	const showsPeriods = lines.some(isOther);
	return lines.map((line) => lineOf(line, document.currency, showsPeriods));
}

function lineOf(line: LineRow, currency: string, showsPeriod: boolean): DocumentLine {
	const { periodStart, periodEnd, quantity, unitPrice, amount, discount, taxPercentage } = line;
	const discounted = exact(discount).eq(0)
		? []
		: [
				{
					label: "Discount",
					quantity: "",
					unitPrice: "",
					amount: formatMoney(toDecimal(exact(discount).times(-1)), currency),
				},
			];
	return {
		description: line.description,
		period:
			!showsPeriod || periodStart === null || periodEnd === null
				? null
				: formatPeriod({ start: periodStart, end: periodEnd }),
		quantity: quantity === null ? "" : formatQuantity(quantity),
		unitPrice: unitPrice === null ? "" : formatMoney(unitPrice, currency),
		taxRate: formatPercent(taxPercentage ?? zero),
		amount: formatMoney(amount, currency),
		parts: [...(line.tiers ?? []).map((tier) => tierPart(tier, currency)), ...discounted],
	};
}

function tierPart({ from, to, quantity, unitPrice, flatPrice, amount }: TierBreakdown, currency: string): DocumentPart {
	const range = tierRange(formatQuantity(from), to === null ? undefined : formatQuantity(to));
	const flat = flatPrice !== null && !exact(flatPrice).eq(0) ? formatMoney(flatPrice, currency) : undefined;
	const unit = unitPrice === null ? undefined : formatMoney(unitPrice, currency);
	return {
		label: flat !== undefined && unit !== undefined ? `${range} (plus ${flat} flat)` : range,
		quantity: formatQuantity(quantity),
		unitPrice: unit ?? flat ?? "",
		amount: formatMoney(amount, currency),
	};
}

/** The lower bound belongs to the tier before, the upper one to this. */
function tierRange(from: string, to: string | undefined): string {
	if (to === undefined) return from === "0" ? "Any quantity" : `Over ${from}`;
	return from === "0" ? `First ${to}` : `Over ${from}, up to ${to}`;
}

/** Our choice: more credit notes than this are one row, so that the totals stay on a page. */
const creditRowsMax = 5;

function totalsOf(
	invoice: InvoiceRow,
	lines: readonly LineRow[],
	notes: readonly CreditNoteRow[],
	{ credited, fromBalance, paid, due }: PaymentSummary,
): Total[] {
	const { currency, total } = invoice;
	const reducing = notes.filter(({ reducesDue }) => reducesDue);
	const lessRow = (label: string, value: Big | Decimal): Total => ({
		label,
		value: formatMoney(toDecimal(exact(value).times(-1)), currency),
		weight: "normal",
	});
	return [
		...sumsOf(invoice, lines),
		{ label: "Total", value: formatMoney(total, currency), weight: "strong" },
		...(reducing.length > creditRowsMax
			? [lessRow(`Credited by ${reducing.length} credit notes`, credited)]
			: reducing.map((note) => lessRow(`Credited by ${note.number}`, reducedBy([note])))),
		...(fromBalance.gt(0) ? [lessRow("Paid from your balance", fromBalance)] : []),
		...(paid.gt(fromBalance) ? [lessRow("Amount paid", paid.minus(fromBalance))] : []),
		{ label: "Amount due", value: formatMoneyWithCode(due.toFixed(), currency), weight: "final" },
	];
}

/** What leads to the total: the lines' sum, the discount, the taxes. */
export function sumsOf(
	{
		currency,
		discount,
		subTotal,
		discountLabel,
	}: Pick<InvoiceRow, "currency" | "discount" | "subTotal" | "discountLabel">,
	lines: readonly LineRow[],
): Total[] {
	const money = (value: Decimal): string => formatMoney(value, currency);
	const totals: Total[] = [{ label: "Subtotal", value: money(subTotal), weight: "normal" }];
	if (!exact(discount).eq(0)) {
		const label = discountLabel ? `Discount: ${discountLabel}` : "Discount";
		totals.push({ label, value: money(toDecimal(exact(discount).times(-1))), weight: "normal" });
	}
	const taxes = taxRows(lines, currency);
	if (taxes.length > 0 && !exact(discount).eq(0)) {
		const net = toDecimal(exact(subTotal).minus(discount));
		totals.push({ label: "Total excluding tax", value: money(net), weight: "normal" });
	}
	return [...totals, ...taxes];
}

/** One row for each tax rate, with the amount that it is calculated on. */
function taxRows(lines: readonly LineRow[], currency: string): Total[] {
	const byRate = new Map<Decimal, LineRow[]>();
	for (const line of lines) {
		const rate = line.taxPercentage ?? zero;
		byRate.set(rate, [...(byRate.get(rate) ?? []), line]);
	}
	const base = (rows: readonly LineRow[]): Big =>
		sum(rows.map(({ amount, discount }) => exact(amount).minus(discount)));
	return [...byRate]
		.filter(([rate, rows]) => !exact(rate).eq(0) || !sum(rows.map(({ tax }) => exact(tax))).eq(0))
		.sort(([one], [other]) => exact(other).cmp(exact(one)))
		.map(([rate, rows]) => ({
			label: `Tax ${formatPercent(rate)} on ${formatMoney(toDecimal(base(rows)), currency)}`,
			value: formatMoney(toDecimal(sum(rows.map(({ tax }) => exact(tax)))), currency),
			weight: "normal",
		}));
}
