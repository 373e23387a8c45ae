import { cutPage, type Page, pageRequestOf, unknownCursor } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import type { Work } from "../../../kernel/work";
import type { CustomerRow } from "../../customers/table";
import { walletIdsOf, walletsOf } from "../balances/operations";
import type { WalletsQuery } from "../balances/schema";
import type { WalletsOf } from "../balances/store";
import type { LedgerEventType } from "../schema.values";
import type { LedgerEntry, LedgerQuery } from "./schema";
import { type EntriesAsked, selectEntries, selectSequences, sequenceOf } from "./store";
import { viewEntries } from "./view";

/**
 * A customer's ledger, the newest entries first: of all its wallets, or of those of a currency, of a resource, or (empty) of
 * none. CustomerNotFound, CustomCurrencyNotFound, BadUserInput.
 */
export function listLedger(work: Work, query: LedgerQuery): Page<LedgerEntry> {
	const { customer, asked } = entriesAsked(work, { ...query, eventTypes: queryValues(query.eventType) });
	const { cursor, isBackward, rowsMax } = pageRequestOf(query);
	const sequence = cursor === undefined ? undefined : sequenceOf(work, customer.id, cursor);
	if (cursor !== undefined && sequence === undefined) throw unknownCursor(cursor);
	const sequences = selectSequences(work, { ...asked, sequence, isBackward, rowsMax });
	const page = cutPage(query, selectEntries(work, sequences));
	return { ...page, rows: viewEntries(work, customer, page.rows) };
}

/** Which entries of the ledger a query means. CustomerNotFound, CustomCurrencyNotFound. */
export function entriesAsked(
	work: Work,
	{ eventTypes, ...query }: WalletsQuery & { readonly eventTypes: readonly LedgerEventType[] | undefined },
): { readonly customer: CustomerRow; readonly asked: EntriesAsked } {
	const { customer, of } = walletsOf(work, query);
	const walletIds = isNarrowed(of) ? walletIdsOf(work, of) : undefined;
	return { customer, asked: { customerId: customer.id, walletIds, eventTypes } };
}

const isNarrowed = ({ currencyRef, resourceRef }: WalletsOf): boolean =>
	currencyRef !== undefined || resourceRef !== undefined;
