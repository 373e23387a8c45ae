import { exact, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { assertWholeMinorUnits } from "../rules";
import type { CustomerBalanceEntryRow } from "../table.receipts";
import { balanceOf, insertBalanceEntry } from "./ledger";
import type { BalanceAdjustment, BalanceEntryListQuery } from "./schema";
import { pageBalanceEntries } from "./store";

/**
 * Adds to a customer's balance, or subtracts from it, with a reason. Throws InvalidArgumentError for zero, a fraction of a minor unit,
 * or more than the balance.
 */
export function adjustBalance(
	work: Work,
	customerId: string,
	{ amount, currency, reason }: BalanceAdjustment,
): CustomerBalanceEntryRow {
	const change = toDecimal(amount);
	assertWholeMinorUnits("amount", change, currency);
	if (amount === 0)
		throw fail("InvalidArgumentError", "'amount' is 0; give what the balance gets, or with a minus what it gives.");
	const balance = balanceOf(work, { customerId, currency });
	if (exact(balance).plus(change).lt(0))
		throw fail(
			"InvalidArgumentError",
			`The balance in ${currency} is ${balance}; no more than that can be taken from it.`,
		);
	return insertBalanceEntry(work, { customerId, currency }, { kind: "ADJUSTED", amount: change, reason });
}

export const listBalanceEntries = (
	work: Work,
	customerId: string,
	query: BalanceEntryListQuery,
): Page<CustomerBalanceEntryRow> => pageBalanceEntries(work, customerId, query);
