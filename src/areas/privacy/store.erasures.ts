import { and, eq, gte, or, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { assert } from "../../kernel/errors";
import { type Page, type PageQuery, readPage } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import type { CustomerRow } from "../customers/table";
import { type Erasing, keptFrom, tokenOf } from "./rules.erasure";
import { type ErasureRow, erasures } from "./table";

export const insertErasure = (work: Work, row: ErasureRow): ErasureRow =>
	work.tx.insert(erasures).values(row).returning().get();

export const findErasure = (work: Work, id: string): ErasureRow | undefined =>
	work.tx
		.select()
		.from(erasures)
		.where(and(eq(erasures.environmentId, work.actor.environmentId), eq(erasures.id, id)))
		.get();

/** Returns the customers of all environments, by row id, that were erased or are being erased. */
export const selectErasedCustomers = (work: Work): Set<string> =>
	new Set(
		work.tx
			.select({ id: erasures.customerId })
			.from(erasures)
			.all()
			.map(({ id }) => id),
	);

/** Whether the customer has this erasure, or one that was requested at or after `since`. */
export const hasErasureSince = (work: Work, customerId: string, id: string, since: Instant): boolean =>
	work.tx
		.select({ id: erasures.id })
		.from(erasures)
		.where(
			and(
				eq(erasures.environmentId, work.actor.environmentId),
				eq(erasures.customerId, customerId),
				or(eq(erasures.id, id), gte(erasures.requestedAt, since)),
			),
		)
		.get() !== undefined;

export function getErasure(work: Work, id: string): ErasureRow {
	const erasure = findErasure(work, id);
	assert(erasure, "an erasure is never deleted");
	return erasure;
}

export const changeErasure = (work: Work, { id }: ErasureRow, changes: Partial<ErasureRow>): void =>
	void work.tx.update(erasures).set(changes).where(eq(erasures.id, id)).run();

export const pageErasures = (work: Work, customerId: string, query: PageQuery): Page<ErasureRow> =>
	readPage(
		query,
		erasures.id,
		(cursor) => findErasure(work, cursor)?.customerId === customerId,
		(beyond, order, rowsMax) =>
			work.tx
				.select()
				.from(erasures)
				.where(and(eq(erasures.environmentId, work.actor.environmentId), eq(erasures.customerId, customerId), beyond))
				.orderBy(order)
				.limit(rowsMax)
				.all(),
	);

/** SQLite overwrites the erased content on the disk (`secure_delete`). */
export function overwriting<T>({ tx }: Work, body: () => T): T {
	tx.all(sql`PRAGMA main.secure_delete = ON`);
	try {
		return body();
	} finally {
		tx.all(sql`PRAGMA main.secure_delete = FAST`);
	}
}

type Subject = Pick<CustomerRow, "id" | "refId">;

/** Erases or deletes up to `rowsMax` remaining rows. Returns their number. */
export function erasePiece(work: Work, customer: Subject, erasing: Erasing, rowsMax: number): number {
	const { table, set } = erasing;
	const piece = sql`rowid IN (SELECT rowid FROM ${sql.identifier(table)} WHERE ${leftOf(work, customer, erasing)} LIMIT ${rowsMax})`;
	if (!set) return rowsOf(work, sql`DELETE FROM ${sql.identifier(table)} WHERE ${piece} RETURNING 1`);
	const assignments = Object.entries(set).map(
		([column, value]) => sql`${sql.identifier(column)} = ${filled(work, customer, value)}`,
	);
	// The PDF of an earlier revision is not served again.
	if (table === "invoices") assignments.push(sql`revision = revision + 1`);
	return rowsOf(
		work,
		sql`UPDATE ${sql.identifier(table)} SET ${sql.join(assignments, sql`, `)} WHERE ${piece} RETURNING 1`,
	);
}

/** Counts the rows that remain to be erased, up to a limit. */
export const countLeft = (work: Work, customer: Subject, erasing: Erasing, rowsMax: number): number =>
	rowsOf(
		work,
		sql`SELECT 1 FROM ${sql.identifier(erasing.table)} WHERE ${leftOf(work, customer, erasing)} LIMIT ${rowsMax}`,
	);

/** Returns the number of retained documents, and the time of the last one. */
export function keptDocuments(work: Work, customer: Subject, { table, where, document }: Erasing) {
	const at = sql.identifier(document ?? "");
	const [found] = work.tx.all<{ rows: number; last: Instant | null }>(
		sql`SELECT count(*) AS rows, max(${at}) AS last FROM ${sql.identifier(table)} WHERE ${filled(work, customer, where)} AND ${at} >= ${keptFrom(work.now)}`,
	);
	return found;
}

/** Returns the number of bucket objects that erasures replaced, and when the last one may be deleted. */
export function replacedObjects(work: Work): { readonly rows: number; readonly last: Instant | null } {
	const [found] = work.tx.all<{ rows: number; last: Instant | null }>(
		sql`SELECT count(*) AS rows, max(delete_at) AS last FROM event_replaced_objects`,
	);
	return found ?? { rows: 0, last: null };
}

/**
 * Returns the reasons why the customer cannot be erased yet, with the id of the first object of each kind. Free
 * subscriptions end with the customer. Paid ones show in its invoices.
 */
export const findObstacles = (work: Work, customer: Subject): ReadonlyArray<{ kind: string; ref: string }> =>
	work.tx.all<{ kind: string; ref: string }>(
		filled(
			work,
			customer,
			`SELECT * FROM (SELECT 'subscription' AS kind, ref_id AS ref FROM subscriptions WHERE customer_id = :customer AND status NOT IN ('CANCELED', 'EXPIRED') AND pricing_type <> 'FREE' LIMIT 1)
			UNION ALL SELECT * FROM (SELECT 'payer', ref_id FROM subscriptions WHERE id IN (SELECT subscription_id FROM invoices WHERE environment_id = :environment AND customer_id = :customer UNION ALL SELECT subscription_id FROM invoice_subscriptions WHERE invoice_id IN (SELECT id FROM invoices WHERE environment_id = :environment AND customer_id = :customer)) AND +paying_customer_id = :customer AND status NOT IN ('CANCELED', 'EXPIRED') LIMIT 1)
			UNION ALL SELECT * FROM (SELECT 'child', ref_id FROM customers WHERE parent_customer_id = :customer AND archived_at IS NULL LIMIT 1)
			UNION ALL SELECT * FROM (SELECT 'contract', ref_id FROM contracts WHERE customer_id = :customer AND archived_at IS NULL AND billing_state IN ('DRAFT', 'ACTIVE') LIMIT 1)
			UNION ALL SELECT * FROM (SELECT 'draft', id FROM invoices WHERE environment_id = :environment AND customer_id = :customer AND sequence = 0 LIMIT 1)`,
		),
	);

/** Returns row ids of the customer's objects with data in the audit log, in order, after one of them. */
export const auditedParts = (work: Work, customer: Subject, after: string, rowsMax: number): string[] =>
	work.tx
		.all<{ id: string }>(
			sql`SELECT id FROM (${filled(
				work,
				customer,
				`SELECT id FROM subscriptions WHERE customer_id = :customer
				UNION ALL SELECT id FROM contracts WHERE customer_id = :customer
				UNION ALL SELECT id FROM invoices WHERE environment_id = :environment AND customer_id = :customer`,
			)}) WHERE id > ${after} ORDER BY id LIMIT ${rowsMax}`,
		)
		.map(({ id }) => id);

/** The stored answer keeps a repeated call from being carried out again. */
const erasedAnswer = JSON.stringify({ data: null, isErased: true });

/** Erases stored answers that contain the customer's id, name or email. Walks through all stored answers in order. */
export function eraseAnswers(work: Work, { id, refId, name, email }: CustomerRow, after: number, rowsMax: number) {
	const { environmentId } = work.actor;
	const walked = work.tx.all<{ rowid: number; environment: string; path: string; answer: string }>(
		sql`SELECT rowid AS rowid, environment_id AS environment, path, answer FROM idempotency_keys WHERE rowid > ${after} ORDER BY rowid LIMIT ${rowsMax}`,
	);
	const quoted = [id, refId, name, email].flatMap((text) => (text === null ? [] : JSON.stringify(text)));
	const segment = encodeURIComponent(refId);
	const held = walked.filter(
		({ environment, path, answer }) =>
			environment === environmentId &&
			answer !== erasedAnswer &&
			!path.endsWith("/erase") &&
			(path.split("/").includes(segment) || quoted.some((text) => answer.includes(text))),
	);
	for (const { rowid } of held)
		work.tx.run(sql`UPDATE idempotency_keys SET answer = ${erasedAnswer} WHERE rowid = ${rowid}`);
	return { changed: held.length, next: walked.length === rowsMax ? walked.at(-1)?.rowid : undefined };
}

/** Tables that have PDFs. A place consists of the table and the last id. */
const printedTables = ["invoices", "credit_notes", "contracts", "receipts"];

/** Returns ids of a customer's documents after a place. `next` is undefined after the last one. */
export function documentsAfter(work: Work, customerId: string, place: string, rowsMax: number) {
	const [table = printedTables[0] ?? "", after = ""] = place === "" ? [] : place.split(" ");
	const rows = work.tx.all<{ id: string }>(
		sql`SELECT id FROM ${sql.identifier(table)} WHERE customer_id IN (SELECT ${customerId} UNION SELECT parent_id FROM customer_parents WHERE customer_id = ${customerId}) AND environment_id = ${work.actor.environmentId} AND id > ${after} ORDER BY id LIMIT ${rowsMax}`,
	);
	const following = printedTables[printedTables.indexOf(table) + 1];
	const beyond = following === undefined ? undefined : `${following} `;
	return { ids: rows.map(({ id }) => id), next: rows.length === rowsMax ? `${table} ${rows.at(-1)?.id}` : beyond };
}

function leftOf(work: Work, customer: Subject, { where, set, document }: Erasing): SQL {
	const due = document === undefined ? sql`` : sql` AND ${sql.identifier(document)} < ${keptFrom(work.now)}`;
	const differs = Object.entries(set ?? {}).map(
		([column, value]) => sql`${sql.identifier(column)} IS NOT ${filled(work, customer, value)}`,
	);
	const left = set ? sql` AND (${sql.join(differs, sql` OR `)})` : sql``;
	return sql`${filled(work, customer, where)}${due}${left}`;
}

const rowsOf = (work: Work, statement: SQL): number => work.tx.all(statement).length;

/** Replaces the placeholders of an expression with parameters of the statement. */
function filled({ actor }: Work, { id, refId }: Subject, text: string): SQL {
	const values: Readonly<Record<string, string>> = {
		...{ ":customer": id, ":environment": actor.environmentId, ":ref": refId, ":token": tokenOf(id) },
	};
	return sql.join(
		text.split(/(:customer|:environment|:ref|:token)/).map((part) => {
			const value = values[part];
			return value === undefined ? sql.raw(part) : sql`${value}`;
		}),
	);
}
