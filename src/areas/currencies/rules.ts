import type { ErrorCode } from "../../kernel/error-codes";
import { fail } from "../../kernel/errors";

/**
 * An id may have had several currencies, of which at most one is active. REUSED: an active one, and an archived one
 * before it.
 */
export type CurrencyState = "ACTIVE" | "ARCHIVED" | "REUSED";
/** `use`: a package grants it or prices in it. */
export type CurrencyAction = "use" | "update" | "archive" | "unarchive";

interface Refusal {
	readonly code: ErrorCode;
	readonly because: string;
}

const gone: Refusal = { code: "EntityIsArchivedError", because: "is archived; unarchive it first" };
/** What is active under the id is what is meant, so of the one before only this can be asked. */
const anothers: Refusal = {
	code: "DuplicatedEntityNotAllowed",
	because: "is archived, and its id belongs to another active one; archive that first",
};

/**
 * What each action leads to, or why it is refused (docs/interface/catalogue.md). Only unarchiving looks for the
 * archived one where the id has an active one too; doing twice what is done changes nothing (our choice).
 */
export const currencyTransitions: Readonly<
	Record<CurrencyState, Readonly<Record<CurrencyAction, CurrencyState | Refusal>>>
> = {
	ACTIVE: { use: "ACTIVE", update: "ACTIVE", archive: "ARCHIVED", unarchive: "ACTIVE" },
	ARCHIVED: {
		use: { code: "CustomCurrencyNotFound", because: "is archived; unarchive it, or create another one of that id" },
		update: gone,
		archive: "ARCHIVED",
		unarchive: "ACTIVE",
	},
	REUSED: { use: "REUSED", update: "REUSED", archive: "ARCHIVED", unarchive: anothers },
};

/** Of what the id has: `active` is the one that runs, `archived` the last one that was archived. */
export const currencyState = (active: object | undefined, archived: object | undefined): CurrencyState | undefined => {
	if (!active) return archived && "ARCHIVED";
	return archived ? "REUSED" : "ACTIVE";
};

/** The state that follows; throws where the table refuses. */
export function nextCurrencyState(refId: string, state: CurrencyState, action: CurrencyAction): CurrencyState {
	const next = currencyTransitions[state][action];
	if (typeof next === "string") return next;
	throw fail(next.code, `The custom currency '${refId}' ${next.because}.`);
}
