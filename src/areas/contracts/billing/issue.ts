import { exact, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { addDays } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { recordPeriod } from "../../billing/operations";
import { recordLate } from "../../billing/operations.usage";
import { spanOf } from "../../billing/rules.billed";
import { getCustomerById } from "../../customers/operations";
import { customerAsParty, issueInvoice } from "../../invoices/operations";
import type { InvoiceRow } from "../../invoices/table";
import type { BilledItemRow } from "../store.billing";
import type { ContractRow } from "../table";
import { chargeOf } from "./rules.cycles";
import {
	invoicedAlike,
	isInvoiced,
	isPayAsYouGo,
	netTermsFor,
	type PlannedInvoice,
	type PlannedLine,
} from "./rules.schedule";
import { netTermsOf } from "./terms";
import { eventsOf, type LateCycle, lateCycles, meteredBy, ownerOf, quantityIn } from "./usage";

/**
 * Issues a planned invoice at the time of the work, with late usage, and records its cycles as invoiced in the same
 * transaction. If a pay-as-you-go invoice has no usage and no other line, only the record is written.
 */
export function issuePlanned(
	work: Work,
	contract: ContractRow,
	items: readonly BilledItemRow[],
	planned: PlannedInvoice,
): void {
	const charged = planned.lines.map((line) => {
		const item = items.find(({ id }) => id === line.item.id);
		assert(item, "a planned line is of an item of the contract");
		return { line, item, late: lateCycles(work, contract, item) };
	});
	const lines = charged.flatMap(({ line, late }) => [line, ...late.map((one) => one.line)]);
	const invoice = issueLines(work, contract, lines, planned);
	for (const { line, item, late } of charged) {
		recordCycle(work, contract, item, line, invoice);
		recordLateCycles(work, contract, item, late, invoice);
	}
}

/** Invoices late usage after the last invoice, together for items that share invoices. */
export function issueLate(work: Work, contract: ContractRow, items: readonly BilledItemRow[]): void {
	const late = items
		.map((item) => ({ item, late: lateCycles(work, contract, item) }))
		.filter((one) => one.late.length > 0);
	const netTerms = (item: BilledItemRow) => netTermsFor(item, netTermsOf(work));
	for (const together of Map.groupBy(late, ({ item }) => invoicedAlike(item, netTerms(item))).values()) {
		const lines = together.flatMap((one) => one.late.map(({ line }) => line));
		const [first] = together;
		if (!first) continue;
		const { currency, legalEntityId } = first.item;
		const period = spanOf(lines.map(({ cycle }) => cycle));
		const payableAt = addDays(work.now, netTerms(first.item));
		const invoice = issueLines(work, contract, lines, { currency, legalEntityId, period, payableAt });
		for (const one of together) recordLateCycles(work, contract, one.item, one.late, invoice);
	}
}

/** Returns late usage as lines of a draft, and records it as invoiced. */
export function lateLines(work: Work, contract: ContractRow, items: readonly BilledItemRow[], draft: InvoiceRow) {
	return items.flatMap((item) => {
		const late = lateCycles(work, contract, item);
		recordLateCycles(work, contract, item, late, draft);
		return late
			.map(({ line }) => line)
			.filter(isInvoiced)
			.map(invoiceLine);
	});
}

type Head = Pick<PlannedInvoice, "currency" | "legalEntityId" | "period" | "payableAt">;

function issueLines(
	work: Work,
	contract: ContractRow,
	lines: readonly PlannedLine[],
	{ currency, legalEntityId, period, payableAt }: Head,
): InvoiceRow | undefined {
	const shown = lines.filter(isInvoiced);
	if (shown.length === 0) return undefined;
	const customer = getCustomerById(work, contract.customerId);
	const discounts = new Set(shown.map(({ item }) => item.discount ?? zero));
	const [discount = zero] = discounts;
	return issueInvoice(work, {
		customerId: customer.id,
		customer: customerAsParty(customer, {}),
		legalEntityId,
		contractId: contract.id,
		contractRefId: contract.refId,
		billingReason: "BILLING_CYCLE",
		currency,
		dueAt: payableAt,
		period,
		discountPercent: discounts.size === 1 && !exact(discount).eq(0) ? discount : null,
		poNumber: contract.poNumber,
		notes: contract.note,
		customFields: customer.passthrough?.stripe?.invoiceCustomFields ?? {},
		lines: shown.map(invoiceLine),
	});
}

const invoiceLine = (line: PlannedLine) => {
	const { item, cycle, quantity, unitPrice, tiers, subTotal, discount, tax, taxes, basis } = line;
	return {
		kind: isPayAsYouGo(item) ? ("PayAsYouGoCharge" as const) : ("BaseCharge" as const),
		description: item.name,
		quantity,
		unitPrice,
		tiers,
		amount: subTotal,
		discount,
		tax,
		taxPercentage: item.tax,
		...(taxes && { taxes }),
		period: cycle,
		basis,
		...(isPayAsYouGo(item) && { featureRefId: item.itemName }),
	};
};

function recordCycle(
	work: Work,
	contract: ContractRow,
	item: BilledItemRow,
	{ cycle, subTotal, discount, tax, total }: PlannedLine,
	invoice: InvoiceRow | undefined,
): void {
	const charge = chargeOf(item, work.now);
	const metered = isPayAsYouGo(item) ? meteredBy(work, contract, item) : null;
	const usage = metered && { quantity: quantityIn(work, metered, cycle), events: eventsOf(work, metered) };
	const unitTransformation = metered?.unitTransformation ?? null;
	recordPeriod(
		work,
		ownerOf(contract),
		{ ...charge, terms: { ...charge.terms, unitTransformation } },
		{ ...cycle, rated: { subTotal, discount, tax, total }, invoiceId: invoice?.id ?? null, usage },
	);
}

function recordLateCycles(
	work: Work,
	contract: ContractRow,
	item: BilledItemRow,
	late: readonly LateCycle[],
	invoice: InvoiceRow | undefined,
): void {
	if (late.length === 0) return;
	const billed = late.map(({ line: { subTotal, discount, tax, total }, ...one }) => ({
		...one,
		rated: { subTotal, discount, tax, total },
		invoiceId: invoice?.id ?? null,
	}));
	recordLate(work, billed, eventsOf(work, meteredBy(work, contract, item)));
}
