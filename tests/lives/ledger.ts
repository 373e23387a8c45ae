/** What came of an invoice: what of its total the balance, credit notes and a payment have settled. Whole minor units. */
interface Account {
	readonly currency: string;
	readonly total: bigint;
	readonly fromBalance: bigint;
	/** Taken off by credit notes before it was paid. */
	reduced: bigint;
	/** Gone back to the balance. */
	returned: bigint;
	credited: bigint;
	isPaid: boolean;
}

/** What is left to collect of an invoice. */
export interface Owed {
	readonly state: "OPEN" | "PAID";
	readonly due: bigint;
}

export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 * Who owes whom: the customer's balance in each currency, and each invoice. A balance pays the next invoices at their issue. A
 * credit note lowers what is due of its invoice first; what the balance had paid of it goes back there; what else was paid is
 * the customer's outside of these books. Where there is no invoice, all of it goes to the balance.
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
		this.#accounts.set(invoice, { currency, total, fromBalance, reduced: 0n, returned: 0n, credited: 0n, isPaid });
	}

	credit(invoice: Invoice | undefined, amount: bigint, currency: string): void {
		const toBalance = invoice ? this.#take(this.#of(invoice), amount) : amount;
		this.#balances.set(currency, (this.#balances.get(currency) ?? 0n) + toBalance);
	}

	pay(invoice: Invoice): void {
		this.#of(invoice).isPaid = true;
	}

	/** How much of it credit notes may still take. */
	leftOf(invoice: Invoice): bigint {
		const { total, credited } = this.#of(invoice);
		return total - credited;
	}

	owed(invoice: Invoice): Owed {
		const account = this.#of(invoice);
		return { state: account.isPaid ? "PAID" : "OPEN", due: dueOf(account) };
	}

	/** Answers what of it goes to the balance. */
	#take(account: Account, amount: bigint): bigint {
		account.credited += amount;
		const lowered = smaller(amount, dueOf(account));
		const returned = smaller(amount - lowered, account.fromBalance - account.returned);
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

const dueOf = ({ total, fromBalance, reduced, isPaid }: Account): bigint =>
	isPaid ? 0n : total - fromBalance - reduced;
