/** An independent calculation of a contract's invoices, credits and payments. It imports nothing of `src`. */
import { digitsOf } from "../../support/oracle/pricing";
import { parse } from "../../support/oracle/rational";
import type { Act } from "../acts";
import type { Issued, Line } from "../bill";
import { dayMs } from "../calendar";
import { plain, type Used } from "../calls";
import { Meters } from "../counting";
import { creditedByTaxRate, cut, negative, sumOf } from "../credit-lines";
import { Ledger, smaller } from "../ledger";
import { Refused } from "../refused";
import { Contract, type Issuing } from "./contract";
import { minorOf } from "./prices";
import type { ContractAct, Crediting } from "./requests";

/** The credited part of an invoice line. */
interface Given {
	readonly at: number;
	readonly line: Line;
}

/** Its name in the documents. */
export const contractRef = "deal";

export class ContractOracle {
	readonly issued: Issued[] = [];
	readonly #meters = new Meters();
	readonly #ledger = new Ledger<Issued>();
	/** The credit notes of an invoice, and the credited part of its lines. */
	readonly #notes = new Map<Issued, Array<{ readonly note: Issued; readonly given: readonly Given[] }>>();
	contract: Contract | undefined;

	get balances() {
		return this.#ledger.balances;
	}

	get invoices() {
		return this.#invoices.map((invoice) => ({ ...invoice, ...this.#ledger.owed(invoice) }));
	}

	get #invoices(): Issued[] {
		return this.issued.filter(({ kind }) => kind === "invoice");
	}

	/** The state of the contract, and the total of the whole term. */
	get agreed(): { readonly phase: string; readonly total: bigint } | undefined {
		const { contract } = this;
		return contract && { phase: contract.phase === "AMENDING" ? "ACTIVE" : contract.phase, total: contract.total };
	}

	/** Returns the amount that a refund may pay of an invoice; the customer's balance pays it where the invoice is PAID. */
	refundableOf(nth: number): bigint {
		const invoice = this.#invoice(nth);
		const paid = this.#ledger.paidOf(invoice);
		const isPaid = this.#ledger.owed(invoice).state === "PAID";
		return isPaid ? smaller(paid, this.#ledger.balance(invoice.currency)) : paid;
	}

	/** Returns the amount of an invoice that a credit note may still credit without naming lines. */
	creditableOf(nth: number): bigint {
		const invoice = this.#invoice(nth);
		const lefts = invoice.lines.map((line, at) => this.#leftOf(invoice, line, at));
		const ofCharges = lefts.reduce((sum, { kind, total }) => (kind === "usage" || total >= 0n ? sum : sum - total), 0n);
		return smaller(ofCharges, this.#ledger.leftOf(invoice));
	}

	nextDue(): number | undefined {
		return this.contract?.next()?.at;
	}

	report(used: readonly Used[]): void {
		this.#meters.report(used);
	}

	run(until: number): void {
		this.contract?.run(until);
	}

	pay(nth: number): void {
		const invoice = this.#invoice(nth);
		if (this.#ledger.owed(invoice).state !== "OPEN") throw new Refused(`open invoice ${nth}`);
		this.#ledger.pay(invoice);
	}

	tell(act: Act): void {
		switch (act.do) {
			case "use":
				this.report(act.used);
				return;
			case "pay":
				this.run(act.at);
				this.pay(act.invoice);
				return;
			case "credit":
				this.run(act.at);
				this.credit(act.at, act.invoice);
				return;
			case "contract":
				this.act(act.at, act.act);
				return;
			default:
				this.run(act.at);
		}
	}

	act(now: number, act: ContractAct): void {
		this.run(now);
		const { contract } = this;
		if (act.do === "draft") {
			this.contract = new Contract(act.body, { issuing: this.#issuing, meters: this.#meters });
			return;
		}
		if (!contract) throw new Refused("contract");
		switch (act.do) {
			case "add items":
				contract.add(now, act.body);
				return;
			case "replace rows":
				contract.replaceRows(act.item, act.rows);
				return;
			case "remove row":
				contract.removeRow(act.item, act.row);
				return;
			case "remove item":
				contract.remove(now, act.item);
				return;
			case "change terms":
				contract.changeTerms(now, act.body);
				return;
			case "set renewal":
				contract.setRenewal(now, act.body);
				return;
			case "publish contract":
				contract.publish(now);
				return;
			case "amend":
				contract.amend(act.includeCurrentInvoice);
				return;
			case "discard":
				contract.discard(now);
				return;
			case "cancel billing":
				contract.cancel();
				return;
			case "archive":
				contract.archive();
				return;
			case "pay part":
				this.#ledger.pay(this.#invoice(act.invoice), this.#minorOf(act.invoice, act.amount));
				return;
			case "refund":
				this.#ledger.refund(this.#invoice(act.invoice), this.#minorOf(act.invoice, act.amount));
				return;
			case "credit part":
				this.#creditPart(now, act.invoice, act.body);
		}
	}

	/** Credits the rest of an invoice, except for usage. */
	credit(now: number, nth: number): void {
		if (!this.#creditRest(now, this.#invoice(nth))) throw new Refused(`invoice ${nth} with anything to credit`);
	}

	readonly #issuing: Issuing = {
		invoice: (now, lines, netTerms, currency) => {
			// No document is dated before the last numbered one.
			const at = Math.max(now, this.#invoices.at(-1)?.at ?? now);
			const invoice: Issued = {
				kind: "invoice",
				subscription: contractRef,
				at,
				dueAt: at + netTerms * dayMs,
				reason: "BILLING_CYCLE",
				currency,
				lines,
			};
			this.issued.push(invoice);
			this.#ledger.issue(
				invoice,
				lines.reduce((sum, { total }) => sum + total, 0n),
				currency,
			);
			return invoice;
		},
		creditRest: (now, invoice) => {
			this.#creditRest(now, invoice);
		},
	};

	/** Usage stays, and credited amounts are not credited again. */
	#creditRest(now: number, invoice: Issued): boolean {
		const given = invoice.lines.flatMap((line, at) => (line.kind === "usage" ? [] : [{ at, line: negative(line) }]));
		const earlier = (this.#notes.get(invoice) ?? []).flatMap(({ note }) =>
			creditedByTaxRate(note.lines.filter(({ kind, total }) => kind !== "usage" && total < 0n)),
		);
		const lines = [...given.map(({ line }) => line), ...earlier];
		const left = this.#ledger.leftOf(invoice);
		if (sumOf(given.map(({ line }) => line)) >= 0n || sumOf(lines) >= 0n || left <= 0n) return false;
		const part = -sumOf(lines) <= left ? lines : cut(lines, left)[0];
		this.#note(now, invoice, part, given);
		return true;
	}

	#creditPart(now: number, nth: number, { amount, lines: named }: Crediting): void {
		const invoice = this.#invoice(nth);
		const lefts = invoice.lines.map((line, at) => this.#leftOf(invoice, line, at));
		const given: Given[] = [];
		const give = (at: number, wanted: bigint) => {
			const left = lefts[at];
			if (!left || wanted > -left.total) throw new Refused(`so much of line ${at + 1} of invoice ${nth}`);
			given.push({
				at,
				line: wanted === -left.total ? left : { ...(cut([left], wanted)[0][0] ?? left), quantity: null },
			});
		};
		if (named)
			for (const { line, amount: wanted } of named)
				give(line - 1, wanted === undefined ? -(lefts[line - 1]?.total ?? 0n) : this.#minorOf(nth, wanted));
		else {
			let open = this.#minorOf(nth, amount ?? 0);
			for (const [at, left] of lefts.entries()) {
				if (left.kind === "usage" || left.total >= 0n || open === 0n) continue;
				const taken = smaller(open, -left.total);
				give(at, taken);
				open -= taken;
			}
			if (open > 0n) throw new Refused(`so much of invoice ${nth}`);
		}
		this.#note(
			now,
			invoice,
			given.map(({ line }) => line),
			given,
		);
	}

	/** Returns the rest of an invoice line that can be credited. */
	#leftOf(invoice: Issued, line: Line, at: number): Line {
		const before = (this.#notes.get(invoice) ?? []).flatMap(({ given }) => given.filter((one) => one.at === at));
		const less = (part: "amount" | "discount" | "tax" | "total") =>
			before.reduce((rest, one) => rest - one.line[part], -line[part]);
		return {
			...line,
			...(before.length > 0 && { unitPrice: null }),
			amount: less("amount"),
			discount: less("discount"),
			tax: less("tax"),
			total: less("total"),
		};
	}

	#note(now: number, invoice: Issued, lines: readonly Line[], given: readonly Given[]): void {
		const { currency } = invoice;
		const note: Issued = {
			kind: "credit note",
			subscription: contractRef,
			at: now,
			dueAt: null,
			reason: "ORDER_CHANGE",
			currency,
			lines,
		};
		this.issued.push(note);
		this.#ledger.credit(invoice, -sumOf(lines), currency);
		this.#notes.set(invoice, [...(this.#notes.get(invoice) ?? []), { note, given }]);
	}

	#minorOf(nth: number, amount: number): bigint {
		return minorOf(parse(plain(amount)), digitsOf(this.#invoice(nth).currency));
	}

	#invoice(nth: number): Issued {
		const invoice = this.#invoices[nth];
		if (!invoice) throw new Refused(`invoice ${nth}`);
		return invoice;
	}
}
