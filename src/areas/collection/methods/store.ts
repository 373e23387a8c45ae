import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Page, readTablePage } from "../../../kernel/page";
import { amongIds, changeRow, idsIn, insertRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import type { SavedMethod } from "../providers/provider";
import type { MethodListQuery } from "./schema";
import { isToDetach, type PaymentMethodRow, paymentMethods } from "./table";

const { placeholder } = sql;

const inEnvironment = ({ actor }: Work): SQL => eq(paymentMethods.environmentId, actor.environmentId);

const byIds = (tx: Transaction) =>
	tx.select().from(paymentMethods).where(amongIds(paymentMethods.environmentId, paymentMethods.id)).prepare();

export const selectMethods = (work: Work, ids: readonly string[]): PaymentMethodRow[] =>
	work.prepared(byIds).all(idsIn(work, ids));

const byRef = (tx: Transaction) =>
	tx
		.select()
		.from(paymentMethods)
		.where(
			and(
				eq(paymentMethods.environmentId, placeholder("environmentId")),
				eq(paymentMethods.connectionId, placeholder("connectionId")),
				eq(paymentMethods.ref, placeholder("ref")),
			),
		)
		.prepare();

/** Returns the method with the provider's reference, of any customer. */
export const findMethodByRef = (work: Work, connectionId: string, ref: string): PaymentMethodRow | undefined =>
	work.prepared(byRef).get({ environmentId: work.actor.environmentId, connectionId, ref });

/** Matches the methods of a customer that were not removed. */
export const ofCustomer = (customerId: string): SQL =>
	and(eq(paymentMethods.customerId, customerId), isNull(paymentMethods.detachedAt)) as SQL;

/** Newest first. */
export const pageMethods = (work: Work, customerId: string, query: MethodListQuery): Page<PaymentMethodRow> =>
	readTablePage(work, query, paymentMethods, and(inEnvironment(work), ofCustomer(customerId)), []);

/** Returns removed methods of all environments that the provider still has, by the time of the next call. */
export const listDetached = (work: Work, rowsMax: number): PaymentMethodRow[] =>
	work.tx.select().from(paymentMethods).where(isToDetach).orderBy(asc(paymentMethods.dueAt)).limit(rowsMax).all();

export const changeMethod = (work: Work, id: string, changes: Partial<PaymentMethodRow>): PaymentMethodRow =>
	changeRow(work, paymentMethods, id, { ...changes, updatedAt: work.now });

export function saveMethod(
	work: Work,
	owner: Pick<PaymentMethodRow, "customerId" | "connectionId">,
	method: SavedMethod,
): PaymentMethodRow {
	const known = findMethodByRef(work, owner.connectionId, method.ref);
	if (known) return changeRow(work, paymentMethods, known.id, { ...method, updatedAt: work.now });
	return insertRow(work, paymentMethods, {
		...{ ...owner, ...method, id: work.newId(), detachedAt: null, dueAt: null },
		environmentId: work.actor.environmentId,
		createdAt: work.now,
		updatedAt: work.now,
	});
}
