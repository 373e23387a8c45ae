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
 * Returns one page of a customer's invoices (by row id), or of all customers. The default order is by issue date
 * ascending, ties by id. A filter by due date sorts by due date. Source: docs/interface/invoices.md#invoices.
 *
 * The cursor names an invoice, whose sort keys give its position. No sort key ever changes, so a cursor stays valid in every order and
 * while invoices are added.
 */
export function pageInvoices(work: Work, query: InvoiceListQuery, customerId?: string): Page<InvoiceRow> {
	const { orderBy = isAboutDue(query) ? "dueDate" : "issueDate", orderDir = "ASC" } = query;
	const asked = pageRequestOf(query);
	const field = sortColumns[orderBy];
	const cursor = asked.cursor === undefined ? undefined : cursorRow(work, customerId, asked.cursor);
	// A page before a cursor reads the list in reverse.
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
	// For an environment, Tollgate reads the first invoices of each state along the state's index, and merges them.
	const found = states.flatMap((state) => read([state])).sort(inOrder(field, ascending));
	return cutPage(query, found.slice(0, asked.rowsMax));
}

const isAboutDue = ({ dueBefore, overdue }: InvoiceListQuery): boolean =>
	dueBefore !== undefined || overdue !== undefined;

/** Returns whether few invoices match: those of one customer, one contract, one number, or a search. */
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

/**
 * Returns the requested states. Our choice (docs/interface/invoices.md#invoices): a list contains drafts only if the
 * request names DRAFT. Only an OPEN invoice is overdue.
 */
function statesAsked({ stateIn, overdue }: InvoiceListQuery): InvoiceState[] {
	const asked = new Set<InvoiceState>(queryValues(stateIn) ?? issuedStates);
	return [...asked].filter((state) => overdue !== "true" || state === "OPEN");
}

/** Matches numbers by prefix, and ids as a whole. */
const foundBy = (work: Work, text: string): SQL =>
	foundIds(
		invoices.id,
		invoices,
		[beginsWith(invoices.number, text), eq(invoices.id, text)].map((condition) =>
			and(eq(invoices.environmentId, work.actor.environmentId), condition),
		),
	);

/** Returns the filters of a list. Both bounds of the issue date are inclusive (docs/interface/invoices.md). */
function filters(
	work: Work,
	{ contractExternalId, issuedAfter, issuedBefore, dueBefore, number, search, overdue }: InvoiceListQuery,
	field: SortKey,
	states: readonly InvoiceState[],
): Array<SQL | undefined> {
	// In another order, the index by due date would require a sort of the whole list, so `+` disables it.
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
