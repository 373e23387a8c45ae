import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { type CurrencyAction, currencyState, nextCurrencyState } from "./rules";
import type { CurrencyCreate, CurrencyListQuery, CurrencyUpdate } from "./schema";
import {
	type CurrencyChanges,
	countActive,
	findActiveCurrency,
	findArchivedCurrency,
	insertCurrency,
	pageCurrencies,
	saveCurrency,
	selectActiveByRef,
	selectCurrencies,
} from "./store";
import type { CurrencyRow } from "./table";

/** The bound of TooManyCustomCurrencies. */
export const activeCurrenciesMax = 100;

export { findActiveCurrency as findCurrency };

/** Returns the active currency of an id. Throws CustomCurrencyNotFound. */
export function getCurrency(work: Work, refId: string): CurrencyRow {
	const currency = findActiveCurrency(work, refId);
	if (!currency)
		throw fail("CustomCurrencyNotFound", `There is no active custom currency '${refId}' in this environment.`);
	return currency;
}

/** As `getCurrency`, for reads: without an active currency, returns the last archived one. */
export const getShownCurrency = (work: Work, refId: string): CurrencyRow => resolve(work, refId).currency;

/** Returns currencies by row id, including archived ones. */
export const currenciesByIds = (work: Work, ids: readonly string[]): Map<string, CurrencyRow> =>
	new Map(selectCurrencies(work, ids).map((currency) => [currency.id, currency]));

/** Returns the active currencies by the callers' ids. Throws CustomCurrencyNotFound with all missing ids. */
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

/** Creates a currency. The id of an archived currency can be used again (docs/interface/catalogue.md). */
export function createCurrency(work: Work, input: CurrencyCreate): CurrencyRow {
	if (findActiveCurrency(work, input.id))
		throw fail(
			"DuplicatedEntityNotAllowed",
			`An active custom currency '${input.id}' already exists; choose another id.`,
		);
	assertRoom(work);
	return insertCurrency(work, {
		refId: input.id,
		displayName: input.displayName,
		// An empty text is no text (docs/interface/http.md).
		description: input.description || null,
		symbol: input.symbol || null,
		unitSingular: input.units?.singular ?? null,
		unitPlural: input.units?.plural ?? null,
		metadata: input.metadata ?? {},
	});
}

function assertRoom(work: Work): void {
	if (countActive(work) >= activeCurrenciesMax)
		throw fail(
			"TooManyCustomCurrencies",
			`This environment has ${activeCurrenciesMax} active custom currencies, which is the maximum; archive one first.`,
		);
}

/** Returns the currency of an id: the active one, or else the last archived one. Throws CustomCurrencyNotFound. */
function resolve(work: Work, refId: string) {
	const active = findActiveCurrency(work, refId);
	const archived = findArchivedCurrency(work, refId);
	const state = currencyState(active, archived);
	const currency = active ?? archived;
	if (!currency || !state)
		throw fail("CustomCurrencyNotFound", `There is no custom currency '${refId}' in this environment.`);
	return { currency, state };
}

/** Returns the currency of an action. Throws CustomCurrencyNotFound, or the refusal of the table of transitions. */
function resolveFor(work: Work, refId: string, action: CurrencyAction): CurrencyRow {
	const { currency, state } = resolve(work, refId);
	nextCurrencyState(refId, state, action);
	return currency;
}

/** Changes the sent fields; null and the empty text clear. Throws CustomCurrencyNotFound, EntityIsArchivedError. */
export function updateCurrency(work: Work, refId: string, input: CurrencyUpdate): CurrencyRow {
	const currency = resolveFor(work, refId, "update");
	const changes: CurrencyChanges = {
		...(input.displayName !== undefined && { displayName: input.displayName }),
		...(input.description !== undefined && { description: input.description || null }),
		...(input.symbol !== undefined && { symbol: input.symbol || null }),
		...(input.units && { unitSingular: input.units.singular, unitPlural: input.units.plural }),
		...(input.metadata !== undefined && { metadata: input.metadata ?? {} }),
	};
	return saveCurrency(work, currency, changes);
}

/** Finds the packages that grant a currency (its row id) or price in it. The packages area implements it; routes/credits.ts passes it here. */
export type UsersOf = (work: Work, use: { readonly currencyId: string }) => readonly CurrencyUser[];

interface CurrencyUser {
	readonly kind: "PLAN" | "ADDON";
	readonly refId: string;
	readonly displayName: string;
	/** The name in error messages. */
	readonly title: string;
}

/** Whether a customer has a balance or an overdraft in a currency (its row id). The credits area implements it; routes/credits.ts passes it here. */
export type HasBalances = (work: Work, currencyId: string) => boolean;

/** The checks that can prevent archiving a currency. */
export interface CurrencyHolds {
	readonly usersOf: UsersOf;
	readonly hasBalances: HasBalances;
}

/** The packages that an error message names. */
const namedMax = 10;

/**
 * Archives a currency, so its id can be used again. Throws CustomCurrencyNotFound; IntegrityViolation while a published or draft plan
 * or addon uses the currency, or a customer has a balance in it.
 */
export function archiveCurrency(work: Work, refId: string, { usersOf, hasBalances }: CurrencyHolds): CurrencyRow {
	const currency = resolveFor(work, refId, "archive");
	if (currency.archivedAt !== null) return currency;
	const users = usersOf(work, { currencyId: currency.id }).map(({ title }) => title);
	if (users.length > 0)
		throw fail(
			"IntegrityViolation",
			`The custom currency '${refId}' is used by ${users.slice(0, namedMax).join(", ")}${users.length > namedMax ? ", …" : ""}; remove it from their entitlements and charges, or archive them first.`,
		);
	if (hasBalances(work, currency.id))
		throw fail(
			"IntegrityViolation",
			`Customers have a balance in the custom currency '${refId}', or an overdraft; void grants with remaining credits, and settle overdrafts first.`,
		);
	return saveCurrency(work, currency, { archivedAt: work.now });
}

/**
 * Unarchives the last archived currency of an id. Throws CustomCurrencyNotFound; DuplicatedEntityNotAllowed where another active
 * currency has the id; TooManyCustomCurrencies.
 */
export function unarchiveCurrency(work: Work, refId: string): CurrencyRow {
	const currency = resolveFor(work, refId, "unarchive");
	if (currency.archivedAt === null) return currency;
	assertRoom(work);
	return saveCurrency(work, currency, { archivedAt: null });
}

/** Returns the published and draft plans and addons that use a currency, archived or not. Throws CustomCurrencyNotFound. */
export const listAssociatedEntities = (work: Work, refId: string, usersOf: UsersOf): readonly CurrencyUser[] =>
	usersOf(work, { currencyId: resolve(work, refId).currency.id });
