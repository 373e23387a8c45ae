import type { Instant } from "../../../kernel/clock";
import { dryRun } from "../../../kernel/dry-run";
import { type Work, workAt } from "../../../kernel/work";
import { invoiceSeparately } from "../../customers/operations";
import type { CustomerRow } from "../../customers/table";
import { consolidatedOf } from "../../invoices/consolidated/operations";
import { finalizeInvoice, issueDraft } from "../../invoices/drafts/operations";
import { draftsOf, invoicesByIds, latestInvoiceOf, linesByInvoice } from "../../invoices/operations";
import type { InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import { lateUsageOfSubscription } from "../billing/operations.late-usage";
import { partiesOf } from "../billing/payer";
import { runStep, runStepsOfPayer } from "../lifecycle/operations.due";
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
	/** Whether the lines of all subscriptions are there that share the invoice. */
	readonly isComplete: boolean;
}

/**
 * Previews the next invoice of a subscription without further changes, with the usage counted until now. It runs due
 * steps and rolls them back. Where the payer's subscriptions share the invoice, it has the lines of all of them. Returns undefined if no
 * invoice will follow. Throws SubscriptionNotFound, and the codes of a failing step.
 */
export function previewNextInvoice(work: Work, refId: string): NextInvoice | undefined {
	const subscription = getSubscription(work, refId);
	const { paying } = partiesOf(work, subscription);
	const own = dryRun(work, () => ownInvoice(work, subscription, paying));
	if (!own || paying.invoiceGrouping !== "CONSOLIDATED") return own?.next;
	return dryRun(work, () => sharedInvoice(work, subscription, paying, own.at)) ?? own.next;
}

/** Runs the steps of a subscription until it has another invoice, which it does not share. */
function ownInvoice(
	work: Work,
	{ id, refId }: SubscriptionRow,
	paying: CustomerRow,
): { readonly next: NextInvoice; readonly at: Instant } | undefined {
	invoiceSeparately(work, paying);
	const known = new Set(newestOf(work, id).map((one) => one.id));
	for (let steps = 0; steps < stepsMax; steps += 1) {
		const row = getSubscription(work, refId);
		const due = nextDue(row);
		if (!due || (steps > 0 && isOver(row))) return undefined;
		runStep(work, row, due);
		const added = newestOf(work, id).find((one) => !known.has(one.id));
		if (added) return { next: asIssued(work, added), at: due.at };
	}
	return undefined;
}

/**
 * Runs the steps of all subscriptions that a customer pays, up to a time, and issues the invoice that one of them shares then. Undefined if
 * it shares none: its steps do not fit in the bound, or it makes an invoice of its own.
 */
function sharedInvoice(
	work: Work,
	{ id }: SubscriptionRow,
	paying: CustomerRow,
	until: Instant,
): NextInvoice | undefined {
	const known = new Set(consolidatedOf(work, id));
	const { isComplete } = runStepsOfPayer(work, paying.id, until);
	const [joined] = invoicesByIds(
		work,
		consolidatedOf(work, id).filter((one) => !known.has(one)),
	).values();
	if (!joined) return undefined;
	if (joined.nextDueAt !== null) return { ...asIssued(work, joined), isComplete };
	const invoice = issueDraft(workAt(work, until), joined);
	return { invoice, lines: linesOf(work, invoice), isComplete };
}

/** Returns the latest issued invoice and the drafts. */
const newestOf = (work: Work, id: string): InvoiceRow[] => {
	const latest = latestInvoiceOf(work, id);
	return [...(latest ? [latest] : []), ...draftsOf(work, id)];
};

/** Finalizes a draft as at the end of its grace period. */
function asIssued(work: Work, added: InvoiceRow): NextInvoice {
	const { nextDueAt } = added;
	const invoice = nextDueAt === null ? added : finalizeInvoice(workAt(work, nextDueAt), added, lateUsageOfSubscription);
	return { invoice, lines: linesOf(work, invoice), isComplete: true };
}

const linesOf = (work: Work, invoice: InvoiceRow): InvoiceLineRow[] =>
	linesByInvoice(work, [invoice]).get(invoice.id) ?? [];
