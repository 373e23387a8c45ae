import { and, asc, eq, gt, inArray } from "drizzle-orm";
import type { Work } from "../../kernel/work";
import { type InvoiceRow, invoices } from "../invoices/table";
import { outboxNotices } from "../outbox/table";
import { type DunningCaseRow, dunningCases } from "./table";

/** The rows that the check reads at once. */
const pageRows = 500;

export const selectCasesAfter = ({ tx, actor }: Work, after: string): DunningCaseRow[] =>
	tx
		.select()
		.from(dunningCases)
		.where(and(eq(dunningCases.environmentId, actor.environmentId), gt(dunningCases.id, after)))
		.orderBy(asc(dunningCases.id))
		.limit(pageRows)
		.all();

/** Returns invoices of any state after an id; the check reads the OPEN ones of them. */
export const selectInvoicesAfter = ({ tx, actor }: Work, after: string): InvoiceRow[] =>
	tx
		.select()
		.from(invoices)
		.where(and(eq(invoices.environmentId, actor.environmentId), gt(invoices.id, after)))
		.orderBy(asc(invoices.id))
		.limit(pageRows)
		.all();

/** Returns whether the case of an invoice has yet to follow the invoice or its charges. */
export const hasNotice = ({ tx }: Work, invoiceId: string): boolean =>
	tx
		.select({ type: outboxNotices.type })
		.from(outboxNotices)
		.where(
			and(eq(outboxNotices.entityId, invoiceId), inArray(outboxNotices.type, ["dunning.follow", "dunning.charge"])),
		)
		.limit(1)
		.get() !== undefined;
