import { dryRun } from "../../../kernel/dry-run";
import { type Work, workAt } from "../../../kernel/work";
import { finalizeInvoice } from "../../invoices/drafts/operations";
import { draftsOf, latestInvoiceOf, linesByInvoice } from "../../invoices/operations";
import type { InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import { lateUsageOfSubscription } from "../billing/operations.late-usage";
import { carryOut } from "../lifecycle/operations.due";
import { getSubscription } from "../operations";
import { nextDue } from "../rules.due";
import type { SubscriptionRow } from "../table";

/** Our choice: between two invoices lie a year of monthly credits and some scheduled updates at most. */
const stepsMax = 30;

/** What is reported late of what is over is looked for once. */
const isOver = ({ status }: SubscriptionRow): boolean => status === "CANCELED" || status === "EXPIRED";

export interface NextInvoice {
	readonly invoice: InvoiceRow;
	readonly lines: readonly InvoiceLineRow[];
}

/**
 * What the subscription is invoiced next, if nothing happens but what is due by itself: with the usage that is counted by now.
 * It is done and taken back, as every preview. Undefined where nothing will be invoiced. SubscriptionNotFound, and what keeps a
 * step from being carried out.
 */
export const previewNextInvoice = (work: Work, refId: string): NextInvoice | undefined =>
	dryRun(work, () => {
		const { id } = getSubscription(work, refId);
		const known = new Set(newestOf(work, id).map((one) => one.id));
		for (let steps = 0; steps < stepsMax; steps += 1) {
			const row = getSubscription(work, refId);
			const due = nextDue(row);
			if (!due || (steps > 0 && isOver(row))) return undefined;
			carryOut(work, row, due);
			const added = newestOf(work, id).find((one) => !known.has(one.id));
			if (added) return asIssued(work, added);
		}
		return undefined;
	});

/** The newest that was issued, and the drafts. */
const newestOf = (work: Work, id: string): InvoiceRow[] => {
	const latest = latestInvoiceOf(work, id);
	return [...(latest ? [latest] : []), ...draftsOf(work, id)];
};

/** A draft as it will be issued when its grace period ends. */
function asIssued(work: Work, added: InvoiceRow): NextInvoice {
	const { nextDueAt } = added;
	const invoice = nextDueAt === null ? added : finalizeInvoice(workAt(work, nextDueAt), added, lateUsageOfSubscription);
	return { invoice, lines: linesByInvoice(work, [invoice]).get(invoice.id) ?? [] };
}
