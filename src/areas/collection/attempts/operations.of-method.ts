import { and, desc, eq, isNull } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import type { PaymentMethodRow } from "../methods/table";
import { type AttemptRow, attempts } from "./table";

/** Returns the id of an attempt that charges this method and is not final. */
export const openAttemptOfMethod = (work: Work, { id, customerId }: PaymentMethodRow): string | undefined =>
	work.tx
		.select({ id: attempts.id })
		.from(attempts)
		.where(
			and(
				eq(attempts.environmentId, work.actor.environmentId),
				eq(attempts.customerId, customerId),
				eq(attempts.methodId, id),
				isNull(attempts.endedAt),
			),
		)
		.limit(1)
		.get()?.id;

/** Returns a customer's attempts (by row id) that are not final, newest first. */
export const openAttemptsOf = (work: Work, customerId: string, rowsMax: number): AttemptRow[] =>
	work.tx
		.select()
		.from(attempts)
		.where(
			and(
				eq(attempts.environmentId, work.actor.environmentId),
				eq(attempts.customerId, customerId),
				isNull(attempts.endedAt),
			),
		)
		.orderBy(desc(attempts.id))
		.limit(rowsMax)
		.all();
