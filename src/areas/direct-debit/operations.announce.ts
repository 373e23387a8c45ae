import { eq } from "drizzle-orm";
import { assert } from "../../kernel/errors";
import { type Work, workIn } from "../../kernel/work";
import { systemActor } from "../access/rules.actors";
import { mandatesByIds } from "./operations.mandates";
import type { Announcement } from "./schema";
import { directDebits } from "./table";

/** Returns a debit of any environment with its mandate, and the work within its environment. */
export function findDebitOfAny(work: Work, id: string) {
	const debit = work.tx.select().from(directDebits).where(eq(directDebits.id, id)).get();
	if (!debit) return undefined;
	const within = workIn(work, systemActor(debit.environmentId));
	const mandate = mandatesByIds(within, [debit.mandateId]).get(debit.mandateId);
	assert(mandate, "a mandate is never deleted");
	return { debit, mandate, within };
}

/** Records whether the announcement of a debit was sent, of any environment. */
export function saveAnnouncement({ tx, now }: Work, id: string, announcement: Announcement): void {
	tx.update(directDebits).set({ announcement, updatedAt: now }).where(eq(directDebits.id, id)).run();
}
