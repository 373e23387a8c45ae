/** The settled parts of an invoice's total: by the balance, credit notes and payments. Whole minor units. */
interface Account {
	readonly currency: string;
	readonly total: bigint;
	readonly fromBalance: bigint;
	/** Paid by payments. */
	paid: bigint;
	/** Reduced by credit notes before it was paid. */
	reduced: bigint;
	/** Returned to the balance. */
	returned: bigint;
	credited: bigint;
	isPaid: boolean;
	isCanceled: boolean;
}

/** The open amount of an invoice. */
export interface Owed {
	readonly state: "OPEN" | "PAID" | "CANCELED";
	readonly due: bigint;
}

export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/**
 * The customer's balance in each currency, and the state of each invoice. A balance pays the next invoices at their
 * issue. A credit note first lowers the due amount of its invoice; the paid part goes to the balance. Without an
 * invoice all of it goes there.
 */
export class Ledger<Invoice extends object> {
	readonly #balances = new Map<string, bigint>();
	readonly #accounts = new Map<Invoice, Account>();

	/** Currencies with a balance, in the order of their codes. */
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

	/** Pays the due amount by default; an excess goes to the balance. */
	pay(invoice: Invoice, amount?: bigint): void {
		const account = this.#of(invoice);
		const due = dueOf(account);
		const taken = amount === undefined ? due : smaller(amount, due);
		account.paid += taken;
		account.isPaid = taken === due;
		this.#balances.set(account.currency, this.balance(account.currency) + (amount ?? taken) - taken);
	}

	/** A refund makes the amount due again; a refund of a paid invoice comes from the balance. */
	refund(invoice: Invoice, amount: bigint): void {
		const account = this.#of(invoice);
		if (account.isPaid) this.#balances.set(account.currency, this.balance(account.currency) - amount);
		else account.paid -= amount;
	}

	/** The amount that payments have paid. */
	paidOf(invoice: Invoice): bigint {
		return this.#of(invoice).paid;
	}

	/** Cancels an invoice: the amount that the balance paid returns. */
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

	/** The amount that credit notes may still credit. */
	leftOf(invoice: Invoice): bigint {
		const { total, credited, isCanceled } = this.#of(invoice);
		return isCanceled ? 0n : total - credited;
	}

	owed(invoice: Invoice): Owed {
		const account = this.#of(invoice);
		return { state: account.isCanceled ? "CANCELED" : account.isPaid ? "PAID" : "OPEN", due: dueOf(account) };
	}

	/** Returns the part that goes to the balance. */
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
