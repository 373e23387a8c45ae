import type Stripe from "stripe";
import { type Account, newId } from "./account";
import { invalid } from "./errors";

/** The fee of a charge: 2.9 % and 30 units of the currency. */
const feeOf = (amount: number): number => Math.round(amount * 0.029) + 30;

/** Records a movement of the account's balance. A charge pays a fee. */
export function move(
	account: Account,
	type: Stripe.BalanceTransaction.Type,
	{ amount, currency, source }: { amount: number; currency: string; source: string | null },
	fee = type === "charge" || type === "payment" ? feeOf(amount) : 0,
): Stripe.BalanceTransaction {
	const created = account.clock.seconds();
	const movement: Stripe.BalanceTransaction = {
		...{ id: newId(account, "txn"), object: "balance_transaction", amount, currency, fee, net: amount - fee, type },
		...{ available_on: created + 2 * 86_400, balance_type: "payments", created, description: null },
		...{ exchange_rate: null, reporting_category: type === "adjustment" ? "dispute" : type, source },
		status: "pending",
		fee_details:
			fee === 0 ? [] : [{ amount: fee, application: null, currency, description: "Fees", type: "stripe_fee" }],
	};
	account.objects.movements.set(movement.id, movement);
	return movement;
}

/** The balance of a currency, in its unit. */
export function balanceOf({ objects }: Account, currency: string): number {
	let sum = 0;
	for (const movement of objects.movements.values()) if (movement.currency === currency) sum += movement.net;
	return sum;
}

const currenciesOf = ({ objects }: Account): string[] => [
	...new Set([...objects.movements.values()].map(({ currency }) => currency)),
];

export function balance(account: Account): Stripe.Balance {
	const amounts = currenciesOf(account).map((currency) => ({ amount: balanceOf(account, currency), currency }));
	return { object: "balance", available: amounts, livemode: false, pending: [] };
}

/** Pays out an amount of the balance to the bank, at once. */
export function payOut(account: Account, amount: number, currency: string): Stripe.Payout {
	if (!(amount > 0)) throw invalid("The amount must be greater than 0.", "amount", "parameter_invalid_integer");
	if (amount > balanceOf(account, currency))
		throw invalid("You have insufficient funds in your Stripe account.", "amount", "balance_insufficient");
	const created = account.clock.seconds();
	const id = newId(account, "po");
	const payout: Stripe.Payout = {
		...{ id, object: "payout", amount, currency, created, arrival_date: created + 86_400, automatic: false },
		...{ application_fee: null, application_fee_amount: null, description: null, destination: null },
		...{ failure_balance_transaction: null, failure_code: null, failure_message: null, livemode: false },
		...{ metadata: {}, method: "standard", original_payout: null, payout_method: null, reversed_by: null },
		...{ reconciliation_status: "not_applicable", source_type: "card", statement_descriptor: null, status: "paid" },
		...{ trace_id: null, type: "bank_account" },
		balance_transaction: null,
	};
	account.objects.payouts.set(id, payout);
	payout.balance_transaction = move(account, "payout", { amount: -amount, currency, source: id }).id;
	account.emit("payout.created", payout);
	account.emit("payout.paid", payout);
	return payout;
}

/** Pays out all that each currency has, as the daily payout of an account does. */
export const payOutAll = (account: Account): Stripe.Payout[] =>
	currenciesOf(account)
		.map((currency) => ({ currency, amount: balanceOf(account, currency) }))
		.filter(({ amount }) => amount > 0)
		.map(({ amount, currency }) => payOut(account, amount, currency));
