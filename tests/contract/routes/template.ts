import type { TSchema } from "@sinclair/typebox";
import type { Scope } from "../../../src/areas/access/rules.actors";

/** A request that each route takes, over what the scenario has made, and what it says of things that are not there. */
export interface Template {
	/**
	 * Below `/api/v1`; `{invoice}` (acme's), `{unpaid}` (the parent's), `{creditNote}`, `{receipt}`, `{dispute}`, `{allocation}`, `{task}`, `{alert}`, `{webhook}`, `{delivery}`, `{simulation}`,
	 * `{reservation}`, `{approvable}`, `{declinable}`, `{grant}`, `{entity}`, `{keptKey}`, `{rotatedKey}`, `{endedKey}` and
	 * `{environment}` and `{checkout}` stand for ids that only the running world knows.
	 */
	readonly path: string;
	/** Parameters that the route cannot do without. */
	readonly query?: string;
	readonly body?: Readonly<Record<string, unknown>>;
	/** Where the body is checked by another thread, and so not by the route. */
	readonly schema?: TSchema;
	/** Undefined: any server key may call; what it sees depends on the thing asked for. */
	readonly scope?: Scope;
	/** Any server key may call, and is shown what it may read. */
	readonly isFiltered?: true;
	/** A second one, without which the first is not enough. */
	readonly also?: Scope;
	readonly publishable?: true | "with the customer's id signed";
	/** The status with which the template itself answers; its success status when left out. */
	readonly answers?: readonly [status: number, code: string | null];
	/** Paths, or bodies, that name what nobody has, and the code of the 404. */
	readonly unknown?: ReadonlyArray<
		readonly [path: string, code: string | null, body?: Readonly<Record<string, unknown>>]
	>;
	/** The status for a foreign environment's key: the 404 of `unknown` unless it is a list, makes its own object, or equals ours. */
	readonly foreign?: "an empty list" | "its own" | "no access" | "the same";
}

/** An id that does not exist. */
export const none = "no-such-thing";

export const catalogueRead = { scope: "CATALOG:READ", publishable: true } as const;

export const ofCustomer = (tail: string, path = `/customers/acme${tail}`) => ({
	path,
	unknown: [[`/customers/${none}${tail}`, "CustomerNotFound"]] as const,
});
