import { type Big, type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { billedPeriodsOf } from "../../billing/operations";
import { invoicesOfContract, linesByInvoice, withCreditNotes } from "../../invoices/operations";
import type { InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import { getContract } from "../operations";
import { assertBilled, assertSchedulable } from "../rules";
import type { StatedContract } from "../store";
import { openItems } from "./amendments/reissue";
import { type PlannedInvoice, scheduleOf } from "./rules.schedule";
import { invoicesShownMax } from "./schema";
import { withTaxes } from "./taxed";
import { draftTerms, liveTerms } from "./terms";

/** The issued and future invoices of a contract, the first of them in order of issue. */
export interface InvoiceScheduleOf {
	/** The contract is a draft, so nothing is issued, and every call calculates the schedule again. */
	readonly isPreview: boolean;
	readonly invoiceCount: number;
	/** The total of all invoices, except for canceled ones and lines that an amendment credited to invoice again. */
	readonly total: Decimal;
	readonly issued: ReadonlyArray<{ readonly invoice: InvoiceRow; readonly lines: readonly InvoiceLineRow[] }>;
	readonly planned: readonly PlannedInvoice[];
}

/** Returns the schedule (docs/interface/contracts.md). `count` defaults to the largest response. */
export function getInvoiceSchedule(work: Work, refId: string, count = invoicesShownMax): InvoiceScheduleOf {
	const contract = getContract(work, refId);
	assertBilled(contract);
	const issued = invoicesOfContract(work, contract.id);
	const planned = plannedOf(work, contract);
	const shown = issued.slice(0, count);
	const lines = linesByInvoice(work, shown);
	const counted = [...issued.map(({ total }) => total), ...planned.map(({ total }) => total)];
	return {
		isPreview: contract.billingState === "DRAFT",
		invoiceCount: issued.length + planned.length,
		total: toDecimal(sum(counted.map(exact)).minus(reversedAmount(work, contract, issued))),
		issued: shown.map((invoice) => ({ invoice, lines: lines.get(invoice.id) ?? [] })),
		planned: planned.slice(0, Math.max(0, count - issued.length)),
	};
}

/**
 * Returns the part of invoices that no longer counts: canceled invoices, and lines whose cycles an amendment reversed.
 * Other credits do not change the invoiced amount.
 */
function reversedAmount(work: Work, contract: StatedContract, issued: readonly InvoiceRow[]): Big {
	const canceled = issued.filter(({ state }) => state === "CANCELED");
	const credited = withCreditNotes(
		work,
		issued.filter(({ state }) => state !== "CANCELED"),
	);
	if (credited.length === 0) return sum(canceled.map(({ total }) => exact(total)));
	const recorded = new Set(
		billedPeriodsOf(work, contract).map(({ invoiceId, charge, start }) => lineKey(invoiceId, charge.key, start)),
	);
	const reversed = [...linesByInvoice(work, credited)].flatMap(([invoiceId, lines]) =>
		lines.filter(({ basis, periodStart }) => {
			const item = basis?.contractItem;
			return item && !item.isPayAsYouGo && !recorded.has(lineKey(invoiceId, item.itemId, periodStart));
		}),
	);
	return sum([...canceled, ...reversed].map(({ total }) => exact(total)));
}

const lineKey = (invoiceId: string | null, itemId: string, start: number | null): string =>
	`${invoiceId}/${itemId}/${start}`;

/** Returns future invoices; none after the end of billing. */
function plannedOf(work: Work, contract: StatedContract): PlannedInvoice[] {
	const { billingState, refId } = contract;
	if (billingState !== "DRAFT" && billingState !== "ACTIVE") return [];
	const items = withTaxes(work, contract, openItems(work, contract));
	assertSchedulable(refId, items);
	return scheduleOf(items, billingState === "DRAFT" ? draftTerms(work) : liveTerms(work, contract));
}
