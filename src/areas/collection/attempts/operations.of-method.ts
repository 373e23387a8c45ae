import { and, desc, eq, type SQL } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import type { PaymentMethodRow } from "../methods/table";
import { type AttemptRow, attempts, isUnderWay } from "./table";

const openOfCustomer = ({ actor }: Work, customerId: string): SQL | undefined =>
	and(eq(attempts.environmentId, actor.environmentId), eq(attempts.customerId, customerId), isUnderWay);

/** Returns the id of an attempt that charges this method and is not final. */
export const openAttemptOfMethod = (work: Work, { id, customerId }: PaymentMethodRow): string | undefined =>
	work.tx
		.select({ id: attempts.id })
		.from(attempts)
		.where(and(openOfCustomer(work, customerId), eq(attempts.methodId, id)))
		.limit(1)
		.get()?.id;

/** Returns a customer's attempts (by row id) that are not final, newest first. */
export const openAttemptsOf = (work: Work, customerId: string, rowsMax: number): AttemptRow[] =>
	work.tx
		.select()
		.from(attempts)
		.where(openOfCustomer(work, customerId))
		.orderBy(desc(attempts.id))
		.limit(rowsMax)
		.all();
