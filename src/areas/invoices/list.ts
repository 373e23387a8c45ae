import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { instantOf } from "../../kernel/clock";
import { askedPage, cutPage, type Page, unknownCursor } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import type { Work } from "../../kernel/work";
import type { InvoiceListQuery } from "./schema";
import { findCustomersInvoice } from "./store";
import { type InvoiceRow, invoices } from "./table";

const sortColumns = {
	issueDate: "issuedAt",
	dueDate: "dueAt",
	total: "totalHundredths",
} as const satisfies Record<string, keyof InvoiceRow>;

/**
 * One page of a customer's invoices (source: docs/interface/invoices.md, `customers.listInvoices`): by issue date
 * ascending unless asked otherwise, ties by id. The cursor names an invoice; its place under the asked order is read
 * from the invoice itself, and none of the sort keys ever changes, so a cursor stays right under every order and while
 * invoices are added.
 */
export function pageInvoices(work: Work, customerId: string, query: InvoiceListQuery): Page<InvoiceRow> {
	const { orderBy = "issueDate", orderDir = "ASC" } = query;
	const asked = askedPage(query);
	const field = sortColumns[orderBy];
	const cursor = asked.cursor === undefined ? undefined : cursorRow(work, customerId, asked.cursor);
	// Reading back from a cursor runs through the list the other way round.
	const ascending = (orderDir === "ASC") !== asked.isBackward;
	const direction = ascending ? asc : desc;
	const found = work.tx
		.select()
		.from(invoices)
		.where(
			and(
				eq(invoices.environmentId, work.actor.environmentId),
				eq(invoices.customerId, customerId),
				...filters(query),
				cursor && beyond(invoices[field], cursor[field], cursor.id, ascending),
			),
		)
		.orderBy(direction(invoices[field]), direction(invoices.id))
		.limit(asked.rowsMax)
		.all();
	return cutPage(query, found);
}

function cursorRow(work: Work, customerId: string, cursor: string): InvoiceRow {
	const row = findCustomersInvoice(work, customerId, cursor);
	if (!row) throw unknownCursor(cursor);
	return row;
}

const beyond = (column: SQLiteColumn, key: number, id: string, ascending: boolean): SQL =>
	ascending ? sql`(${column}, ${invoices.id}) > (${key}, ${id})` : sql`(${column}, ${invoices.id}) < (${key}, ${id})`;

/** Both date bounds are inclusive (docs/interface/invoices.md). */
function filters({ contractExternalId, issuedAfter, issuedBefore, stateIn }: InvoiceListQuery): Array<SQL | undefined> {
	const states = queryValues(stateIn);
	return [
		contractExternalId === undefined ? undefined : eq(invoices.contractRefId, contractExternalId),
		issuedAfter === undefined ? undefined : gte(invoices.issuedAt, instantOf(issuedAfter)),
		issuedBefore === undefined ? undefined : lte(invoices.issuedAt, instantOf(issuedBefore)),
		states && inArray(invoices.state, states),
	];
}
