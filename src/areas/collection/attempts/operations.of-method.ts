import { and, eq, isNull } from "drizzle-orm";
import type { Work } from "../../../kernel/work";
import type { PaymentMethodRow } from "../methods/table";
import { attempts } from "./table";

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
