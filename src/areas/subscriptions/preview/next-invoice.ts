import { dryRun } from "../../../kernel/dry-run";
import { type Work, workAt } from "../../../kernel/work";
import { invoiceSeparately } from "../../customers/operations";
import { finalizeInvoice } from "../../invoices/drafts/operations";
import { draftsOf, latestInvoiceOf, linesByInvoice } from "../../invoices/operations";
import type { InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import { lateUsageOfSubscription } from "../billing/operations.late-usage";
import { partiesOf } from "../billing/payer";
import { runStep } from "../lifecycle/operations.due";
import { getSubscription } from "../operations";
import { nextDue } from "../rules.due";
import type { SubscriptionRow } from "../table";

/** Enough for a year of monthly credits and some scheduled updates between two invoices. */
const stepsMax = 30;

/** Late usage of an ended subscription is checked once. */
const isOver = ({ status }: SubscriptionRow): boolean => status === "CANCELED" || status === "EXPIRED";

export interface NextInvoice {
	readonly invoice: InvoiceRow;
	readonly lines: readonly InvoiceLineRow[];
}

/**
 * Previews the next invoice of a subscription without further changes, with the usage counted until now. It runs due
 * steps and rolls them back. A consolidated invoice is shown with the lines of this subscription. Returns undefined if no invoice will follow. Throws SubscriptionNotFound, and the codes of a
 * failing step.
 */
export const previewNextInvoice = (work: Work, refId: string): NextInvoice | undefined =>
	dryRun(work, () => {
		const subscription = getSubscription(work, refId);
		const { id } = subscription;
		invoiceSeparately(work, partiesOf(work, subscription).paying);
		const known = new Set(newestOf(work, id).map((one) => one.id));
		for (let steps = 0; steps < stepsMax; steps += 1) {
			const row = getSubscription(work, refId);
			const due = nextDue(row);
			if (!due || (steps > 0 && isOver(row))) return undefined;
			runStep(work, row, due);
			const added = newestOf(work, id).find((one) => !known.has(one.id));
			if (added) return asIssued(work, added);
		}
		return undefined;
	});

/** Returns the latest issued invoice and the drafts. */
const newestOf = (work: Work, id: string): InvoiceRow[] => {
	const latest = latestInvoiceOf(work, id);
	return [...(latest ? [latest] : []), ...draftsOf(work, id)];
};

/** Finalizes a draft as at the end of its grace period. */
function asIssued(work: Work, added: InvoiceRow): NextInvoice {
	const { nextDueAt } = added;
	const invoice = nextDueAt === null ? added : finalizeInvoice(workAt(work, nextDueAt), added, lateUsageOfSubscription);
	return { invoice, lines: linesByInvoice(work, [invoice]).get(invoice.id) ?? [] };
}
