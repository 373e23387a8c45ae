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

/** An id is free again once the currency that had it is archived (docs/interface/catalogue.md). */
export function createCurrency(work: Work, input: CurrencyCreate): CurrencyRow {
	if (findActiveCurrency(work, input.id))
		throw fail(
			"DuplicatedEntityNotAllowed",
			`There is an active custom currency '${input.id}' already; choose another id.`,
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
			`This environment has ${activeCurrenciesMax} active custom currencies, the most it may have; archive one first.`,
		);
}

/** As `getCurrency`, for what is to be looked at: where none is active, the one that was archived last. */
export const getShownCurrency = (work: Work, refId: string): CurrencyRow => resolve(work, refId).currency;

/** The currency that an id means: the active one, else the last archived one. Throws CustomCurrencyNotFound. */
function resolve(work: Work, refId: string) {
	const active = findActiveCurrency(work, refId);
	const archived = findArchivedCurrency(work, refId);
	const state = currencyState(active, archived);
	const currency = active ?? archived;
	if (!currency || !state)
		throw fail("CustomCurrencyNotFound", `There is no custom currency '${refId}' in this environment.`);
	return { currency, state };
}

/** What is meant, and whether the action may be; throws CustomCurrencyNotFound and what the table of transitions says. */
function resolveFor(work: Work, refId: string, action: CurrencyAction): CurrencyRow {
	const { currency, state } = resolve(work, refId);
	nextCurrencyState(refId, state, action);
	return currency;
}

/** Changes what is sent; null and the empty text clear. Throws CustomCurrencyNotFound, EntityIsArchivedError. */
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

/** Names the packages that grant a currency (its row id) or price in it. Packages come later, so it is handed in. */
export type UsersOf = (work: Work, use: { readonly currencyId: string }) => readonly CurrencyUser[];

interface CurrencyUser {
	readonly kind: "PLAN" | "ADDON";
	readonly refId: string;
	readonly displayName: string;
	/** What a message calls it. */
	readonly title: string;
}

/** Whether a customer has something of a currency (its row id), or owes of it. Credits come later, so it is handed in. */
export type HasBalances = (work: Work, currencyId: string) => boolean;

/** What keeps a currency from being archived. */
export interface CurrencyHolds {
	readonly usersOf: UsersOf;
	readonly hasBalances: HasBalances;
}

/** How many users a refusal names; our choice. */
const namedMax = 10;

/**
 * Frees the id. Throws CustomCurrencyNotFound; IntegrityViolation (our choice: the interface names no code of its own) while
 * a published or drafted plan or addon uses the currency, or a customer has a balance in it.
 */
export function archiveCurrency(work: Work, refId: string, { usersOf, hasBalances }: CurrencyHolds): CurrencyRow {
	const currency = resolveFor(work, refId, "archive");
	if (currency.archivedAt !== null) return currency;
	const users = usersOf(work, { currencyId: currency.id }).map(({ title }) => title);
	if (users.length > 0)
		throw fail(
			"IntegrityViolation",
			`The custom currency '${refId}' is used by ${users.slice(0, namedMax).join(", ")}${users.length > namedMax ? ", …" : ""}; take it out of their entitlements and charges, or archive them first.`,
		);
	if (hasBalances(work, currency.id))
		throw fail(
			"IntegrityViolation",
			`Customers have a balance in the custom currency '${refId}', or an overdraft; void the grants that have something left, and settle the overdrafts first.`,
		);
	return saveCurrency(work, currency, { archivedAt: work.now });
}

/**
 * Brings back the last archived currency of that id. Throws CustomCurrencyNotFound; DuplicatedEntityNotAllowed when another
 * active one has taken the id; TooManyCustomCurrencies.
 */
export function unarchiveCurrency(work: Work, refId: string): CurrencyRow {
	const currency = resolveFor(work, refId, "unarchive");
	if (currency.archivedAt === null) return currency;
	assertRoom(work);
	return saveCurrency(work, currency, { archivedAt: null });
}

/** The published and drafted plans and addons that use a currency, archived or not. Throws CustomCurrencyNotFound. */
export const listAssociatedEntities = (work: Work, refId: string, usersOf: UsersOf): readonly CurrencyUser[] =>
	usersOf(work, { currencyId: resolve(work, refId).currency.id });
