import { type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { findCustomer, getCustomer } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import { amountsDue, getCustomersInvoice, getInvoicedCustomer } from "../invoices/operations";
import { assertIssued, isOverdue } from "../invoices/rules";
import type { InvoiceRow } from "../invoices/table";
import type { DunningCaseListQuery, DunningMailListQuery } from "./schema";
import { pageCases, pageMails, selectCasesOf, selectOpenInvoices, selectSteps } from "./store";
import type { DunningCaseRow, DunningMailRow, DunningStepRow } from "./table";

/** The open invoices that one response shows. Our bound. */
const shownMax = 100;

/** Our bound on the open invoices whose amounts are added up. */
const summedMax = 10_000;

/** An invoice with what is due of it, and its case. */
export interface Collected {
	readonly invoice: InvoiceRow;
	readonly amountDue: Decimal;
	readonly row: DunningCaseRow | undefined;
}

export interface CollectionOfCustomer {
	readonly customer: CustomerRow;
	readonly due: ReadonlyArray<{ readonly currency: string; readonly amount: Decimal; readonly overdue: Decimal }>;
	readonly collected: readonly Collected[];
	readonly hasMore: boolean;
}

/** Returns what is due of a customer. Throws CustomerNotFound. */
export function collectionOf(work: Work, customerRef: string): CollectionOfCustomer {
	const customer = getInvoicedCustomer(work, customerRef);
	const open = selectOpenInvoices(work, customer.id, summedMax);
	const due = amountsDue(work, open);
	const dueOf = ({ id }: InvoiceRow) => exact(due.get(id) ?? zero);
	const shown = open.slice(0, shownMax);
	return {
		customer,
		due: [...Map.groupBy(open, ({ currency }) => currency)].map(([currency, invoices]) => ({
			currency,
			amount: toDecimal(sum(invoices.map(dueOf))),
			overdue: toDecimal(sum(invoices.filter((invoice) => isOverdue(invoice, work.now)).map(dueOf))),
		})),
		collected: collect(work, shown),
		hasMore: open.length > shown.length,
	};
}

/** Returns invoices with their cases, in the given order. */
export function collect(work: Work, invoices: readonly InvoiceRow[]): Collected[] {
	const due = amountsDue(work, invoices);
	const cases = selectCasesOf(
		work,
		invoices.map(({ id }) => id),
	);
	const byInvoice = new Map(cases.map((row) => [row.invoiceId, row]));
	return invoices.map((invoice) => ({
		invoice,
		amountDue: due.get(invoice.id) ?? zero,
		row: byInvoice.get(invoice.id),
	}));
}

/** Returns an issued invoice of a customer. Throws CustomerNotFound, InvoiceNotFound, and BillingInvoiceStatusError for a draft. */
export function getCollectedInvoice(work: Work, customerRef: string, invoiceRef: string): InvoiceRow {
	const invoice = getCustomersInvoice(work, getInvoicedCustomer(work, customerRef), invoiceRef);
	assertIssued(invoice);
	return invoice;
}

export const stepsOf = (work: Work, row: DunningCaseRow | undefined): DunningStepRow[] =>
	row ? selectSteps(work, [row.id]) : [];

/** Lists cases, newest first. An unknown customer has none. */
export const listCases = (work: Work, query: DunningCaseListQuery): Page<DunningCaseRow> =>
	pageCases(work, query, query.customerId === undefined ? undefined : (findCustomer(work, query.customerId)?.id ?? ""));

/** Lists the reminders of a customer, newest first. Throws CustomerNotFound. */
export const listMails = (work: Work, customerRef: string, query: DunningMailListQuery): Page<DunningMailRow> =>
	pageMails(work, getCustomer(work, customerRef).id, query);
