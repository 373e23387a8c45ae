import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { invoicesOfContract, linesByInvoice } from "../../invoices/operations";
import type { InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import { getContract } from "../operations";
import { assertBilled, assertSchedulable } from "../rules";
import type { StatedContract } from "../store";
import { selectItems } from "../store.billing";
import { type PlannedInvoice, scheduleOf } from "./rules.schedule";
import { invoicesShownMax } from "./schema";
import { draftTerms, liveTerms } from "./terms";

/** The invoices that a contract has brought, and those that it will bring; the first of them in order of issue. */
export interface InvoiceScheduleOf {
	/** Nothing is issued yet: it is a draft, and told anew at each look. */
	readonly isPreview: boolean;
	readonly invoiceCount: number;
	/** Of all, but for those that were canceled. */
	readonly total: Decimal;
	readonly issued: ReadonlyArray<{ readonly invoice: InvoiceRow; readonly lines: readonly InvoiceLineRow[] }>;
	readonly planned: readonly PlannedInvoice[];
}

/** Source: docs/interface/contracts.md; `count` left out: as many as one answer holds. */
export function getInvoiceSchedule(work: Work, refId: string, count = invoicesShownMax): InvoiceScheduleOf {
	const contract = getContract(work, refId);
	assertBilled(contract);
	const issued = invoicesOfContract(work, contract.id);
	const planned = plannedOf(work, contract);
	const shown = issued.slice(0, count);
	const lines = linesByInvoice(work, shown);
	const counted = issued.filter(({ state }) => state !== "CANCELED");
	return {
		isPreview: contract.billingState === "DRAFT",
		invoiceCount: issued.length + planned.length,
		total: toDecimal(sum([...counted, ...planned].map(({ total }) => exact(total)))),
		issued: shown.map((invoice) => ({ invoice, lines: lines.get(invoice.id) ?? [] })),
		planned: planned.slice(0, Math.max(0, count - issued.length)),
	};
}

/** What is still to come; nothing of a contract whose billing is over. */
function plannedOf(work: Work, contract: StatedContract): PlannedInvoice[] {
	const { billingState, refId } = contract;
	if (billingState !== "DRAFT" && billingState !== "ACTIVE") return [];
	const items = selectItems(work, contract);
	assertSchedulable(refId, items);
	return scheduleOf(items, billingState === "DRAFT" ? draftTerms(work) : liveTerms(work, contract));
}
