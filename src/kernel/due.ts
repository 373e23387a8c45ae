import type { Instant } from "./clock";
import { isStorageTrouble } from "./storage/failures";
import type { Work } from "./work";

/** A due step of an environment that was carried out, or failed. */
export interface DueStep {
	/** The time when the step was due. Its changes have this date. */
	readonly at: Instant;
	readonly subject: DueSubject;
	/** The reason of a failure, and the time of the next try. */
	readonly failure?: unknown;
	readonly retry?: { readonly step: string; readonly attempts?: number; readonly retryAt: Instant };
}

/** The object of a step, by the ids that callers know, for logs and answers. */
export type DueSubject =
	| { readonly subscriptionId: string }
	| { readonly creditGrantId: string }
	| { readonly contractId: string }
	| { readonly invoiceId: string }
	| { readonly promotionalEntitlementId: string }
	| { readonly customerId: string }
	| { readonly customerId: string; readonly currencyId: string }
	| { readonly customerId: string; readonly entityId: string };

/** The time of the first due step of an environment, on its frozen clock or on the wall clock. */
export interface FirstDue {
	readonly environmentId: string;
	readonly clockAt: Instant | null;
	readonly dueAt: Instant;
}

/** An area's source of due steps for the sweep (scheduler/sweep.ts). The area's rows define which steps are due, and when. */
export interface DueSource {
	/** Returns the time of the first due step of the work's environment, however far ahead; null if there is none. */
	readonly firstDueAt: (work: Work) => Instant | null;
	/** Returns the same for every environment with due steps. */
	readonly firstDueOfEach: (work: Work) => FirstDue[];
	/**
	 * Carries out the first step that is due at the time that `firstDueAt` returned, at this time and in the caller's transaction. A step
	 * that fails is rolled back alone and due again later, so that it does not block the others. A storage error is not a failure of the
	 * step: it is thrown, and the transaction rolls back.
	 */
	readonly carryOutFirst: (work: Work, dueAt: Instant) => DueStep;
}

/** Carries out a step in a savepoint. Returns the reason of a failure. Throws storage errors. */
export function attemptStep(work: Work, carryOut: () => void): { readonly failure: unknown } | undefined {
	let cause: unknown;
	try {
		work.tx.transaction(() => {
			try {
				carryOut();
			} catch (failure) {
				cause = failure;
				throw failure;
			}
		});
		return undefined;
	} catch (thrown) {
		// A full disk may roll back the whole transaction. Then there is no savepoint, and the first error is the cause.
		const failure = cause ?? thrown;
		if (isStorageTrouble(failure) || isTransactionLost(thrown)) throw failure;
		return { failure };
	}
}

const isTransactionLost = (error: unknown): boolean =>
	error instanceof Error && error.message.startsWith("no such savepoint");
