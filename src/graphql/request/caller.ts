import type { RateHeaders } from "../../http/limits/limits";
import type { KeyedCall } from "../../http/responses/idempotency";
import type { Actor } from "../../kernel/work";
import { Budget } from "./budget";
import { noTotals, type Totals } from "./limits";

/** What Yoga hands its plugins of one operation, as far as it is used here. */
export interface Incoming {
	readonly request: Request;
	readonly params: {
		readonly query: string;
		readonly operationName?: string;
		readonly variables?: Record<string, unknown>;
		/** Ours: which operation of the batch this is, so that an `Idempotency-Key` tells them apart. */
		readonly extensions?: { readonly place: number };
	};
}

/** What is known of a request while its operations are answered; gone with the request. */
export interface Caller {
	readonly actor: Actor;
	/** What all operations of the batch come to so far, as far as their text tells. */
	readonly totals: Totals;
	/** What is left for them to spend. */
	readonly budget: Budget;
	/** When the operation before has had its turn, and when it has been answered. */
	yielded: Promise<void>;
	answered: Promise<unknown>;
	/** Known once the body is read; undefined without an `Idempotency-Key`. */
	call: KeyedCall | undefined;
	/** Whether an operation of the batch was a mutation. */
	hasWritten: boolean;
	/** Whether the `Idempotency-Key` had an answer already. */
	replayed: boolean;
	/** Of the limited calls so far, the headers of the one with the fewest left. */
	rate: RateHeaders;
}

export const newCaller = (actor: Actor): Caller => ({
	actor,
	totals: noTotals(),
	budget: new Budget(),
	yielded: Promise.resolve(),
	answered: Promise.resolve(),
	call: undefined,
	hasWritten: false,
	replayed: false,
	rate: {},
});

/** Each field of the root is kept by itself, since each is a transaction by itself: a retry runs what has not run yet. */
export const callOfField = ({ call }: Caller, { params }: Incoming, field: string): KeyedCall | undefined =>
	call && { ...call, path: `${call.path}#${params.extensions?.place ?? 0}.${field}` };

/** Of limited calls, and of answers that were kept. */
export const headersOf = (caller: Caller | undefined): Record<string, string> => ({
	...caller?.rate,
	...(caller?.replayed && { "idempotent-replayed": "true" }),
});
