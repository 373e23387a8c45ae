import { and, asc, desc, eq, getTableColumns, inArray, max, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../kernel/clock";
import { amongIds, idsIn, insertRow, saveRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { type InvoiceRow, invoiceLines, invoices } from "../table";
import {
	type ConsolidatedInvoiceRow,
	consolidatedInvoices,
	type InvoiceSubscriptionRow,
	invoiceSubscriptions,
} from "./table";

const { placeholder } = sql;

export const insertConsolidated = (work: Work, row: Omit<ConsolidatedInvoiceRow, "environmentId">): void => {
	insertRow(work, consolidatedInvoices, { ...row, environmentId: work.actor.environmentId });
};

/** Stores that an invoice charges a subscription. Storing it again changes nothing. */
export const saveMember = (work: Work, row: Omit<InvoiceSubscriptionRow, "environmentId">): void =>
	saveRow(work, invoiceSubscriptions, { ...row, environmentId: work.actor.environmentId });

/** The fields that subscriptions share on one invoice. Net terms are the time between `issuedAt` and `dueAt`. */
export interface Shared
	extends Pick<
			InvoiceRow,
			"customerId" | "currency" | "legalEntityId" | "issuedAt" | "dueAt" | "contractId" | "contractRefId"
		>,
		Pick<ConsolidatedInvoiceRow, "collectionMethod"> {}

/** Drafts of one payer and instant that differ in the billing details of their purchases, or are full. */
const collectingMax = 100;

const collecting = (tx: Transaction) =>
	tx
		.select({ ...getTableColumns(invoices) })
		.from(invoices)
		.innerJoin(consolidatedInvoices, eq(consolidatedInvoices.invoiceId, invoices.id))
		.where(
			and(
				eq(invoices.environmentId, placeholder("environmentId")),
				eq(invoices.customerId, placeholder("customerId")),
				eq(invoices.issuedAt, placeholder("issuedAt")),
				// The indexes by state would read the drafts of all payers, so `+` disables them.
				sql`+${invoices.state} = 'DRAFT'`,
				eq(invoices.currency, placeholder("currency")),
				eq(invoices.legalEntityId, placeholder("legalEntityId")),
				sql`+${invoices.dueAt} = ${placeholder("dueAt")}`,
				// Equal, or both null.
				sql`${invoices.contractId} IS ${placeholder("contractId")}`,
				eq(consolidatedInvoices.collectionMethod, placeholder("collectionMethod")),
			),
		)
		.orderBy(desc(invoices.id))
		.limit(collectingMax)
		.prepare();

/** Returns the drafts of one payer and instant that subscriptions with these terms share, the newest first. */
export const selectCollecting = (work: Work, shared: Shared): InvoiceRow[] =>
	work.prepared(collecting).all({ environmentId: work.actor.environmentId, ...shared });

const lastLine = (tx: Transaction) =>
	tx
		.select({ last: max(invoiceLines.position) })
		.from(invoiceLines)
		.where(eq(invoiceLines.invoiceId, placeholder("invoiceId")))
		.prepare();

/** Returns the number of lines of a draft. Positions have no gaps. */
export const countLines = (work: Work, { id: invoiceId }: InvoiceRow): number =>
	((work.prepared(lastLine).get({ invoiceId })?.last ?? -1) as number) + 1;

const dueAtOnce = (tx: Transaction) =>
	tx
		.select()
		.from(consolidatedInvoices)
		.where(
			and(
				eq(consolidatedInvoices.environmentId, placeholder("environmentId")),
				eq(consolidatedInvoices.nextDueAt, placeholder("dueAt")),
			),
		)
		.orderBy(asc(consolidatedInvoices.invoiceId))
		.limit(1)
		.prepare();

/** Returns the first consolidated invoice that is due at this very time. */
export const firstConsolidatedDueAt = (work: Work, dueAt: Instant): ConsolidatedInvoiceRow | undefined =>
	work.prepared(dueAtOnce).get({ environmentId: work.actor.environmentId, dueAt });

export const changeDue = ({ tx }: Work, { invoiceId }: ConsolidatedInvoiceRow, nextDueAt: Instant | null): void => {
	tx.update(consolidatedInvoices).set({ nextDueAt }).where(eq(consolidatedInvoices.invoiceId, invoiceId)).run();
};

const membersAmong = (tx: Transaction) =>
	tx
		.select()
		.from(invoiceSubscriptions)
		.where(amongIds(invoiceSubscriptions.environmentId, invoiceSubscriptions.invoiceId))
		.orderBy(asc(invoiceSubscriptions.invoiceId), asc(invoiceSubscriptions.subscriptionId))
		.prepare();

/** Returns the subscriptions of consolidated invoices; other invoices have none here. */
export const selectMembers = (work: Work, invoiceIds: readonly string[]): InvoiceSubscriptionRow[] =>
	invoiceIds.length === 0 ? [] : work.prepared(membersAmong).all(idsIn(work, invoiceIds));

const ofSubscriptions = (tx: Transaction) =>
	tx
		.select()
		.from(invoiceSubscriptions)
		.where(amongIds(invoiceSubscriptions.environmentId, invoiceSubscriptions.subscriptionId))
		.prepare();

/** Returns the consolidated invoices of subscriptions (row ids). */
export const selectMemberships = (work: Work, subscriptionIds: readonly string[]): InvoiceSubscriptionRow[] =>
	subscriptionIds.length === 0 ? [] : work.prepared(ofSubscriptions).all(idsIn(work, subscriptionIds));

/** Reads the newest issued consolidated invoice of each subscription. Only the inner query names the environment, as for `latestOf`. */
const latestBySubscription = (tx: Transaction) => {
	const latest = alias(invoices, "latest");
	const newest = tx
		.select({ id: latest.id })
		.from(invoiceSubscriptions)
		.innerJoin(latest, eq(latest.id, invoiceSubscriptions.invoiceId))
		.where(
			and(
				eq(invoiceSubscriptions.subscriptionId, sql`asked.value`),
				eq(invoiceSubscriptions.environmentId, placeholder("environmentId")),
				sql`${latest.sequence} > 0`,
			),
		)
		.orderBy(desc(latest.sequence))
		.limit(1);
	return tx
		.select({ subscriptionId: sql<string>`asked.value`, invoice: invoices })
		.from(sql`json_each(${placeholder("ids")}) AS asked`)
		.innerJoin(invoices, sql`${invoices.id} = (${newest})`)
		.prepare();
};

export const selectLatestConsolidated = (work: Work, subscriptionIds: readonly string[]) =>
	work.prepared(latestBySubscription).all(idsIn(work, subscriptionIds));

/** Consolidated invoices in memory at once, for the check. */
const checkedMax = 200;

/** Returns consolidated invoices in the order of their ids, after one of them. */
export const pageConsolidated = ({ tx, actor }: Work, after: string): ConsolidatedInvoiceRow[] =>
	tx
		.select()
		.from(consolidatedInvoices)
		.where(
			and(
				eq(consolidatedInvoices.environmentId, actor.environmentId),
				sql`${consolidatedInvoices.invoiceId} > ${after}`,
			),
		)
		.orderBy(asc(consolidatedInvoices.invoiceId))
		.limit(checkedMax)
		.all();

/** Returns those of these invoices that are consolidated. */
export const selectConsolidated = ({ tx }: Work, invoiceIds: readonly string[]): ConsolidatedInvoiceRow[] =>
	invoiceIds.length === 0
		? []
		: tx
				.select()
				.from(consolidatedInvoices)
				.where(inArray(consolidatedInvoices.invoiceId, [...invoiceIds]))
				.all();
