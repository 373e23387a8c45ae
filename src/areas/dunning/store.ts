import { and, asc, eq, gt, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import { type Page, type PageQuery, readTablePage } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import { amongIds, changeRow, idsIn, insertRow, insertRows, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { type InvoiceRow, invoices } from "../invoices/table";
import type { DunningCaseListQuery } from "./schema";
import {
	type DunningCaseRow,
	type DunningMailRow,
	type DunningStepRow,
	dunningCases,
	dunningMails,
	dunningSteps,
} from "./table";

const { placeholder } = sql;

type Own<Row> = Omit<Row, "id" | "environmentId" | "createdAt" | "updatedAt">;

const byInvoice = (tx: Transaction) =>
	tx.select().from(dunningCases).where(amongIds(dunningCases.environmentId, dunningCases.invoiceId)).prepare();

/** Returns the cases of invoices (row ids). */
export const selectCasesOf = (work: Work, invoiceIds: readonly string[]): DunningCaseRow[] =>
	invoiceIds.length === 0 ? [] : work.prepared(byInvoice).all(idsIn(work, invoiceIds));

export const findCaseOf = (work: Work, invoiceId: string): DunningCaseRow | undefined =>
	selectCasesOf(work, [invoiceId])[0];

const due = (tx: Transaction) =>
	tx
		.select()
		.from(dunningCases)
		.where(
			and(
				eq(dunningCases.environmentId, placeholder("environmentId")),
				eq(dunningCases.nextDueAt, placeholder("dueAt")),
				isNotNull(dunningCases.nextDueAt),
			),
		)
		.orderBy(asc(dunningCases.customerId), asc(dunningCases.legalEntityId), asc(dunningCases.id))
		.limit(1)
		.prepare();

/** Returns the first case of the environment that is due at exactly this time. */
export const caseDueAt = (work: Work, dueAt: Instant): DunningCaseRow | undefined =>
	work.prepared(due).get({ environmentId: work.actor.environmentId, dueAt });

/** Returns the reminding cases of a customer and an issuer that are due at exactly this time. */
export const casesDueAt = (
	{ tx, actor }: Work,
	dueAt: Instant,
	{ customerId, legalEntityId }: Pick<DunningCaseRow, "customerId" | "legalEntityId">,
	rowsMax: number,
): DunningCaseRow[] =>
	tx
		.select()
		.from(dunningCases)
		.where(
			and(
				eq(dunningCases.environmentId, actor.environmentId),
				eq(dunningCases.nextDueAt, dueAt),
				isNotNull(dunningCases.nextDueAt),
				eq(dunningCases.customerId, customerId),
				eq(dunningCases.legalEntityId, legalEntityId),
				eq(dunningCases.state, "REMINDING"),
			),
		)
		.orderBy(asc(dunningCases.id))
		.limit(rowsMax)
		.all();

export const insertCase = (work: Work, row: Own<DunningCaseRow>): DunningCaseRow =>
	insertRow(work, dunningCases, { ...row, ...newRow(work) });

export const saveCase = (work: Work, { id }: DunningCaseRow, changes: Partial<Own<DunningCaseRow>>): DunningCaseRow =>
	changeRow(work, dunningCases, id, { ...changes, updatedAt: work.now });

export const insertSteps = (work: Work, rows: ReadonlyArray<Own<DunningStepRow>>): void =>
	insertRows(
		work,
		dunningSteps,
		rows.map((row) => ({ ...row, ...newRow(work) })),
	);

const ofCases = (tx: Transaction) =>
	tx
		.select()
		.from(dunningSteps)
		.where(amongIds(dunningSteps.environmentId, dunningSteps.caseId))
		.orderBy(asc(dunningSteps.caseId), asc(dunningSteps.round), asc(dunningSteps.position))
		.prepare();

/** Returns the steps of cases, oldest first. The bounds of policies and rounds limit them. */
export const selectSteps = (work: Work, caseIds: readonly string[]): DunningStepRow[] =>
	caseIds.length === 0 ? [] : work.prepared(ofCases).all(idsIn(work, caseIds));

const ofMails = (tx: Transaction) =>
	tx
		.select()
		.from(dunningSteps)
		.where(and(amongIds(dunningSteps.environmentId, dunningSteps.mailId), isNotNull(dunningSteps.mailId)))
		.prepare();

export const selectStepsOfMails = (work: Work, mailIds: readonly string[]): DunningStepRow[] =>
	mailIds.length === 0 ? [] : work.prepared(ofMails).all(idsIn(work, mailIds));

/** Returns cases of a customer that charges concern, those of the oldest start first. */
const selectCharged = (work: Work, customerId: string, wanted: SQL | undefined, rowsMax: number): DunningCaseRow[] =>
	work.tx
		.select()
		.from(dunningCases)
		.where(and(eq(dunningCases.customerId, customerId), isNotNull(dunningCases.retryBuckets), wanted))
		.orderBy(asc(dunningCases.id))
		.limit(rowsMax)
		.all();

/** Returns the cases of a customer whose mails about charges are not issued yet. */
export const selectMailed = (work: Work, customerId: string, rowsMax: number): DunningCaseRow[] =>
	selectCharged(work, customerId, isNotNull(dunningCases.mailKind), rowsMax);

/** Returns the cases of a customer after a case that may charge again. */
export const selectTrying = (work: Work, customerId: string, after: string, rowsMax: number): DunningCaseRow[] =>
	selectCharged(
		work,
		customerId,
		and(gt(dunningCases.id, after), inArray(dunningCases.state, ["RETRYING", "WAITING", "FINAL_NOTICE"])),
		rowsMax,
	);

export const insertMail = (work: Work, row: Own<DunningMailRow>): DunningMailRow =>
	insertRow(work, dunningMails, { ...row, ...newRow(work) });

/** Returns a mail of any environment: the queue of mails is shared. */
export const findMail = ({ tx }: Work, id: string): DunningMailRow | undefined =>
	tx.select().from(dunningMails).where(eq(dunningMails.id, id)).get();

export const saveMail = (
	{ tx, now }: Work,
	id: string,
	changes: Partial<Pick<DunningMailRow, "status" | "sentAt">>,
): void => {
	tx.update(dunningMails)
		.set({ ...changes, updatedAt: now })
		.where(eq(dunningMails.id, id))
		.run();
};

export const pageMails = (work: Work, customerId: string, query: PageQuery): Page<DunningMailRow> =>
	readTablePage(
		work,
		query,
		dunningMails,
		and(eq(dunningMails.environmentId, work.actor.environmentId), eq(dunningMails.customerId, customerId)),
	);

const byId = (tx: Transaction) =>
	tx.select().from(dunningCases).where(amongIds(dunningCases.environmentId, dunningCases.id)).prepare();

export const selectCasesByIds = (work: Work, ids: readonly string[]): DunningCaseRow[] =>
	ids.length === 0 ? [] : work.prepared(byId).all(idsIn(work, ids));

const mailsById = (tx: Transaction) =>
	tx.select().from(dunningMails).where(amongIds(dunningMails.environmentId, dunningMails.id)).prepare();

export const selectMailsByIds = (work: Work, ids: readonly string[]): DunningMailRow[] =>
	ids.length === 0 ? [] : work.prepared(mailsById).all(idsIn(work, ids));

export const pageCases = (
	work: Work,
	{ state, customerId: _, ...query }: DunningCaseListQuery,
	customerId: string | undefined,
): Page<DunningCaseRow> => {
	const states = queryValues(state);
	return readTablePage(work, query, dunningCases, eq(dunningCases.environmentId, work.actor.environmentId), [
		customerId === undefined ? undefined : eq(dunningCases.customerId, customerId),
		states === undefined ? undefined : inArray(dunningCases.state, [...states]),
	]);
};

/** Returns the OPEN invoices of a customer, those due first at the top. */
export const selectOpenInvoices = ({ tx, actor }: Work, customerId: string, rowsMax: number): InvoiceRow[] =>
	tx
		.select()
		.from(invoices)
		.where(
			and(
				eq(invoices.environmentId, actor.environmentId),
				eq(invoices.customerId, customerId),
				eq(invoices.state, "OPEN"),
			),
		)
		.orderBy(asc(invoices.dueAt), asc(invoices.id))
		.limit(rowsMax)
		.all();
