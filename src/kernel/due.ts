import type { Instant } from "./clock";
import { isStorageTrouble } from "./storage/failures";
import type { Work } from "./work";

/** One thing that an environment's clock has brought about. */
export interface DueStep {
	/** When it was due; everything it did is dated so. */
	readonly at: Instant;
	readonly subject: DueSubject;
	/** Why it could not be carried out, and when it is tried again. */
	readonly failure?: unknown;
	readonly retry?: { readonly step: string; readonly attempts?: number; readonly retryAt: Instant };
}

/** What it happened to, by the ids that callers know, as logs and answers name it. */
export type DueSubject =
	| { readonly subscriptionId: string }
	| { readonly creditGrantId: string }
	| { readonly contractId: string }
	| { readonly invoiceId: string }
	| { readonly promotionalEntitlementId: string }
	| { readonly customerId: string; readonly currencyId: string };

/** When the first of an environment is due: by its frozen clock, or by the wall clock where it has none. */
export interface FirstDue {
	readonly environmentId: string;
	readonly clockAt: Instant | null;
	readonly dueAt: Instant;
}

/** What an area lets the sweep carry out (scheduler/sweep.ts). Its rows say by themselves what is due, and when. */
export interface DueSource {
	/** When the first of the work's environment is due, however far ahead; null when nothing waits. */
	readonly firstDueAt: (work: Work) => Instant | null;
	/** The same of every environment in which something waits: asked by the service itself, which serves them all. */
	readonly firstDueOfEach: (work: Work) => FirstDue[];
	/**
	 * Carries out the first of what is due at that time, which `firstDueAt` has just said, at its own time and in the caller's
	 * transaction. A step that cannot be carried out is undone alone and due again later, so that it never holds up the others.
	 * Trouble of the disk is no failure of the step: it is thrown, and nothing is kept.
	 */
	readonly carryOutFirst: (work: Work, dueAt: Instant) => DueStep;
}

/** Carries out a step in a savepoint; answers why it failed, where it did. Trouble of the disk is thrown. */
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
		// A full disk may undo the whole transaction, and then the savepoint cannot be gone back to: the cause came before.
		const failure = cause ?? thrown;
		if (isStorageTrouble(failure) || isTransactionLost(thrown)) throw failure;
		return { failure };
	}
}

const isTransactionLost = (error: unknown): boolean =>
	error instanceof Error && error.message.startsWith("no such savepoint");
