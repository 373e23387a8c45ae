import { exact, toDecimal, zero } from "../../../kernel/decimal";
import { issuerAsParty } from "../issuer";
import { isTaxed } from "../rules.taxes";
import type { AgreedInvoice, AgreedLine, AgreedPrice, Agreement } from "../schema.agreement";
import type { PrintedDocument, ScheduleRow } from "./document";
import { filled } from "./labels";
import type { DocumentLine, DocumentPart } from "./lines";
import { rangeText, rateOf } from "./lines";
import { issuerBlock, type Logo, partyBlock, remarksOf } from "./parties";
import { sumsOf, taxRowsOf } from "./sums";
import { type Fact, type Writing, writingFor } from "./writing";

/** Builds the order form of a contract: parties, items with their prices, totals, invoices, and signatures. */
export function agreementDocumentOf(agreement: Agreement, logo: Logo | null = null): PrintedDocument {
	const { currency, totals, lines, customer, further } = agreement;
	const issuer = issuerAsParty(agreement.issuer);
	const writing = writingFor({ issuer, customer });
	const { labels, language, formats } = writing;
	const value = formats.moneyAlone(totals.total, currency);
	const fixed = lines.filter(({ isAsUsed }) => !isAsUsed).map((line) => ({ ...line, amount: line.subTotal }));
	return {
		id: agreement.id,
		title: labels.orderForm,
		number: agreement.number,
		revision: agreement.revision,
		changedAt: agreement.changedAt,
		language,
		labels,
		logo,
		issuer: issuerBlock(issuer, writing),
		customerLabel: labels.orderedBy,
		customer: partyBlock(customer, writing),
		facts: factsOf(agreement, writing),
		headline: filled(labels.headlineValue, { amount: value }),
		badge: agreement.status === "CANCELED" ? { text: labels.canceled, good: false } : null,
		columns: {
			unit: false,
			discount: fixed.some(({ discount }) => !exact(discount).eq(0)),
			taxRate: lines.some(isTaxed),
		},
		lines: lines.map((line) => lineOf(line, currency, writing)),
		carried: (net) => formats.money(net.toFixed(), currency),
		taxes: taxRowsOf({ currency }, fixed, writing),
		totals: [
			...sumsOf({ currency, ...totals, discountLabel: null, discountPercent: null }, fixed, writing),
			{ label: labels.contractValue, value, weight: "final" },
		],
		remarks: [
			...(lines.some(({ isAsUsed }) => isAsUsed) ? [labels.usageRemark] : []),
			...renewalRemark(agreement, writing),
			...remarksOf({ customer, tax: totals.tax, currency, taxConversion: null }, writing),
		],
		payment: [],
		notes: agreement.note,
		footer: issuer.footer ?? null,
		schedule: [
			...agreement.invoices.map((invoice) => scheduleRow(invoice, currency, writing)),
			...(further
				? [
						{
							number: "",
							issueDate: filled(labels.furtherInvoices, { count: further.count, date: formats.date(further.until) }),
							dueDate: "",
							period: "",
							...figuresOf(further, currency, writing),
						},
					]
				: []),
		],
		signatories: [issuer.name, customer.name],
	};
}

function factsOf(agreement: Agreement, { labels, formats }: Writing): Fact[] {
	const { name, number, poNumber, status, date, term, netTerms } = agreement;
	const { start, end } = term;
	return [
		{ label: labels.contract, value: number },
		...(name === null || name === number || name === poNumber ? [] : [{ label: "", value: name }]),
		...(poNumber === null ? [] : [{ label: labels.poNumber, value: poNumber }]),
		...(status === "IN_FORCE" ? [] : [{ label: labels.documentDate, value: formats.date(date) }]),
		{ label: labels.status, value: filled(labels[`agreement${status}`], { date: formats.date(date) }) },
		...(start === null
			? []
			: [
					{
						label: labels.term,
						value:
							end === null ? filled(labels.termOpen, { date: formats.date(start) }) : formats.period({ start, end }),
					},
				]),
		...(netTerms === null
			? []
			: [
					{
						label: labels.paymentTerms,
						value: netTerms === 0 ? labels.payableAtOnce : filled(labels.netDays, { count: netTerms }),
					},
				]),
	];
}

function lineOf(line: AgreedLine, currency: string, writing: Writing): DocumentLine {
	const { labels, formats } = writing;
	const { quantity, unitPrice, discount, isAsUsed } = line;
	const netAmount = exact(line.subTotal).minus(exact(discount));
	return {
		description: line.description,
		period: cadenceText(line, currency, writing),
		quantity: quantity === null ? "" : formats.quantity(quantity),
		unit: "",
		unitPrice: unitPrice === null ? "" : formats.money(unitPrice, currency),
		discount: exact(discount).eq(0) ? "" : formats.money(exact(discount).times(-1).toFixed(), currency),
		taxRate: formats.percent(rateOf(line)),
		net: isAsUsed ? labels.asUsed : formats.money(netAmount.toFixed(), currency),
		netAmount,
		parts: line.prices.map((price) => pricePart(price, currency, writing)),
	};
}

/** Returns, for example, "Quarterly in advance · 1 Jan 2030 – 31 Dec 2030 · 4 × €9,969.30". */
function cadenceText(
	{ cadence, paymentTime, window, repeated }: AgreedLine,
	currency: string,
	writing: Writing,
): string {
	const { labels, formats } = writing;
	const { start, end } = window;
	const often = oftenText(cadence, writing);
	return [
		cadence.unit === "one_time" ? often : `${often} ${labels[paymentTime]}`,
		...(start !== null && end !== null ? [formats.period({ start, end })] : []),
		...(repeated && repeated.count > 1 ? [`${repeated.count} × ${formats.money(repeated.net, currency)}`] : []),
	].join("  ·  ");
}

function oftenText({ unit, count }: AgreedLine["cadence"], { labels }: Writing): string {
	if (count === 1 || unit === "one_time") return labels[unit];
	switch (unit) {
		case "weekly":
			return filled(labels.everyWeeks, { count });
		case "monthly":
			return filled(labels.everyMonths, { count });
		case "quarterly":
			return filled(labels.everyMonths, { count: count * 3 });
		case "yearly":
			return filled(labels.everyYears, { count });
	}
}

function pricePart(price: AgreedPrice, currency: string, writing: Writing): DocumentPart {
	const { labels, formats } = writing;
	const { kind, from, to, size, quantity } = price;
	const range = rangeText(from ?? zero, to, writing);
	const texts = {
		UNIT: labels.unitPrice,
		TIER: range,
		ALL_UNITS: filled(labels.rangeForAll, { range }),
		FLAT: filled(labels.rangeFlat, { range }),
		PACKAGE: filled(labels.perPackage, { size: formats.quantity(size ?? toDecimal(1)) }),
	} as const satisfies Record<AgreedPrice["kind"], string>;
	return {
		label: texts[kind],
		quantity: quantity === null ? "" : formats.quantity(quantity),
		unitPrice: formats.money(price.price, currency),
		net: "",
	};
}

function renewalRemark({ renewal }: Agreement, { labels, formats }: Writing): string[] {
	if (renewal === null) return [];
	const { months, noticePeriodDays: days, upliftPercentage } = renewal;
	return [filled(labels.renewalRemark, { months, days, percent: formats.percent(upliftPercentage) })];
}

function scheduleRow(invoice: AgreedInvoice, currency: string, writing: Writing): ScheduleRow {
	const { formats } = writing;
	return {
		number: invoice.number ?? "",
		issueDate: formats.date(invoice.issueAt),
		dueDate: formats.date(invoice.dueAt),
		period: formats.period(invoice.period),
		...figuresOf(invoice, currency, writing),
	};
}

const figuresOf = (
	{ subTotal, discount, tax, total }: Pick<AgreedInvoice, "subTotal" | "discount" | "tax" | "total">,
	currency: string,
	{ formats }: Writing,
) => ({
	net: formats.money(exact(subTotal).minus(exact(discount)).toFixed(), currency),
	tax: formats.money(tax, currency),
	total: formats.money(total, currency),
});
