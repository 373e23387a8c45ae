import type { RateHeaders } from "../../http/limits/limits";
import type { KeyedCall } from "../../http/responses/idempotency";
import type { Actor } from "../../kernel/work";
import { Budget } from "./budget";
import type { Checked } from "./documents";
import { noTotals, type Totals } from "./limits";

/** The part of Yoga's plugin context that is used here. */
export interface Incoming {
	readonly request: Request;
	readonly params: {
		readonly query: string;
		readonly operationName?: string;
		readonly variables?: Record<string, unknown>;
		/** Our extension: the index of the operation in its batch, for the `Idempotency-Key`. */
		readonly extensions?: { readonly place: number };
	};
	/** Set when the text is parsed. */
	readonly checked: Checked;
}

/** The state of a request while its operations are executed. */
export interface Caller {
	readonly actor: Actor;
	/** The measured totals of all operations of the batch so far. */
	readonly totals: Totals;
	/** The budget of all operations. */
	readonly budget: Budget;
	/** Resolve when the previous operation has yielded, and when it is finished. */
	yielded: Promise<void>;
	answered: Promise<unknown>;
	/** Set when the body is read. Undefined without an `Idempotency-Key`. */
	call: KeyedCall | undefined;
	/** Whether an operation of the batch was a mutation. */
	hasWritten: boolean;
	/** Whether the response was stored under the `Idempotency-Key`. */
	replayed: boolean;
	/** The rate limit headers of the call with the fewest remaining. */
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

/** Each root field has its own stored response, because it is its own transaction. A retry runs the fields that failed. */
export const callOfField = ({ call }: Caller, { params }: Incoming, field: string): KeyedCall | undefined =>
	call && { ...call, path: `${call.path}#${params.extensions?.place ?? 0}.${field}` };

/** Headers for limited calls and for stored responses. */
export const headersOf = (caller: Caller | undefined): Record<string, string> => ({
	...caller?.rate,
	...(caller?.replayed && { "idempotent-replayed": "true" }),
});
