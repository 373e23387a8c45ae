import type { Instant } from "../../../kernel/clock";
import { exact, zero } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import { addUnits, type Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { getCustomerById } from "../../customers/operations";
import { customerAsParty, issueInvoice } from "../../invoices/operations";
import type { InvoiceRow } from "../../invoices/table";
import { sumTotals } from "../../pricing/totals";
import type { ContractItemRow, ContractRow } from "../table";
import {
	invoicedAlike,
	isInvoiced,
	isPayAsYouGo,
	netTermsFor,
	type PlannedInvoice,
	type PlannedLine,
} from "./rules.schedule";
import { changeCycle, insertCycles, saveBilled } from "./store";
import { netTermsOf } from "./terms";
import { eventsOf, type LateCycle, lateCycles, meteredBy, quantityIn, termsOfUsage } from "./usage";

/**
 * Issues a planned invoice at the time of the work, with late usage, and records its cycles as invoiced in the same
 * transaction. If a pay-as-you-go invoice has no usage and no other line, only the record is written.
 */
export function issuePlanned(
	work: Work,
	contract: ContractRow,
	items: readonly ContractItemRow[],
	planned: PlannedInvoice,
): void {
	const charged = planned.lines.map((line) => {
		const item = items.find(({ id }) => id === line.item.id);
		assert(item, "a planned line is of an item of the contract");
		return { line, item, late: isPayAsYouGo(item) ? lateCycles(work, contract, item) : [] };
	});
	const lines = charged.flatMap(({ line, late }) => [line, ...late.map((one) => one.line)]);
	const invoice = issueLines(work, contract, lines, planned);
	for (const { line, item, late } of charged) {
		recordCycle(work, contract, item, line, invoice);
		recordItem(work, contract, item, line.cycle.end, [line], late);
	}
}

/** Invoices late usage after the last invoice, together for items that share invoices. */
export function issueLate(work: Work, contract: ContractRow, items: readonly ContractItemRow[]): void {
	const late = items
		.filter(isPayAsYouGo)
		.map((item) => ({ item, late: lateCycles(work, contract, item) }))
		.filter((one) => one.late.length > 0);
	const netTerms = (item: ContractItemRow) => netTermsFor(item, netTermsOf(work));
	for (const together of Map.groupBy(late, ({ item }) => invoicedAlike(item, netTerms(item))).values()) {
		const lines = together.flatMap((one) => one.late.map(({ line }) => line));
		const [first] = together;
		if (!first) continue;
		const { currency, legalEntityId } = first.item;
		const period = spanOf(lines.map(({ cycle }) => cycle));
		const payableAt = addUnits(work.now, "days", netTerms(first.item));
		issueLines(work, contract, lines, { currency, legalEntityId, period, payableAt });
		for (const { item, late: cycles } of together) recordItem(work, contract, item, item.billedUntil, [], cycles);
	}
}

/** Returns late usage as lines of a draft, and records it as invoiced. */
export function lateLines(work: Work, contract: ContractRow, items: readonly ContractItemRow[]) {
	return items.flatMap((item) => {
		const late = lateCycles(work, contract, item);
		if (late.length > 0) recordItem(work, contract, item, item.billedUntil, [], late);
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

const invoiceLine = ({ item, cycle, quantity, unitPrice, tiers, subTotal, discount, tax, basis }: PlannedLine) => ({
	kind: isPayAsYouGo(item) ? ("PayAsYouGoCharge" as const) : ("BaseCharge" as const),
	description: item.name,
	quantity,
	unitPrice,
	tiers,
	amount: subTotal,
	discount,
	tax,
	taxPercentage: item.tax,
	period: cycle,
	basis,
	...(isPayAsYouGo(item) && { featureRefId: item.itemName }),
});

function recordCycle(
	work: Work,
	contract: ContractRow,
	item: ContractItemRow,
	{ cycle, subTotal, discount, tax, total }: PlannedLine,
	invoice: InvoiceRow | undefined,
): void {
	const metered = isPayAsYouGo(item) ? meteredBy(work, contract, item) : undefined;
	insertCycles(work, [
		{
			itemId: item.id,
			cycleStart: cycle.start,
			cycleEnd: cycle.end,
			environmentId: work.actor.environmentId,
			contractId: contract.id,
			invoiceId: invoice?.id ?? null,
			billed: { subTotal, discount, tax, total },
			...(metered && {
				quantity: quantityIn(work, metered, cycle),
				events: eventsOf(work, metered).within(cycle),
				terms: termsOfUsage(item, metered),
			}),
			createdAt: work.now,
		},
	]);
}

/** Records how far an item is invoiced, late usage included. */
function recordItem(
	work: Work,
	contract: ContractRow,
	item: ContractItemRow,
	billedUntil: Instant | null,
	lines: readonly PlannedLine[],
	late: readonly LateCycle[],
): void {
	for (const { row, line, quantity, events } of late)
		changeCycle(work, row, { billed: sumTotals([row.billed, line]), quantity, events });
	const added = [...lines, ...late.map(({ line }) => line)];
	const billed = sumTotals(item.billed ? [item.billed, ...added] : added);
	saveBilled(work, item, {
		billedUntil,
		billed,
		...(isPayAsYouGo(item) && billedUntil !== null && markOf(work, contract, item, billedUntil)),
	});
}

export function markOf(work: Work, contract: ContractRow, item: ContractItemRow, billedUntil: Instant) {
	const events = eventsOf(work, meteredBy(work, contract, item));
	return { usageEvents: events.before(billedUntil), usageMeterId: events.meterId };
}

const spanOf = (periods: readonly Period[]): Period => ({
	start: Math.min(...periods.map(({ start }) => start)) as Instant,
	end: Math.max(...periods.map(({ end }) => end)) as Instant,
});
