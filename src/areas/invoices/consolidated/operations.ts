import type { Decimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { recordUses } from "../../coupons/operations.uses";
import { issuerOf } from "../../legal-entities/operations";
import { termsOfDraft } from "../drafts/rules";
import { issuerAsParty } from "../issuer";
import type { NewInvoice } from "../new-documents";
import { totalsOf } from "../rules";
import { appendLines, changeInvoice, insertInvoice } from "../store";
import type { InvoiceRow } from "../table";
import { addTotals, hasRoom, joinHeads } from "./rules";
import {
	countLines,
	insertConsolidated,
	saveMember,
	selectCollecting,
	selectConsolidated,
	selectMembers,
	selectMemberships,
} from "./store";
import type { CollectionMethod, InvoiceSubscriptionRow } from "./table";

/** The bill of a subscription that is due now. Its lines name the subscription. */
export interface DueBill extends Omit<NewInvoice, "issuedAt" | "paidAt" | "poNumber" | "notes"> {
	readonly subscriptionId: string;
	readonly subscriptionRefId: string;
	/** The method by which it shares an invoice with others. */
	readonly groupedBy: CollectionMethod;
	readonly taxPercentage: Decimal | null;
}

/**
 * Adds the bill of a subscription to the invoice of all that falls due now for this payer, in the same currency, by the same legal
 * entity, collection method, net terms, billing details and contract. The first one creates it as a draft. `dueConsolidated` issues it
 * after the last subscription of this instant, or `dueDrafts` at the end of the grace period. Throws AmountTooLarge.
 */
export function addToConsolidated(work: Work, bill: DueBill): InvoiceRow {
	const invoice = joinInvoice(work, bill) ?? startInvoice(work, bill);
	const { subscriptionId, subscriptionRefId, taxPercentage } = bill;
	saveMember(work, { invoiceId: invoice.id, subscriptionId, subscriptionRefId, taxPercentage });
	recordUses(work, invoice, bill.lines);
	return invoice;
}

function joinInvoice(work: Work, bill: DueBill): InvoiceRow | undefined {
	const totals = totalsOf(bill);
	const {
		customerId,
		currency,
		contractId = null,
		contractRefId = null,
		groupedBy,
		collectionMethod = null,
		stated = {},
	} = bill;
	const { legalEntityId, issuedAt, dueAt } = termsOf(work, bill);
	const shared = {
		customerId,
		currency,
		legalEntityId,
		issuedAt,
		dueAt,
		contractId,
		contractRefId,
		collectionMethod: groupedBy,
	};
	for (const draft of selectCollecting(work, shared)) {
		const linesCount = countLines(work, draft);
		if (draft.collectionMethod !== collectionMethod) continue;
		if (!Bun.deepEquals(draft.stated ?? {}, stated)) continue;
		if (!hasRoom(draft, linesCount, { ...totals, linesCount: bill.lines.length })) continue;
		appendLines(work, draft, bill.lines, linesCount, false);
		return changeInvoice(work, draft, { ...addTotals(draft, totals), ...joinHeads(draft, headOf(bill)) });
	}
	return undefined;
}

function startInvoice(work: Work, bill: DueBill): InvoiceRow {
	const { nextDueAt, ...terms } = termsOf(work, bill);
	const hasGracePeriod = nextDueAt > work.now;
	const draft = insertInvoice(
		work,
		{
			...terms,
			...headOf(bill),
			...totalsOf(bill),
			customerId: bill.customerId,
			subscriptionId: null,
			contractId: bill.contractId ?? null,
			contractRefId: bill.contractRefId ?? null,
			billingReason: bill.billingReason,
			currency: bill.currency,
			// Each line has its own.
			taxPercentage: null,
			poNumber: null,
			notes: null,
			customFields: bill.customFields ?? {},
			collectionMethod: bill.collectionMethod ?? null,
			issuer: issuerAsParty(issuerOf(work, bill.legalEntityId ?? null)),
			customer: bill.customer,
			nextDueAt: hasGracePeriod ? nextDueAt : null,
		},
		bill.lines,
	);
	insertConsolidated(work, {
		invoiceId: draft.id,
		collectionMethod: bill.groupedBy,
		nextDueAt: hasGracePeriod ? null : work.now,
	});
	work.wake("scheduler");
	return draft;
}

/** Returns the subscriptions that a consolidated invoice charges; none of another one. */
export const membersOf = (work: Work, { id }: Pick<InvoiceRow, "id">): InvoiceSubscriptionRow[] =>
	selectMembers(work, [id]);

/** Returns the ids of the consolidated invoices that charge a subscription (row id), drafts included. */
export const consolidatedOf = (work: Work, subscriptionId: string): string[] =>
	selectMemberships(work, [subscriptionId]).map(({ invoiceId }) => invoiceId);

export const isConsolidated = (work: Work, { id }: Pick<InvoiceRow, "id">): boolean =>
	selectConsolidated(work, [id]).length > 0;

const termsOf = (work: Work, bill: DueBill) => termsOfDraft(bill, issuerOf(work, bill.legalEntityId ?? null), work.now);

const headOf = ({ period, discountLabel = null, discountPercent = null }: DueBill) => ({
	periodStart: period?.start ?? null,
	periodEnd: period?.end ?? null,
	discountLabel,
	discountPercent,
});
