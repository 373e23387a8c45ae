/**
 * Calculates a wallet after a history, with lists and whole numbers of millionths. It shares no order, arithmetic or account with the
 * code under test.
 */
export interface Granted {
	readonly name: string;
	readonly type: "PAID" | "PROMOTIONAL" | "RECURRING";
	/** In millionths of a credit, as all amounts in this file. */
	readonly amount: bigint;
	readonly priority: number;
	/** Hours since the start of the history. */
	readonly from: number;
	readonly until: number | null;
	readonly awaitsPayment: boolean;
}

interface Standing extends Granted {
	status: "PAYMENT_PENDING" | "SCHEDULED" | "ACTIVE" | "EXPIRED" | "VOIDED";
	consumed: bigint;
}

export class WalletOracle {
	readonly grants: Standing[] = [];
	/** `type amount grant`, in order. */
	readonly ledger: string[] = [];
	overdraft = 0n;
	/** The number of overdrafts, including the open one. */
	overdrafts = 0;
	#now = 0;

	turn(hours: number): void {
		this.#now += hours;
	}

	grant(granted: Granted): void {
		this.#passTime();
		const grant: Standing = {
			...granted,
			status: granted.awaitsPayment ? "PAYMENT_PENDING" : "SCHEDULED",
			consumed: 0n,
		};
		this.grants.push(grant);
		if (!granted.awaitsPayment) this.#begin(grant);
	}

	pay(at: number): void {
		this.#passTime();
		const grant = this.grants[at];
		if (grant?.status !== "PAYMENT_PENDING") return;
		grant.status = "SCHEDULED";
		this.#begin(grant);
	}

	void(at: number): void {
		this.#passTime();
		const grant = this.grants[at];
		if (!grant || grant.status === "EXPIRED" || grant.status === "VOIDED") return;
		if (grant.status === "ACTIVE" && grant.amount > grant.consumed)
			this.#write("VOIDED", grant.amount - grant.consumed, grant.name);
		grant.status = "VOIDED";
	}

	draw(amount: bigint): void {
		this.#passTime();
		let wanted = amount;
		for (const grant of this.#inOrder()) {
			const left = grant.amount - grant.consumed;
			const part = smaller(left, wanted);
			if (part <= 0n) continue;
			grant.consumed += part;
			wanted -= part;
			this.#write("CONSUMED", part, grant.name);
		}
		if (wanted === 0n) return;
		if (this.overdraft === 0n) this.overdrafts += 1;
		this.overdraft += wanted;
		this.#write("CONSUMED", wanted, "Overdraft");
	}

	/** Returns the granted credits of active grants, and the used credits including the overdraft. */
	shown(): { readonly limit: bigint; readonly usage: bigint } {
		const active = this.grants.filter(({ status }) => status === "ACTIVE");
		return {
			limit: active.reduce((total, { amount }) => total + amount, 0n),
			usage: active.reduce((total, { consumed }) => total + consumed, this.overdraft),
		};
	}

	/** Returns the accounts from the entries of the ledger. */
	accounts(): Readonly<Record<"granted" | "overdraft" | "balance" | "consumed" | "expired" | "voided", bigint>> {
		const total = (...types: string[]): bigint =>
			this.ledger
				.map((line) => line.split(" "))
				.filter(([type = ""]) => types.includes(type))
				.reduce((sum, [, amount = ""]) => sum + millionths(amount), 0n);
		const granted = total("GRANTED");
		const expired = total("EXPIRED");
		const voided = total("VOIDED");
		const consumed = total("CONSUMED");
		return {
			granted,
			overdraft: this.overdraft,
			balance: granted + this.overdraft - consumed - expired - voided,
			consumed,
			expired,
			voided,
		};
	}

	#begin(grant: Standing): void {
		if (grant.from > this.#now) return;
		this.#activate(grant, grant.until === null || grant.until > this.#now);
		if (grant.until !== null && grant.until <= this.#now) this.#expire(grant);
	}

	#activate(grant: Standing, counts: boolean): void {
		grant.status = "ACTIVE";
		this.#write("GRANTED", grant.amount, grant.name);
		if (!counts || this.overdraft === 0n) return;
		const settled = smaller(this.overdraft, grant.amount);
		this.overdraft -= settled;
		grant.consumed += settled;
		this.#write("TRANSFER_SOURCE", settled, "Overdraft");
		this.#write("TRANSFER_TARGET", settled, grant.name);
	}

	#expire(grant: Standing): void {
		grant.status = "EXPIRED";
		if (grant.amount > grant.consumed) this.#write("EXPIRED", grant.amount - grant.consumed, grant.name);
	}

	/** Carries out steps in order of time; at the same time, the older grant goes first. */
	#passTime(): void {
		for (;;) {
			const due = this.grants
				.map((grant, age) => ({ grant, age, at: this.#dueAt(grant) }))
				.filter(({ at }) => at <= this.#now)
				.sort((one, other) => one.at - other.at || one.age - other.age)[0];
			if (!due) return;
			if (due.grant.status === "SCHEDULED") this.#activate(due.grant, true);
			else this.#expire(due.grant);
		}
	}

	#dueAt({ status, from, until }: Standing): number {
		if (status === "SCHEDULED") return from;
		return status === "ACTIVE" && until !== null ? until : Number.POSITIVE_INFINITY;
	}

	#inOrder(): Standing[] {
		const paidLast = ({ type }: Granted): number => (type === "PAID" ? 1 : 0);
		const end = ({ until }: Granted): number => until ?? Number.MAX_VALUE;
		return this.grants
			.map((grant, age) => ({ grant, age }))
			.filter(({ grant }) => grant.status === "ACTIVE")
			.sort(
				({ grant: one, age: first }, { grant: other, age: second }) =>
					one.priority - other.priority ||
					end(one) - end(other) ||
					paidLast(one) - paidLast(other) ||
					one.from - other.from ||
					first - second,
			)
			.map(({ grant }) => grant);
	}

	#write(type: string, amount: bigint, name: string): void {
		this.ledger.push(`${type} ${spelled(amount)} ${name}`);
	}
}

/** As stored: without trailing zeros. */
export function spelled(amount: bigint): string {
	const sign = amount < 0n ? "-" : "";
	const digits = (amount < 0n ? -amount : amount).toString().padStart(7, "0");
	const fraction = digits.slice(-6).replace(/0+$/, "");
	return `${sign}${digits.slice(0, -6)}${fraction === "" ? "" : `.${fraction}`}`;
}

export function millionths(text: string): bigint {
	const [whole = "", fraction = ""] = text.split(".");
	return BigInt(whole + fraction.padEnd(6, "0"));
}

function smaller(one: bigint, other: bigint): bigint {
	if (one < other) return one;
	return other;
}
