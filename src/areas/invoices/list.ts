import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { parseInstant } from "../../kernel/clock";
import { assert, fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import type { Work } from "../../kernel/work";
import type { InvoiceListQuery } from "./schema";
import { findCustomersInvoice } from "./store";
import { type InvoiceRow, invoices } from "./table";

/** Source: choices.md, page cursors: the same as every list. */
const limitDefault = 20;

const sortColumns = {
	issueDate: "issuedAt",
	dueDate: "dueAt",
	total: "totalHundredths",
} as const satisfies Record<string, keyof InvoiceRow>;

/**
 * One page of a customer's invoices (source: semantics 4, `customers.listInvoices`): by issue date ascending unless asked
 * otherwise, ties by id. The cursor names an invoice; its place under the asked order is read from the invoice itself, and
 * none of the sort keys ever changes, so a cursor stays right under every order and while invoices are added.
 */
export function pageInvoices(work: Work, customerId: string, query: InvoiceListQuery): Page<InvoiceRow> {
	const { after, before, orderBy = "issueDate", orderDir = "ASC" } = query;
	if (after && before) throw fail("BadUserInput", "Give either 'after' or 'before', not both.");
	const limit = query.limit === undefined ? limitDefault : Number(query.limit);
	const field = sortColumns[orderBy];
	const given = before ?? after;
	const cursor = given === undefined ? undefined : cursorRow(work, customerId, given);
	// Reading back from a cursor runs through the list the other way round.
	const ascending = (orderDir === "ASC") !== (before !== undefined);
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
		// One row more than asked tells whether the list goes on.
		.limit(limit + 1)
		.all();
	const goesOn = found.length > limit;
	const rows = found.slice(0, limit);
	if (before) rows.reverse();
	return {
		rows,
		next: before || goesOn ? (rows.at(-1)?.id ?? null) : null,
		prev: after || (before && goesOn) ? (rows.at(0)?.id ?? null) : null,
	};
}

function cursorRow(work: Work, customerId: string, cursor: string): InvoiceRow {
	const row = findCustomersInvoice(work, customerId, cursor);
	if (!row)
		throw fail(
			"BadUserInput",
			`The cursor '${cursor}' is unknown; use 'pagination.next' or 'pagination.prev' of an earlier page.`,
		);
	return row;
}

const beyond = (column: SQLiteColumn, key: number, id: string, ascending: boolean): SQL =>
	ascending ? sql`(${column}, ${invoices.id}) > (${key}, ${id})` : sql`(${column}, ${invoices.id}) < (${key}, ${id})`;

/** Both date bounds are inclusive (semantics 4). */
function filters({ contractExternalId, issuedAfter, issuedBefore, stateIn }: InvoiceListQuery): Array<SQL | undefined> {
	const states = queryValues(stateIn);
	return [
		contractExternalId === undefined ? undefined : eq(invoices.contractRefId, contractExternalId),
		issuedAfter === undefined ? undefined : gte(invoices.issuedAt, instantOf(issuedAfter)),
		issuedBefore === undefined ? undefined : lte(invoices.issuedAt, instantOf(issuedBefore)),
		states && inArray(invoices.state, states),
	];
}

function instantOf(text: string) {
	const at = parseInstant(text);
	assert(at !== undefined, "the schema has checked the instant");
	return at;
}
