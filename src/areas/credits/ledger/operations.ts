import { cutPage, type Page, pageRequestOf, unknownCursor } from "../../../kernel/page";
import { queryValues } from "../../../kernel/query";
import type { Work } from "../../../kernel/work";
import type { CustomerRow } from "../../customers/table";
import { walletFilterOf, walletIdsOf } from "../balances/operations";
import type { WalletsQuery } from "../balances/schema";
import type { WalletFilter } from "../balances/store";
import type { LedgerEventType } from "../schema.values";
import type { LedgerEntry, LedgerQuery } from "./schema";
import { type EntryFilter, selectEntries, selectSequences, sequenceOf } from "./store";
import { viewEntries } from "./view";

/**
 * Lists a customer's ledger, the newest entries first: of all wallets, or of those of a currency, a resource or (empty) no
 * resource. Throws CustomerNotFound, CustomCurrencyNotFound, BadUserInput.
 */
export function listLedger(work: Work, query: LedgerQuery): Page<LedgerEntry> {
	const { customer, asked } = entryFilterOf(work, { ...query, eventTypes: queryValues(query.eventType) });
	const { cursor, isBackward, rowsMax } = pageRequestOf(query);
	const sequence = cursor === undefined ? undefined : sequenceOf(work, customer.id, cursor);
	if (cursor !== undefined && sequence === undefined) throw unknownCursor(cursor);
	const sequences = selectSequences(work, { ...asked, sequence, isBackward, rowsMax });
	const page = cutPage(query, selectEntries(work, sequences));
	return { ...page, rows: viewEntries(work, customer, page.rows) };
}

/** Returns the customer of a query, and its filter of entries. Throws CustomerNotFound, CustomCurrencyNotFound. */
export function entryFilterOf(
	work: Work,
	{ eventTypes, ...query }: WalletsQuery & { readonly eventTypes: readonly LedgerEventType[] | undefined },
): { readonly customer: CustomerRow; readonly asked: EntryFilter } {
	const { customer, of } = walletFilterOf(work, query);
	const walletIds = isNarrowed(of) ? walletIdsOf(work, of) : undefined;
	return { customer, asked: { customerId: customer.id, walletIds, eventTypes } };
}

const isNarrowed = ({ currencyRef, resourceRef }: WalletFilter): boolean =>
	currencyRef !== undefined || resourceRef !== undefined;
