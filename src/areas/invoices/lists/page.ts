import { and, asc, desc, eq, gte, inArray, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Instant, instantOf } from "../../../kernel/clock";
import { cutPage, type Page, pageRequestOf, unknownCursor } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import { beginsWith, foundIds } from "../../../kernel/search";
import type { Work } from "../../../kernel/work";
import { overdueUntil } from "../rules";
import { type InvoiceListQuery, type InvoiceState, issuedStates } from "../schema";
import { findCustomersInvoice, findInvoice } from "../store";
import { type InvoiceRow, invoices } from "../table";

const sortColumns = {
	issueDate: "issuedAt",
	dueDate: "dueAt",
	total: "totalHundredths",
} as const satisfies Record<string, keyof InvoiceRow>;

type SortKey = (typeof sortColumns)[keyof typeof sortColumns];

/**
 * One page of a customer's invoices (its row id; source: docs/interface/invoices.md, `customers.listInvoices`), or of all
 * customers' where none is given: by issue date ascending unless asked otherwise, ties by id; what is asked for by its due
 * date, by that. The cursor names an invoice; its place under the asked order is read from the invoice itself, and none of
 * the sort keys ever changes, so a cursor stays right under every order and while invoices are added.
 */
export function pageInvoices(work: Work, query: InvoiceListQuery, customerId?: string): Page<InvoiceRow> {
	const { orderBy = isAboutDue(query) ? "dueDate" : "issueDate", orderDir = "ASC" } = query;
	const asked = pageRequestOf(query);
	const field = sortColumns[orderBy];
	const cursor = asked.cursor === undefined ? undefined : cursorRow(work, customerId, asked.cursor);
	// Reading back from a cursor runs through the list the other way round.
	const ascending = (orderDir === "ASC") !== asked.isBackward;
	const direction = ascending ? asc : desc;
	const states = statesAsked(query);
	const read = (of: readonly InvoiceState[]): InvoiceRow[] =>
		work.tx
			.select()
			.from(invoices)
			.where(
				and(
					eq(invoices.environmentId, work.actor.environmentId),
					customerId === undefined ? undefined : eq(invoices.customerId, customerId),
					...filters(work, query, field, of),
					cursor && beyond(invoices[field], cursor[field], cursor.id, ascending),
				),
			)
			.orderBy(direction(invoices[field]), direction(invoices.id))
			.limit(asked.rowsMax)
			.all();
	if (isNarrow(query, customerId)) return cutPage(query, read(states));
	// Of a whole environment: the first of each state along the state's index, and of those the first.
	const found = states.flatMap((state) => read([state])).sort(inOrder(field, ascending));
	return cutPage(query, found.slice(0, asked.rowsMax));
}

const isAboutDue = ({ dueBefore, overdue }: InvoiceListQuery): boolean =>
	dueBefore !== undefined || overdue !== undefined;

/** Few invoices are of one customer, of one contract, or of one number, and no more are found by a search. */
const isNarrow = ({ contractExternalId, number, search }: InvoiceListQuery, customerId: string | undefined): boolean =>
	customerId !== undefined || contractExternalId !== undefined || number !== undefined || search !== undefined;

const inOrder = (field: SortKey, ascending: boolean) => (one: InvoiceRow, other: InvoiceRow) =>
	(one[field] - other[field] || (one.id < other.id ? -1 : 1)) * (ascending ? 1 : -1);

function cursorRow(work: Work, customerId: string | undefined, cursor: string): InvoiceRow {
	const row = customerId === undefined ? findInvoice(work, cursor) : findCustomersInvoice(work, customerId, cursor);
	if (!row) throw unknownCursor(cursor);
	return row;
}

const beyond = (column: SQLiteColumn, key: number, id: string, ascending: boolean): SQL =>
	ascending ? sql`(${column}, ${invoices.id}) > (${key}, ${id})` : sql`(${column}, ${invoices.id}) < (${key}, ${id})`;

/** Drafts only where they are asked for (our choice: the interface knows none). Only what is OPEN is overdue. */
function statesAsked({ stateIn, overdue }: InvoiceListQuery): InvoiceState[] {
	const asked = new Set<InvoiceState>(queryValues(stateIn) ?? issuedStates);
	return [...asked].filter((state) => overdue !== "true" || state === "OPEN");
}

/** Numbers that begin so, and the id as a whole. */
const foundBy = (work: Work, text: string): SQL =>
	foundIds(
		invoices.id,
		invoices,
		[beginsWith(invoices.number, text), eq(invoices.id, text)].map((condition) =>
			and(eq(invoices.environmentId, work.actor.environmentId), condition),
		),
	);

/** Both bounds of the issue are inclusive (docs/interface/invoices.md). */
function filters(
	work: Work,
	{ contractExternalId, issuedAfter, issuedBefore, dueBefore, number, search, overdue }: InvoiceListQuery,
	field: SortKey,
	states: readonly InvoiceState[],
): Array<SQL | undefined> {
	// Walked in another order, the list is not looked up by its due date, which would have to be sorted as a whole.
	const dueAt = field === "dueAt" ? sql`${invoices.dueAt}` : sql`+${invoices.dueAt}`;
	const passed: Instant = overdueUntil(work.now);
	const [only] = states;
	return [
		contractExternalId === undefined ? undefined : eq(invoices.contractRefId, contractExternalId),
		number === undefined ? undefined : eq(invoices.number, number),
		search === undefined ? undefined : foundBy(work, search),
		issuedAfter === undefined ? undefined : gte(invoices.issuedAt, instantOf(issuedAfter)),
		issuedBefore === undefined ? undefined : lte(invoices.issuedAt, instantOf(issuedBefore)),
		dueBefore === undefined ? undefined : lt(dueAt, instantOf(dueBefore)),
		states.length === 1 && only ? eq(invoices.state, only) : inArray(invoices.state, [...states]),
		overdue === "true" ? lt(dueAt, passed) : undefined,
		overdue === "false" ? sql`(${invoices.state} <> 'OPEN' or +${invoices.dueAt} >= ${passed})` : undefined,
	];
}
