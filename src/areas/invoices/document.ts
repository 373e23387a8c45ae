import type { Instant } from "../../kernel/clock";
import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { formatDate, formatMoney, formatMoneyWithCode, formatPercent, formatPeriod, formatQuantity } from "./format";
import type { InvoiceParty, PostalAddress, TierBreakdown } from "./party";
import type { InvoiceLineRow, InvoiceRow } from "./table";

/** An invoice as it is printed: every text decided, nothing placed. */
export interface InvoiceDocument {
	readonly id: string;
	readonly number: string;
	readonly revision: number;
	/** When this state of the invoice came to be; the PDF carries it as its date, so that it never depends on the render. */
	readonly changedAt: Instant;
	readonly issuer: PartyBlock;
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

export function documentOf(invoice: InvoiceRow, lines: readonly InvoiceLineRow[]): InvoiceDocument {
	const { currency } = invoice;
	const rates = new Set(lines.map(({ taxPercentage }) => taxPercentage ?? "0"));
	return {
		id: invoice.id,
		number: invoice.number,
		revision: invoice.revision,
		changedAt: invoice.updatedAt,
		issuer: partyBlock(invoice.issuer),
		customer: partyBlock(invoice.customer),
		facts: factsOf(invoice),
		headline: headlineOf(invoice),
		badge: badgeOf(invoice),
		showsTaxRates: rates.size > 1,
		lines: lines.map((line) => lineOf(line, currency, invoice)),
		totals: totalsOf(invoice, lines),
		notes: invoice.notes,
	};
}

const partyBlock = ({ name, address, email, taxIds }: InvoiceParty): PartyBlock => ({
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

function factsOf(invoice: InvoiceRow): Fact[] {
	const { issuedAt, dueAt, paidAt, canceledAt, periodStart, periodEnd } = invoice;
	const facts: Fact[] = [
		{ label: "Invoice number", value: invoice.number },
		{ label: "Issue date", value: formatDate(issuedAt) },
		{ label: "Due date", value: formatDate(dueAt) },
	];
	if (paidAt !== null) facts.push({ label: isCredit(invoice) ? "Credited on" : "Paid on", value: formatDate(paidAt) });
	if (canceledAt !== null) facts.push({ label: "Canceled on", value: formatDate(canceledAt) });
	if (periodStart !== null && periodEnd !== null)
		facts.push({ label: "Service period", value: formatPeriod({ start: periodStart, end: periodEnd }) });
	if (invoice.contractRefId !== null) facts.push({ label: "Contract", value: invoice.contractRefId });
	if (invoice.poNumber !== null) facts.push({ label: "PO number", value: invoice.poNumber });
	return [...facts, ...Object.entries(invoice.customFields).map(([label, value]) => ({ label, value }))];
}

/** A total below zero is owed to the customer. */
const isCredit = ({ total }: InvoiceRow): boolean => exact(total).lt(0);

function badgeOf(invoice: InvoiceRow): InvoiceDocument["badge"] {
	if (invoice.state === "OPEN") return null;
	if (invoice.state === "CANCELED") return { text: "CANCELED", good: false };
	return { text: isCredit(invoice) ? "CREDITED" : "PAID", good: true };
}

/** What is still to be paid. */
const amountDue = ({ state, total }: InvoiceRow): Decimal => (state === "OPEN" ? total : zero);

function headlineOf(invoice: InvoiceRow): string {
	const { currency, total, paidAt, state } = invoice;
	if (state === "OPEN") return `${formatMoneyWithCode(total, currency)} due ${formatDate(invoice.dueAt)}`;
	if (state === "CANCELED") return `${formatMoneyWithCode(total, currency)} canceled`;
	const verb = isCredit(invoice) ? "credited" : "paid";
	return `${formatMoneyWithCode(exact(total).abs().toFixed(), currency)} ${verb}${paidAt === null ? "" : ` on ${formatDate(paidAt)}`}`;
}

function lineOf(line: InvoiceLineRow, currency: string, invoice: InvoiceRow): DocumentLine {
	const { periodStart, periodEnd, quantity, unitPrice, amount, discount, taxPercentage } = line;
	const samePeriod = periodStart === invoice.periodStart && periodEnd === invoice.periodEnd;
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
		// The invoice's own period stands above; a line repeats it only where it differs.
		period:
			periodStart === null || periodEnd === null || samePeriod
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

function totalsOf(invoice: InvoiceRow, lines: readonly InvoiceLineRow[]): Total[] {
	const { currency, discount, subTotal, total, discountLabel, state } = invoice;
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
	totals.push(...taxes, { label: "Total", value: money(total), weight: "strong" });
	if (state === "PAID" && exact(total).gt(0))
		totals.push({ label: "Amount paid", value: money(toDecimal(exact(total).times(-1))), weight: "normal" });
	totals.push({ label: "Amount due", value: formatMoneyWithCode(amountDue(invoice), currency), weight: "final" });
	return totals;
}

/** One row for each tax rate, with the amount that it is reckoned on. */
function taxRows(lines: readonly InvoiceLineRow[], currency: string): Total[] {
	const byRate = new Map<Decimal, InvoiceLineRow[]>();
	for (const line of lines) {
		const rate = line.taxPercentage ?? zero;
		byRate.set(rate, [...(byRate.get(rate) ?? []), line]);
	}
	const base = (rows: readonly InvoiceLineRow[]): Big =>
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
