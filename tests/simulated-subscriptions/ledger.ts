/** What came of an invoice: what of its total the balance, credit notes and a payment have settled. Whole minor units. */
interface Account {
	readonly currency: string;
	readonly total: bigint;
	readonly fromBalance: bigint;
	/** What payments have paid of it. */
	paid: bigint;
	/** Taken off by credit notes before it was paid. */
	reduced: bigint;
	/** Gone back to the balance. */
	returned: bigint;
	credited: bigint;
	isPaid: boolean;
	isCanceled: boolean;
}

/** What is left to collect of an invoice. */
export interface Owed {
	readonly state: "OPEN" | "PAID" | "CANCELED";
	readonly due: bigint;
}

export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 * Who owes whom: the customer's balance in each currency, and each invoice. A balance pays the next invoices at their issue. A
 * credit note lowers what is due of its invoice first; what the balance or a payment had paid of it goes to the balance. Where
 * there is no invoice, all of it goes there.
 */
export class Ledger<Invoice extends object> {
	readonly #balances = new Map<string, bigint>();
	readonly #accounts = new Map<Invoice, Account>();

	/** Currencies in which there is something, in the order of their codes. */
	get balances(): ReadonlyArray<readonly [currency: string, amount: bigint]> {
		return [...this.#balances].filter(([, amount]) => amount > 0n).sort();
	}

	issue(invoice: Invoice, total: bigint, currency: string): void {
		const balance = this.#balances.get(currency) ?? 0n;
		const fromBalance = total > 0n ? smaller(balance, total) : 0n;
		this.#balances.set(currency, balance - fromBalance);
		const isPaid = total <= fromBalance;
		this.#accounts.set(invoice, {
			currency,
			total,
			fromBalance,
			paid: 0n,
			reduced: 0n,
			returned: 0n,
			credited: 0n,
			isPaid,
			isCanceled: false,
		});
	}

	credit(invoice: Invoice | undefined, amount: bigint, currency: string): void {
		const toBalance = invoice ? this.#take(this.#of(invoice), amount) : amount;
		this.#balances.set(currency, (this.#balances.get(currency) ?? 0n) + toBalance);
	}

	/** All that is due, where no amount is told; what is beyond that goes to the balance. */
	pay(invoice: Invoice, amount?: bigint): void {
		const account = this.#of(invoice);
		const due = dueOf(account);
		const taken = amount === undefined ? due : smaller(amount, due);
		account.paid += taken;
		account.isPaid = taken === due;
		this.#balances.set(account.currency, this.balance(account.currency) + (amount ?? taken) - taken);
	}

	/** What is paid back is due again, unless the invoice is paid: then it comes from the balance. */
	refund(invoice: Invoice, amount: bigint): void {
		const account = this.#of(invoice);
		if (account.isPaid) this.#balances.set(account.currency, this.balance(account.currency) - amount);
		else account.paid -= amount;
	}

	/** What payments have paid of it itself. */
	paidOf(invoice: Invoice): bigint {
		return this.#of(invoice).paid;
	}

	/** Nobody has to pay it any more: what the balance has paid of it goes back. */
	cancel(invoice: Invoice): void {
		const account = this.#of(invoice);
		const returned = account.fromBalance + account.paid - account.returned;
		account.returned += returned;
		account.isCanceled = true;
		this.#balances.set(account.currency, this.balance(account.currency) + returned);
	}

	balance(currency: string): bigint {
		return this.#balances.get(currency) ?? 0n;
	}

	/** How much of it credit notes may still take. */
	leftOf(invoice: Invoice): bigint {
		const { total, credited, isCanceled } = this.#of(invoice);
		return isCanceled ? 0n : total - credited;
	}

	owed(invoice: Invoice): Owed {
		const account = this.#of(invoice);
		return { state: account.isCanceled ? "CANCELED" : account.isPaid ? "PAID" : "OPEN", due: dueOf(account) };
	}

	/** Answers what of it goes to the balance. */
	#take(account: Account, amount: bigint): bigint {
		account.credited += amount;
		const lowered = smaller(amount, dueOf(account));
		const returned = smaller(amount - lowered, account.fromBalance + account.paid - account.returned);
		account.reduced += lowered;
		account.returned += returned;
		if (dueOf(account) === 0n) account.isPaid = true;
		return returned;
	}

	#of(invoice: Invoice): Account {
		const account = this.#accounts.get(invoice);
		if (!account) throw new Error("It was never issued.");
		return account;
	}
}

const dueOf = ({ total, fromBalance, paid, reduced, isPaid, isCanceled }: Account): bigint =>
	isPaid || isCanceled ? 0n : total - fromBalance - paid - reduced;
