import { and, asc, eq, sql } from "drizzle-orm";
import { type Page, type PageQuery, readTablePage } from "../../kernel/page";
import { amongIds, changeRow, idsIn, insertRow, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { type CreditorRow, directDebitCreditors, type MandateRow, mandates } from "./table";

const { placeholder } = sql;

type New<Row> = Omit<Row, "id" | "environmentId" | "createdAt" | "updatedAt">;

export const findCreditor = ({ tx, actor }: Work, legalEntityId: string): CreditorRow | undefined =>
	tx
		.select()
		.from(directDebitCreditors)
		.where(
			and(
				eq(directDebitCreditors.environmentId, actor.environmentId),
				eq(directDebitCreditors.legalEntityId, legalEntityId),
			),
		)
		.get();

/** Each legal entity has at most one, so they are few. */
export const selectCreditors = ({ tx, actor }: Work): CreditorRow[] =>
	tx.select().from(directDebitCreditors).where(eq(directDebitCreditors.environmentId, actor.environmentId)).all();

export const insertCreditor = (work: Work, row: New<CreditorRow>): CreditorRow =>
	insertRow(work, directDebitCreditors, { ...newRow(work), ...row });

export const changeCreditor = (work: Work, id: string, changes: Partial<CreditorRow>): CreditorRow =>
	changeRow(work, directDebitCreditors, id, { ...changes, updatedAt: work.now });

const mandatesById = (tx: Transaction) =>
	tx.select().from(mandates).where(amongIds(mandates.environmentId, mandates.id)).prepare();

export const selectMandates = (work: Work, ids: readonly string[]): MandateRow[] =>
	ids.length === 0 ? [] : work.prepared(mandatesById).all(idsIn(work, [...new Set(ids)]));

export const findMandateByReference = ({ tx, actor }: Work, reference: string): MandateRow | undefined =>
	tx
		.select()
		.from(mandates)
		.where(and(eq(mandates.environmentId, actor.environmentId), eq(mandates.reference, reference)))
		.get();

/** Our bound on the mandates of a customer. */
export const mandatesMax = 100;

const mandatesOf = (tx: Transaction) =>
	tx
		.select()
		.from(mandates)
		.where(
			and(eq(mandates.environmentId, placeholder("environmentId")), eq(mandates.customerId, placeholder("customerId"))),
		)
		.orderBy(asc(mandates.id))
		.limit(mandatesMax)
		.prepare();

/** Returns the mandates of a customer, oldest first. */
export const mandatesOfCustomer = (work: Work, customerId: string): MandateRow[] =>
	work.prepared(mandatesOf).all({ environmentId: work.actor.environmentId, customerId });

export const pageMandates = (work: Work, query: PageQuery, customerId: string | undefined): Page<MandateRow> =>
	readTablePage(
		work,
		query,
		mandates,
		and(
			eq(mandates.environmentId, work.actor.environmentId),
			customerId === undefined ? undefined : eq(mandates.customerId, customerId),
		),
	);

export const insertMandate = (work: Work, row: New<MandateRow>): MandateRow =>
	insertRow(work, mandates, { ...newRow(work), ...row });

export const changeMandate = (work: Work, id: string, changes: Partial<MandateRow>): MandateRow =>
	changeRow(work, mandates, id, { ...changes, updatedAt: work.now });
