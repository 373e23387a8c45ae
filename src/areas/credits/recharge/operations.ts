import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { getCurrency, getShownCurrency } from "../../currencies/operations";
import { getCustomer } from "../../customers/operations";
import { assertNotArchived } from "../../customers/rules";
import { creditAmountOf } from "../rules.amounts";
import { findWallet } from "../store.wallets";
import type { CreditAutoRechargeRow } from "../table";
import { emitRechargeSaved } from "./events";
import { assertTargetAbove, type CreditPrice, thresholdInCredits } from "./rules";
import { balanceOf } from "./schedule";
import type { AutoRechargeQuery, AutoRechargeSave } from "./schema";
import { findRecharge, insertRecharge, type RechargeOf, saveRecharge } from "./store";

/** Finds the price of one credit in the customer's plan (row ids). The subscriptions area implements it; routes/credits.ts passes it here. */
export type FindCreditPrice = (work: Work, of: RechargeOf) => CreditPrice | undefined;

/** Returns the stored settings, if any. Throws CustomerNotFound, CustomCurrencyNotFound. */
export const getAutoRecharge = (work: Work, query: AutoRechargeQuery): CreditAutoRechargeRow | undefined =>
	findRecharge(work, {
		customerId: getCustomer(work, query.customerId).id,
		currencyId: getShownCurrency(work, query.currencyId).id,
	});

/**
 * Replaces the settings. A balance that is already low is recharged at once. Throws CustomerNotFound, EntityIsArchivedError,
 * CustomCurrencyNotFound; BadUserInput where the target is not above the threshold, or a credit has no price.
 */
export function saveAutoRecharge(
	work: Work,
	input: AutoRechargeSave,
	creditPriceOf: FindCreditPrice,
): CreditAutoRechargeRow {
	const customer = getCustomer(work, input.customerId);
	const of = { customerId: customer.id, currencyId: getCurrency(work, input.currencyId).id };
	assertNotArchived(customer);
	const { isEnabled, thresholdType, grantExpirationPeriod, unitPrice, maxSpendLimit } = input;
	const own = unitPrice ? { amount: toDecimal(unitPrice.amount), currency: unitPrice.currency } : undefined;
	const price = creditPriceOf(work, of) ?? own;
	if (isEnabled && !price)
		throw fail(
			"BadUserInput",
			"/unitPrice: the customer's plan sells no credits of this currency; send the price of one credit.",
		);
	const thresholdValue = creditAmountOf("/thresholdValue", input.thresholdValue);
	const thresholdCredits = thresholdInCredits(thresholdType, thresholdValue, price);
	const targetBalance = creditAmountOf("/targetBalance", input.targetBalance);
	if (isEnabled || thresholdType === "CREDIT_AMOUNT") assertTargetAbove(thresholdCredits, targetBalance);
	const settings = {
		...{ isEnabled, thresholdType, thresholdValue, thresholdCredits, targetBalance, grantExpirationPeriod },
		maxSpendLimit: maxSpendLimit == null ? null : toDecimal(maxSpendLimit),
		unitPrice: own?.amount ?? null,
		unitCurrency: own?.currency ?? null,
		problem: null,
	};
	const known = findRecharge(work, of);
	const isDue = isEnabled && !known?.pendingGrantId && exact(balanceIn(work, of)).lte(exact(thresholdCredits));
	const nextDueAt = isDue ? work.now : null;
	if (isDue) work.wake("scheduler");
	const saved = known
		? saveRecharge(work, known, { ...settings, nextDueAt, updatedAt: work.now })
		: insertRecharge(work, { ...of, ...settings, nextDueAt, spentMonth: null, spent: zero, pendingGrantId: null });
	emitRechargeSaved(work, saved);
	return saved;
}

function balanceIn(work: Work, of: RechargeOf): Decimal {
	const wallet = findWallet(work, { ...of, resourceRef: "" });
	return wallet ? balanceOf(wallet) : zero;
}
