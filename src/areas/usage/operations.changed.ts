import { eq, sql } from "drizzle-orm";
import type { Instant } from "../../kernel/clock";
import type { Transaction, Work } from "../../kernel/work";
import { LogReader } from "./log/log-reader";
import { eventCustomers } from "./table.events";

/** A customer, or one of its resources, whose usage has grown. */
export interface ChangedSubject {
	readonly environmentId: string;
	/** Row id. */
	readonly customerId: string;
	/** The id that callers use; null for usage without a resource. */
	readonly resourceRef: string | null;
	/** When the usage is to be examined, if the caller has asked for it. */
	readonly examineAt?: Instant;
}

const buildReader = (tx: Transaction) => ({
	log: new LogReader(tx),
	customer: tx
		.select({ environmentId: eventCustomers.environmentId, customerId: eventCustomers.customerId })
		.from(eventCustomers)
		.where(eq(eventCustomers.id, sql.placeholder("id")))
		.prepare(),
});

/**
 * Returns the subjects with events after a position, up to another one, in at most `eventsMax` events: each once, of
 * these environments only. Events of a customer that does not exist are skipped. `readTo` is the position to continue
 * from. With `examineAt`, a subject comes once for each time at which its usage is to be examined.
 */
export function subjectsChanged(
	work: Work,
	{ after, upTo, eventsMax }: { readonly after: number; readonly upTo: number; readonly eventsMax: number },
	environmentIds: { readonly has: (environmentId: string) => boolean },
	examineAt?: (environmentId: string, at: Instant) => Instant,
): { readonly subjects: ChangedSubject[]; readonly readTo: number } {
	const { log, customer } = work.prepared(buildReader);
	const subjects = new Map<string, ChangedSubject>();
	const known = new Map<number, ReturnType<typeof customer.get>>();
	let readTo = after;
	for (const { block, from, to } of log.after(after, upTo, eventsMax)) {
		for (let index = from; index < to; index += 1) {
			const id = block.customer(index);
			if (!known.has(id)) known.set(id, customer.get({ id }));
			const owner = known.get(id);
			if (!owner?.customerId || !environmentIds.has(owner.environmentId)) continue;
			const resourceRef = block.resource(index);
			const { environmentId, customerId } = owner;
			const due = examineAt && { examineAt: examineAt(environmentId, block.at(index)) };
			const key = `${customerId}\n${due?.examineAt ?? ""}\n${resourceRef ?? ""}`;
			subjects.set(key, { environmentId, customerId, resourceRef, ...due });
		}
		readTo = block.firstEvent + to - 1;
	}
	return { subjects: [...subjects.values()], readTo };
}
