import { and, asc, desc, eq, isNotNull } from "drizzle-orm";
import { changeRow, insertRow } from "../../../kernel/storage/rows";
import type { Work } from "../../../kernel/work";
import { isLooked, type MethodPageRow, methodPages } from "./table";

const inEnvironment = ({ actor }: Work) => eq(methodPages.environmentId, actor.environmentId);

export const findPage = (work: Work, id: string): MethodPageRow | undefined =>
	work.tx
		.select()
		.from(methodPages)
		.where(and(inEnvironment(work), eq(methodPages.id, id)))
		.get();

/** Returns the page that has that reference at a connection. */
export const findPageByRef = (work: Work, connectionId: string, ref: string): MethodPageRow | undefined =>
	work.tx
		.select()
		.from(methodPages)
		.where(and(inEnvironment(work), eq(methodPages.connectionId, connectionId), eq(methodPages.ref, ref)))
		.get();

/** Returns the provider's reference of a customer at a connection, if a page made one. */
export const findCustomerRef = (work: Work, customerId: string, connectionId: string): string | null =>
	work.tx
		.select({ customerRef: methodPages.customerRef })
		.from(methodPages)
		.where(
			and(
				inEnvironment(work),
				eq(methodPages.customerId, customerId),
				eq(methodPages.connectionId, connectionId),
				isNotNull(methodPages.customerRef),
			),
		)
		.orderBy(desc(methodPages.id))
		.limit(1)
		.get()?.customerRef ?? null;

/** Returns pages of all environments that are looked up, by the time of the look-up. */
export const listLookedPages = (work: Work, rowsMax: number): MethodPageRow[] =>
	work.tx.select().from(methodPages).where(isLooked).orderBy(asc(methodPages.dueAt)).limit(rowsMax).all();

export const insertPage = (
	work: Work,
	page: Omit<MethodPageRow, "environmentId" | "createdAt" | "updatedAt">,
): MethodPageRow =>
	insertRow(work, methodPages, {
		...page,
		environmentId: work.actor.environmentId,
		createdAt: work.now,
		updatedAt: work.now,
	});

export const savePage = (work: Work, { id }: MethodPageRow, changes: Partial<MethodPageRow>): MethodPageRow =>
	changeRow(work, methodPages, id, { ...changes, updatedAt: work.now });
