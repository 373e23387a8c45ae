import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, exact, toDecimal } from "../../../kernel/decimal";
import { dueOf, reducedBy } from "../credit-notes/rules";
import { discountOn } from "../payments/rules.cash-discount";
import type { CreditNoteRow, InvoiceRow, LineRow } from "../table";
import { filled, type LanguageCode } from "./labels";
import type { Labels } from "./labels.en";
import { type Columns, columnsOf, type DocumentLine, linesOf, type NameOfCustomer, priceRemarks } from "./lines";
import { issuerBlock, type Logo, type PartyBlock, partyBlock, remarksOf } from "./parties";
import { creditorReferenceOf, groupedReference } from "./rules.creditor-reference";
import { paymentCodeOf } from "./rules.payment-code";
import { sumsOf, type TaxRow, type Total, taxRowsOf } from "./sums";
import { type Fact, type Writing, writingFor } from "./writing";

/** An invoice or a credit note as it is printed. Every text is final; the layout is not. */
export interface PrintedDocument {
	readonly id: string;
	readonly title: string;
	readonly number: string;
	readonly revision: number;
	/** The time of the last change of the invoice. It is the date in the PDF, so that the bytes do not depend on the time of rendering. */
	readonly changedAt: Instant;
	readonly language: LanguageCode;
	readonly labels: Labels;
	readonly logo: Logo | null;
	readonly issuer: PartyBlock;
	/** The customer's role: the payer, or the recipient of a credit. */
	readonly customerLabel: string;
	readonly customer: PartyBlock;
	readonly facts: readonly Fact[];
	readonly headline: string;
	readonly badge: { readonly text: string; readonly good: boolean } | null;
	readonly columns: Columns;
	readonly lines: readonly DocumentLine[];
	/** Returns the text for the sum carried over at the end of a page. */
	readonly carried: (net: Big) => string;
	/** Empty if no line states a rate. */
	readonly taxes: readonly TaxRow[];
	readonly totals: readonly Total[];
	/** Reasons why no tax is charged. */
	readonly remarks: readonly string[];
	/** How to pay; empty if nothing is due, or if there are no payment instructions. */
	readonly payment: readonly string[];
	/** The text of the SEPA QR code, while an amount in euro is due. */
	readonly paymentCode?: string | undefined;
	readonly notes: string | null;
	/** The text at the foot of each page. */
	readonly footer: string | null;
	/** Order form only: its invoices. */
	readonly schedule?: readonly ScheduleRow[];
	/** Order form only: the signatories. */
	readonly signatories?: readonly string[];
}

export interface ScheduleRow {
	readonly number: string;
	readonly issueDate: string;
	readonly dueDate: string;
	readonly period: string;
	readonly net: string;
	readonly tax: string;
	readonly total: string;
}

/**
 * Builds the printed invoice. `notes` are the credit notes that correct the invoice, in the order of their numbers. `nameOf` names the
 * customers of its lines; without it, their ids do.
 */
export function documentOf(
	invoice: InvoiceRow,
	lines: readonly LineRow[],
	notes: readonly CreditNoteRow[],
	logo: Logo | null = null,
	nameOf?: NameOfCustomer,
): PrintedDocument {
	const money = paymentSummaryOf(invoice, notes);
	const writing = writingFor(invoice);
	const { labels, language, formats } = writing;
	return {
		id: invoice.id,
		title: labels.invoice,
		number: invoice.number || labels.draft,
		revision: invoice.revision,
		changedAt: invoice.updatedAt,
		language,
		labels,
		logo,
		issuer: issuerBlock(invoice.issuer, writing),
		customerLabel: labels.billTo,
		customer: partyBlock(invoice.customer, writing),
		facts: factsOf(invoice, lines, notes, money, writing),
		headline: headlineOf(invoice, money, writing),
		badge: badgeOf(invoice, money, labels),
		columns: columnsOf(lines),
		lines: linesOf(invoice, lines, writing, nameOf),
		carried: (net) => formats.money(net.toFixed(), invoice.currency),
		taxes: taxRowsOf(invoice, lines, writing),
		totals: totalsOf(invoice, lines, notes, money, writing),
		remarks: [...priceRemarks(lines, writing), ...remarksOf(invoice, writing)],
		payment: [...paymentLinesOf(invoice, money, writing), ...earlyPaymentLines(invoice, notes, money, writing)],
		paymentCode: codeOf(invoice, money),
		notes: invoice.notes,
		footer: invoice.issuer.footer ?? null,
	};
}

/** How the total of an invoice was settled. */
interface PaymentSummary {
	/** The sum of credit notes issued before the payment. */
	readonly credited: Big;
	/** The amount that the customer's balance paid. */
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

function factsOf(
	invoice: InvoiceRow,
	lines: readonly LineRow[],
	notes: readonly CreditNoteRow[],
	money: PaymentSummary,
	writing: Writing,
): Fact[] {
	const { labels, formats } = writing;
	const { issuedAt, dueAt, paidAt, canceledAt } = invoice;
	const isDraft = invoice.state === "DRAFT";
	const facts: Fact[] = isDraft
		? [{ label: labels.invoiceNumber, value: labels.draft }]
		: [
				{ label: labels.invoiceNumber, value: invoice.number },
				{ label: labels.issueDate, value: formats.date(issuedAt) },
				{ label: labels.dueDate, value: formats.date(dueAt) },
			];
	if (paidAt !== null)
		facts.push({ label: isCredited(invoice, money) ? labels.creditedOn : labels.paidOn, value: formats.date(paidAt) });
	if (canceledAt !== null) facts.push({ label: labels.canceledOn, value: formats.date(canceledAt) });
	if (notes.length > 0) facts.push({ label: labels.creditedBy, value: notes.map(({ number }) => number).join(", ") });
	facts.push(...periodFact(invoice, writing));
	// Items without a period were supplied on the date of the invoice.
	if (!isDraft && invoice.periodStart === null && lines.every(({ periodStart }) => periodStart === null))
		facts.push({ label: labels.supplyDate, value: formats.date(issuedAt) });
	if (invoice.contractRefId !== null) facts.push({ label: labels.contract, value: invoice.contractRefId });
	if (invoice.poNumber !== null) facts.push({ label: labels.poNumber, value: invoice.poNumber });
	return [...facts, ...Object.entries(invoice.customFields).map(([label, value]) => ({ label, value }))];
}

export const periodFact = (
	{ periodStart, periodEnd }: Pick<InvoiceRow, "periodStart" | "periodEnd">,
	{ labels, formats }: Writing,
): Fact[] =>
	periodStart === null || periodEnd === null
		? []
		: [{ label: labels.servicePeriod, value: formats.period({ start: periodStart, end: periodEnd }) }];

/**
 * Returns whether an invoice counts as credited. Its total is below zero, so the customer is owed it, or credit notes cover the total,
 * so it was never paid.
 */
const isCredited = ({ total }: InvoiceRow, { credited, paid }: PaymentSummary): boolean =>
	exact(total).lt(0) || (credited.gt(0) && paid.eq(0));

function badgeOf(invoice: InvoiceRow, money: PaymentSummary, labels: Labels): PrintedDocument["badge"] {
	if (invoice.state === "OPEN") return null;
	if (invoice.state === "DRAFT") return { text: labels.draft, good: false };
	if (invoice.state === "CANCELED") return { text: labels.canceled, good: false };
	return { text: isCredited(invoice, money) ? labels.credited : labels.paid, good: true };
}

function headlineOf(invoice: InvoiceRow, money: PaymentSummary, { labels, formats }: Writing): string {
	const { currency, total, paidAt, issuedAt, state } = invoice;
	const amountOf = (value: Big): string => formats.moneyAlone(value.toFixed(), currency);
	if (state === "OPEN")
		return filled(labels.headlineDue, { amount: amountOf(money.due), date: formats.date(invoice.dueAt) });
	if (state === "DRAFT") return filled(labels.headlineDraft, { amount: amountOf(exact(total)) });
	if (state === "CANCELED") return filled(labels.headlineCanceled, { amount: amountOf(exact(total)) });
	const date = formats.date(paidAt ?? issuedAt);
	return isCredited(invoice, money)
		? filled(labels.headlineCredited, { amount: amountOf(exact(total).abs()), date })
		: filled(labels.headlinePaid, { amount: amountOf(money.paid), date });
}

/** Formats an IBAN in groups of four, as banks print it. */
const groupedIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, "$1 ");

function paymentLinesOf(invoice: InvoiceRow, { due }: PaymentSummary, { labels, formats }: Writing): string[] {
	const { issuer, state, currency, dueAt, number } = invoice;
	const { bankAccount = null, paymentText = null } = issuer;
	if (state !== "OPEN" || due.lte(0) || (bankAccount === null && !paymentText)) return [];
	const amount = formats.moneyAlone(due.toFixed(), currency);
	return [
		filled(labels.payBy, { amount, date: formats.date(dueAt), number }),
		...(bankAccount?.bankName ? [`${labels.bank}: ${bankAccount.bankName}`] : []),
		...(bankAccount
			? [`IBAN: ${groupedIban(bankAccount.iban)}${bankAccount.bic ? `   BIC: ${bankAccount.bic}` : ""}`]
			: []),
		...referenceLines(invoice, labels),
		...(paymentText ? [paymentText] : []),
	];
}

/** Returns the creditor reference, by which a bank statement names the invoice. */
function referenceLines(invoice: InvoiceRow, labels: Labels): string[] {
	const reference = invoice.issuer.printsReference ? creditorReferenceOf(invoice) : null;
	return reference === null ? [] : [`${labels.creditorReference}: ${groupedReference(reference)}`];
}

/** Returns the SEPA QR code of an OPEN invoice whose document prints the reference. */
function codeOf(invoice: InvoiceRow, { due }: PaymentSummary): string | undefined {
	const { bankAccount, printsReference, name: payee } = invoice.issuer;
	const creditorReference = creditorReferenceOf(invoice);
	if (invoice.state !== "OPEN" || !printsReference || !bankAccount || creditorReference === null) return undefined;
	return paymentCodeOf({ ...bankAccount, currency: invoice.currency, due, payee, creditorReference });
}

/** Returns the cash discount with its amount and date, while the invoice is unpaid. */
function earlyPaymentLines(
	invoice: InvoiceRow,
	notes: readonly CreditNoteRow[],
	{ due }: PaymentSummary,
	{ labels, formats }: Writing,
): string[] {
	const { cashDiscount, currency } = invoice;
	const discount = discountOn(invoice, notes);
	if (cashDiscount === null || discount.lte(0) || discount.gte(due)) return [];
	return [
		filled(labels.payEarly, {
			date: formats.date(cashDiscount.until),
			percent: formats.percent(cashDiscount.percentage),
			amount: formats.moneyAlone(discount.toFixed(), currency),
			payable: formats.moneyAlone(due.minus(discount).toFixed(), currency),
		}),
	];
}

/** More credit notes than this share one row, so that the totals fit on a page. */
const creditRowsMax = 5;

function totalsOf(
	invoice: InvoiceRow,
	lines: readonly LineRow[],
	notes: readonly CreditNoteRow[],
	{ credited, fromBalance, paid, due }: PaymentSummary,
	writing: Writing,
): Total[] {
	const { currency, total } = invoice;
	const { labels, formats } = writing;
	const reducing = notes.filter(({ reducesDue }) => reducesDue);
	const lessRow = (label: string, value: Big | Decimal): Total => ({
		label,
		value: formats.money(toDecimal(exact(value).times(-1)), currency),
		weight: "normal",
	});
	if (invoice.state === "DRAFT")
		return [
			...sumsOf(invoice, lines, writing),
			{ label: labels.total, value: formats.moneyAlone(total, currency), weight: "final" },
		];
	return [
		...sumsOf(invoice, lines, writing),
		{ label: labels.total, value: formats.money(total, currency), weight: "strong" },
		...(reducing.length > creditRowsMax
			? [lessRow(filled(labels.creditedByMany, { count: reducing.length }), credited)]
			: reducing.map((note) => lessRow(filled(labels.creditedByNumber, { number: note.number }), reducedBy([note])))),
		...(fromBalance.gt(0) ? [lessRow(labels.fromBalance, fromBalance)] : []),
		...(paid.gt(fromBalance) ? [lessRow(labels.amountPaid, paid.minus(fromBalance))] : []),
		{ label: labels.amountDue, value: formats.moneyAlone(due.toFixed(), currency), weight: "final" },
	];
}
