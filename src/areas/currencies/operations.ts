import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import type { CurrencyCreate, CurrencyListQuery } from "./schema";
import {
	countActive,
	findActiveCurrency,
	insertCurrency,
	pageCurrencies,
	selectActiveByRef,
	selectCurrencies,
} from "./store";
import type { CurrencyRow } from "./table";

/** Our choice: the interface names the refusal (TooManyCustomCurrencies) but no number. */
export const activeCurrenciesMax = 100;

export { findActiveCurrency as findCurrency };

/** The active currency of that id; throws CustomCurrencyNotFound. */
export function getCurrency(work: Work, refId: string): CurrencyRow {
	const currency = findActiveCurrency(work, refId);
	if (!currency)
		throw fail("CustomCurrencyNotFound", `There is no active custom currency '${refId}' in this environment.`);
	return currency;
}

/** By row id, archived ones included: what refers to a currency keeps it. */
export const currenciesByIds = (work: Work, ids: readonly string[]): Map<string, CurrencyRow> =>
	new Map(selectCurrencies(work, ids).map((currency) => [currency.id, currency]));

/** The active currencies by the caller's ids; throws CustomCurrencyNotFound naming all that are missing. */
export function currenciesByRefs(work: Work, refIds: readonly string[]): Map<string, CurrencyRow> {
	const found = new Map(selectActiveByRef(work, refIds).map((currency) => [currency.refId, currency]));
	const missing = [...new Set(refIds)].filter((refId) => !found.has(refId));
	if (missing.length > 0)
		throw fail(
			"CustomCurrencyNotFound",
			`There is no active custom currency '${missing.join("', '")}' in this environment; create it first.`,
		);
	return found;
}

export const listCurrencies = (work: Work, query: CurrencyListQuery): Page<CurrencyRow> => pageCurrencies(work, query);

/** An id is free again once the currency that had it is archived (semantics 10.2). */
export function createCurrency(work: Work, input: CurrencyCreate): CurrencyRow {
	if (findActiveCurrency(work, input.id))
		throw fail(
			"DuplicatedEntityNotAllowed",
			`There is an active custom currency '${input.id}' already; choose another id.`,
		);
	if (countActive(work) >= activeCurrenciesMax)
		throw fail(
			"TooManyCustomCurrencies",
			`This environment has ${activeCurrenciesMax} active custom currencies, the most it may have; archive one first.`,
		);
	return insertCurrency(work, {
		refId: input.id,
		displayName: input.displayName,
		// An empty text is no text (semantics 1.6).
		description: input.description || null,
		symbol: input.symbol || null,
		unitSingular: input.units?.singular ?? null,
		unitPlural: input.units?.plural ?? null,
		metadata: input.metadata ?? {},
	});
}
