import type { ErrorCode } from "../../kernel/error-codes";
import { fail } from "../../kernel/errors";

/** The state of an id, which can have several currencies, at most one of them active. REUSED: an active and an archived one. */
export type CurrencyState = "ACTIVE" | "ARCHIVED" | "REUSED";
/** `use`: a package grants the currency or prices in it. */
export type CurrencyAction = "use" | "update" | "archive" | "unarchive";

interface Refusal {
	readonly code: ErrorCode;
	readonly because: string;
}

const isArchived: Refusal = { code: "EntityIsArchivedError", because: "is archived; unarchive it first" };
/** Other actions on an id with two currencies refer to the active one. */
const idInUse: Refusal = {
	code: "DuplicatedEntityNotAllowed",
	because: "is archived, and another active currency has its id; archive that one first",
};

/**
 * The next state for each action, or a refusal (docs/interface/catalogue.md). Where the id has two currencies, only `unarchive` refers
 * to the archived one. A repeated action changes nothing.
 */
export const currencyTransitions: Readonly<
	Record<CurrencyState, Readonly<Record<CurrencyAction, CurrencyState | Refusal>>>
> = {
	ACTIVE: { use: "ACTIVE", update: "ACTIVE", archive: "ARCHIVED", unarchive: "ACTIVE" },
	ARCHIVED: {
		use: { code: "CustomCurrencyNotFound", because: "is archived; unarchive it, or create another one with this id" },
		update: isArchived,
		archive: "ARCHIVED",
		unarchive: "ACTIVE",
	},
	REUSED: { use: "REUSED", update: "REUSED", archive: "ARCHIVED", unarchive: idInUse },
};

/** Returns the state of an id from its active and its last archived currency. */
export const currencyState = (active: object | undefined, archived: object | undefined): CurrencyState | undefined => {
	if (!active) return archived && "ARCHIVED";
	return archived ? "REUSED" : "ACTIVE";
};

/** Returns the next state. Throws the refusal of the table. */
export function nextCurrencyState(refId: string, state: CurrencyState, action: CurrencyAction): CurrencyState {
	const next = currencyTransitions[state][action];
	if (typeof next === "string") return next;
	throw fail(next.code, `The custom currency '${refId}' ${next.because}.`);
}
