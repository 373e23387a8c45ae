import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire, toWireOrNull } from "../../../kernel/decimal";
import type { InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import type { ItemsOfContract } from "../operations.billing";
import { billingPhase } from "../rules.states";
import type { ContractItemRow } from "../table";
import type { Publication } from "./operations.publish";
import type { InvoiceScheduleOf } from "./operations.schedule";
import type { UsageOfContract } from "./operations.usage";
import type { PlannedInvoice } from "./rules.schedule";
import {
	type ContractItem,
	type ContractItems,
	type ContractPublication,
	type ContractUsage,
	type InvoiceSchedule,
	invoicesShownMax,
	type ScheduledInvoice,
} from "./schema";

export const viewSchedule = ({
	isPreview,
	invoiceCount,
	total,
	issued,
	planned,
}: InvoiceScheduleOf): InvoiceSchedule => ({
	isPreview,
	invoiceCount,
	total: toWire(total),
	invoices: [
		...issued.map(({ invoice, lines }) => viewIssued(invoice, lines)),
		...planned.map((one) => viewPlanned(one, isPreview ? "CONTRACT_DRAFT" : "SCHEDULED")),
	],
});

export const viewPublication = ({
	contract,
	items,
	issuedNow,
	laterTotal,
	...publication
}: Publication): ContractPublication => ({
	contractId: contract.refId,
	isAmendment: publication.isAmendment,
	totalBefore: toWireOrNull(publication.totalBefore),
	totalAfter: toWire(publication.totalAfter),
	items: items.map(({ itemId, name, change, before, after }) => ({
		itemId,
		name,
		change,
		totalBefore: toWireOrNull(before),
		totalAfter: toWireOrNull(after),
	})),
	invoicesNow: issuedNow.slice(0, invoicesShownMax).map((one) => viewPlanned(one, "SCHEDULED")),
	laterCount: publication.laterCount,
	laterTotal: toWire(laterTotal),
	creditedNow: toWire(publication.credited),
});

const viewIssued = (invoice: InvoiceRow, lines: readonly InvoiceLineRow[]): ScheduledInvoice => ({
	invoiceId: invoice.id,
	invoiceNumber: invoice.number || null,
	state: invoice.state,
	issueDate: toIso(invoice.issuedAt),
	dueDate: toIso(invoice.dueAt),
	periodStart: toIsoOrNull(invoice.periodStart),
	periodEnd: toIsoOrNull(invoice.periodEnd),
	currency: invoice.currency,
	subTotal: toWire(invoice.subTotal),
	discount: toWire(invoice.discount),
	tax: toWire(invoice.tax),
	total: toWire(invoice.total),
	lineItems: lines.map((line) => ({
		itemId: null,
		description: line.description,
		quantity: toWireOrNull(line.quantity),
		unitPrice: toWireOrNull(line.unitPrice),
		amount: toWire(line.amount),
		discount: toWire(line.discount),
		tax: toWire(line.tax),
		total: toWire(line.total),
		periodStart: toIsoOrNull(line.periodStart),
		periodEnd: toIsoOrNull(line.periodEnd),
	})),
});

export const viewPlanned = (planned: PlannedInvoice, state: "CONTRACT_DRAFT" | "SCHEDULED"): ScheduledInvoice => ({
	invoiceId: null,
	invoiceNumber: null,
	state,
	issueDate: toIso(planned.issueAt),
	dueDate: toIso(planned.payableAt),
	periodStart: toIso(planned.period.start),
	periodEnd: toIso(planned.period.end),
	currency: planned.currency,
	subTotal: toWire(planned.subTotal),
	discount: toWire(planned.discount),
	tax: toWire(planned.tax),
	total: toWire(planned.total),
	lineItems: planned.lines.map(({ item, cycle, quantity, unitPrice, subTotal, discount, tax, total }) => ({
		itemId: item.id,
		description: item.name,
		quantity: toWireOrNull(quantity),
		unitPrice: toWireOrNull(unitPrice),
		amount: toWire(subTotal),
		discount: toWire(discount),
		tax: toWire(tax),
		total: toWire(total),
		periodStart: toIso(cycle.start),
		periodEnd: toIso(cycle.end),
	})),
});

export const viewUsage = ({ reported, failed, skipped }: UsageOfContract): ContractUsage => ({
	reported: reported.map(({ item, cycle, quantity }) => ({
		...usedItem(item),
		quantity: toWire(quantity),
		periodStart: toIso(cycle.start),
		periodEnd: toIso(cycle.end),
	})),
	failed: failed.map((item) => ({
		...usedItem(item),
		message: `The feature '${item.itemName}' is not metered any more; give it a meter.`,
	})),
	skipped: skipped.map((item) => ({
		...usedItem(item),
		message: "No cycle of the item has begun that is not invoiced yet.",
	})),
});

const usedItem = ({ id, itemName }: ContractItemRow) => ({ itemId: id, featureId: itemName ?? "" });

export const viewItems = ({ contract, currency, items }: ItemsOfContract): ContractItems => {
	const phase = billingPhase(contract);
	return {
		contractId: contract.refId,
		currency,
		isOpen: contract.archivedAt === null && (phase === "DRAFT" || phase === "AMENDING"),
		isAmendment: phase === "AMENDING",
		items: items.map(viewItem),
	};
};

const viewItem = (item: ContractItemRow): ContractItem => ({
	itemId: item.id,
	externalId: item.externalId,
	name: item.name,
	itemName: item.itemName,
	pricingModelId: item.pricingModelId,
	rows: item.rows.map(({ quantity, price, from, to, packageSize }) => ({
		quantity: toWireOrNull(quantity),
		price: toWireOrNull(price),
		from: toWireOrNull(from),
		to: toWireOrNull(to),
		packageSize: toWireOrNull(packageSize),
	})),
	billingCycleUnit: item.billingCycleUnit,
	billingCycleCount: item.billingCycleCount,
	paymentTime: item.paymentTime,
	discount: toWireOrNull(item.discount),
	tax: toWireOrNull(item.tax),
	netTerms: item.netTerms,
	separateInvoice: item.separateInvoice,
	prorateCutCycles: item.prorateCutCycles,
	activationStartDate: toIsoOrNull(item.activationStartAt),
	activationEndDate: toIsoOrNull(item.activationEndAt),
	isTakenOut: item.takenOutAt !== null,
});
