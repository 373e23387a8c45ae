import { and, asc, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import { toDecimal, zero } from "../../kernel/decimal";
import { amongIds, changeRow, idsIn, insertRow, insertRows, reviseRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { invoiceChanged, invoiceIssued } from "./events";
import type { NewInvoiceLine } from "./new-documents";
import { lineTotal } from "./rules";
import { sealOfInvoice, sealOfLines } from "./rules.seal";
import { type InvoiceLineRow, type InvoiceRow, invoiceLines, invoiceSequences, invoices, type LineRow } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(invoices.environmentId, actor.environmentId);

/** Returns the next number of this environment. It is part of the caller's transaction; a rollback releases it. */
export const nextSequence = (work: Work): number =>
	work.prepared(counted).get({ environmentId: work.actor.environmentId }).last;

const counted = (tx: Transaction) =>
	tx
		.insert(invoiceSequences)
		.values({ environmentId: sql.placeholder("environmentId"), last: 1 })
		.onConflictDoUpdate({ target: invoiceSequences.environmentId, set: { last: sql`${invoiceSequences.last} + 1` } })
		.returning({ last: invoiceSequences.last })
		.prepare();

export function insertInvoice(
	work: Work,
	invoice: Omit<
		InvoiceRow,
		"id" | "environmentId" | "revision" | "canceledAt" | "createdAt" | "updatedAt" | "linesSeal" | "seal"
	>,
	lines: readonly NewInvoiceLine[],
): InvoiceRow {
	const { environmentId } = work.actor;
	const lineRows = lines.map((line, position) => lineColumnsOf({ ...invoice, environmentId }, line, position));
	const unsealed = {
		...invoice,
		id: work.newId(),
		environmentId,
		revision: 1,
		canceledAt: null,
		linesSeal: invoice.state === "DRAFT" ? null : sealOfLines(lineRows),
		createdAt: work.now,
		updatedAt: work.now,
	};
	const seal = invoice.state === "DRAFT" ? null : sealOfInvoice(unsealed);
	const row = insertRow(work, invoices, { ...unsealed, seal });
	insertRows(
		work,
		invoiceLines,
		lineRows.map((line) => ({ invoiceId: row.id, isManual: false, ...line })),
	);
	invoiceIssued(work, row);
	return row;
}

/** Appends lines to a draft; issued invoices never get more lines. */
export const appendLines = (
	work: Work,
	invoice: InvoiceRow,
	lines: readonly NewInvoiceLine[],
	from: number,
	isManual: boolean,
): void =>
	insertRows(
		work,
		invoiceLines,
		lines.map((line, at) => ({ invoiceId: invoice.id, isManual, ...lineColumnsOf(invoice, line, from + at) })),
	);

/** Deletes a line; the lines after it move up. */
export function deleteLine(work: Work, { invoiceId, position }: InvoiceLineRow): void {
	const { environmentId } = work.actor;
	const at = (of: number) =>
		and(
			eq(invoiceLines.environmentId, environmentId),
			eq(invoiceLines.invoiceId, invoiceId),
			eq(invoiceLines.position, of),
		);
	work.tx.delete(invoiceLines).where(at(position)).run();
	const count = linesOf(work, [invoiceId]).length;
	for (let next = position; next < count; next += 1)
		work.tx
			.update(invoiceLines)
			.set({ position: next })
			.where(at(next + 1))
			.run();
}

/** Returns the first draft whose grace period ends at that time. */
export const firstDraftDueAt = (work: Work, dueAt: Instant): InvoiceRow | undefined =>
	work.tx
		.select()
		.from(invoices)
		.where(and(inEnvironment(work), eq(invoices.nextDueAt, dueAt)))
		.orderBy(asc(invoices.id))
		.limit(1)
		.get();

/** Returns the drafts of a subscription, oldest first. */
export const draftsOfSubscription = (work: Work, subscriptionId: string): InvoiceRow[] =>
	work.tx
		.select()
		.from(invoices)
		.where(and(inEnvironment(work), eq(invoices.subscriptionId, subscriptionId), eq(invoices.sequence, 0)))
		.orderBy(asc(invoices.id))
		.all();

/** Returns the columns of a line, which all documents share. */
export const lineColumnsOf = (
	{ environmentId, taxPercentage }: Pick<InvoiceRow, "environmentId" | "taxPercentage">,
	line: NewInvoiceLine,
	position: number,
): LineRow => ({
	environmentId,
	position,
	kind: line.kind,
	description: line.description,
	wording: line.wording ?? null,
	quantity: line.quantity,
	unit: line.unit ?? null,
	unitPrice: line.unitPrice,
	tiers: line.tiers ?? null,
	amount: line.amount,
	discount: line.discount ?? zero,
	tax: line.tax ?? zero,
	total: toDecimal(lineTotal(line)),
	taxPercentage: line.taxPercentage === undefined ? taxPercentage : line.taxPercentage,
	taxes: line.taxes ?? null,
	discounts: line.discounts ?? null,
	periodStart: line.period?.start ?? null,
	periodEnd: line.period?.end ?? null,
	productRefId: line.productRefId ?? null,
	featureRefId: line.featureRefId ?? null,
	addonRefId: line.addonRefId ?? null,
	customerRefId: line.customerRefId ?? null,
	subscriptionRefId: line.subscriptionRefId ?? null,
	basis: line.basis ?? null,
	chargeId: line.chargeId ?? null,
});

export const findInvoice = (work: Work, id: string): InvoiceRow | undefined =>
	work.prepared(byId).get({ environmentId: work.actor.environmentId, id });

const byId = (tx: Transaction) =>
	tx
		.select()
		.from(invoices)
		.where(and(eq(invoices.environmentId, sql.placeholder("environmentId")), eq(invoices.id, sql.placeholder("id"))))
		.prepare();

export const selectInvoices = (work: Work, ids: readonly string[]): InvoiceRow[] =>
	ids.length === 0 ? [] : work.prepared(invoicesAmong).all(idsIn(work, ids));

const invoicesAmong = (tx: Transaction) =>
	tx.select().from(invoices).where(amongIds(invoices.environmentId, invoices.id)).prepare();

export const findCustomersInvoice = (work: Work, customerId: string, id: string): InvoiceRow | undefined =>
	work.tx
		.select()
		.from(invoices)
		.where(and(inEnvironment(work), eq(invoices.customerId, customerId), eq(invoices.id, id)))
		.get();

export const latestOfSubscriptions = (work: Work, subscriptionIds: readonly string[]): InvoiceRow[] =>
	work.prepared(latestBySubscription).all(idsIn(work, subscriptionIds));

export const latestOfContracts = (work: Work, contractIds: readonly string[]): InvoiceRow[] =>
	work.prepared(latestByContract).all(idsIn(work, contractIds));

const latestBySubscription = (tx: Transaction) => latestOf(tx, "subscriptionId");
const latestByContract = (tx: Transaction) => latestOf(tx, "contractId");

/**
 * Reads the newest invoice with one seek for each subscription or contract. Only the inner query names the environment: in the outer
 * one it would take precedence over the ids, and every invoice of the environment would be read.
 */
const latestOf = (tx: Transaction, owner: "subscriptionId" | "contractId") => {
	const latest = alias(invoices, "latest");
	const newest = tx
		.select({ id: latest.id })
		.from(latest)
		.where(
			and(
				eq(latest.environmentId, sql.placeholder("environmentId")),
				eq(latest[owner], sql`asked.value`),
				gt(latest.sequence, 0),
			),
		)
		.orderBy(desc(latest.sequence))
		.limit(1);
	const asked = sql`json_each(${sql.placeholder("ids")}) AS asked`;
	return tx.select().from(invoices).where(sql`${invoices.id} IN (SELECT ${newest} FROM ${asked})`).prepare();
};

/** Returns the invoices of a contract in the order of issue, drafts last. */
export const selectOfContract = (work: Work, contractId: string): InvoiceRow[] =>
	work.tx
		.select()
		.from(invoices)
		.where(and(inEnvironment(work), eq(invoices.contractId, contractId)))
		.orderBy(asc(sql`${invoices.sequence} = 0`), asc(invoices.sequence), asc(invoices.id))
		.all();

/** Returns the invoices of all these subscriptions in the order of issue. */
export const selectOfSubscriptions = (work: Work, subscriptionIds: readonly string[]): InvoiceRow[] =>
	work.tx
		.select()
		.from(invoices)
		.where(and(inEnvironment(work), inArray(invoices.subscriptionId, [...subscriptionIds])))
		.orderBy(asc(invoices.sequence))
		.all();

/** Changes an invoice. Every change raises the revision, so that Tollgate never serves a PDF of an earlier one. */
export function changeInvoice(
	work: Work,
	before: InvoiceRow,
	changes: Partial<
		Omit<
			InvoiceRow,
			"id" | "environmentId" | "customerId" | "revision" | "createdAt" | "updatedAt" | "linesSeal" | "seal"
		>
	>,
): InvoiceRow {
	const changed = reviseRow(work, invoices, before.id, { ...changes, updatedAt: work.now });
	const row = sealedAgain(work, before, changed);
	invoiceChanged(work, before, row);
	return row;
}

/** Returns the row with an updated seal. A draft gets its seal at issue. An invoice that was issued without a seal stays without. */
function sealedAgain(work: Work, before: InvoiceRow, row: InvoiceRow): InvoiceRow {
	const isIssuedNow = before.state === "DRAFT" && row.state !== "DRAFT";
	if (row.linesSeal === null && !isIssuedNow) return row;
	const linesSeal = row.linesSeal ?? sealOfLines(linesOf(work, [row.id]));
	return changeRow(work, invoices, row.id, { linesSeal, seal: sealOfInvoice({ ...row, linesSeal }) });
}

/** Returns the lines of several invoices, in the order of the document; the caller groups them. */
export const linesOf = (work: Work, invoiceIds: readonly string[]): InvoiceLineRow[] =>
	invoiceIds.length === 0 ? [] : work.prepared(linesAmong).all(idsIn(work, invoiceIds));

const linesAmong = (tx: Transaction) =>
	tx
		.select()
		.from(invoiceLines)
		.where(amongIds(invoiceLines.environmentId, invoiceLines.invoiceId))
		.orderBy(asc(invoiceLines.invoiceId), asc(invoiceLines.position))
		.prepare();
