import { type Decimal, exact, isLess, minus, plus, zero } from "../../../kernel/decimal";
import { creditorReferenceOf, readCreditorReference } from "../../invoices/document/rules.creditor-reference";
import type { StatementEntry } from "../statements/rules.statement";
import { InvoiceNumbers } from "./rules.invoice-numbers";
import { PayerNames } from "./rules.payer-names";
import { sumsTo } from "./rules.sums";
import type { MatchingReason, MatchingRule } from "./schema";

/** An issued invoice with an amount due. */
export interface OpenInvoice {
	readonly id: string;
	readonly number: string;
	readonly sequence: number;
	/** The payer. */
	readonly customerId: string;
	readonly customerName: string;
	/** ISO 4217, lower case. */
	readonly currency: string;
	/** In major units; above zero. */
	readonly due: Decimal;
}

export interface Proposal {
	readonly rule: MatchingRule;
	/** In the order of issue; empty if the movement pays no invoice. */
	readonly invoiceIds: readonly string[];
	readonly reasons: readonly MatchingReason[];
}

export interface Match {
	/** Whether the first proposal is certain enough to be carried out without a person. */
	readonly isAutomatic: boolean;
	/** The best first; empty if nothing matches. */
	readonly proposals: readonly Proposal[];
}

export interface MatchingFacts {
	/** The first invoices of the index; `add` adds others. */
	readonly invoices?: Iterable<OpenInvoice>;
	/** The customers that a person has confirmed for an IBAN. */
	readonly payers?: ReadonlyMap<string, string>;
	/** The invoices of our direct debits, by the end-to-end id that Tollgate gave them. */
	readonly ownReferences?: ReadonlyMap<string, readonly string[]>;
	/** The amount by which a payment may fall short because banks deducted fees, by currency in lower case. */
	readonly feeTolerance?: Readonly<Record<string, Decimal>>;
}

/** Our bound: the proposals of a movement. */
const proposalsMax = 5;

/** Matches incoming movements with open invoices, by the five rules. It keeps an index, so each movement takes microseconds. */
export class Matcher {
	readonly #invoices = new Map<string, OpenInvoice>();
	readonly #byReference = new Map<string, OpenInvoice[]>();
	readonly #ofCustomer = new Map<string, OpenInvoice[]>();
	readonly #numbers = new InvoiceNumbers();
	readonly #names = new PayerNames();
	readonly #facts: MatchingFacts;

	constructor(facts: MatchingFacts) {
		this.#facts = facts;
		for (const invoice of facts.invoices ?? []) this.add(invoice);
	}

	/** Adds an open invoice to the index. */
	add(invoice: OpenInvoice): void {
		this.#invoices.set(invoice.id, invoice);
		this.#numbers.add(invoice.id, invoice.number);
		this.#names.add(invoice.customerId, invoice.customerName);
		put(this.#ofCustomer, invoice.customerId, invoice);
		const reference = creditorReferenceOf(invoice);
		if (reference !== null) put(this.#byReference, reference, invoice);
	}

	/** Returns an invoice of the index. */
	find(id: string): OpenInvoice | undefined {
		return this.#invoices.get(id);
	}

	/** Removes an invoice that is no longer open, or that is added again with another amount due. Its number stays known. */
	remove(id: string): void {
		this.#invoices.delete(id);
	}

	/** Returns the proposals for a movement. A movement out of the account has none. */
	match(entry: StatementEntry): Match {
		if (!isLess(zero, entry.amount)) return { isAutomatic: false, proposals: [] };
		const named = [this.#byCreditorReference(entry), this.#byOwnReference(entry), this.#byNumbers(entry)];
		const certain = named.find((match) => match?.isAutomatic);
		if (certain) return certain;
		const proposals = [...named.flatMap((match) => match?.proposals ?? []), ...this.#byPayer(entry)];
		return { isAutomatic: false, proposals: distinct(proposals.toSorted(byStrength)).slice(0, proposalsMax) };
	}

	#isOpen = (invoice: OpenInvoice): boolean => this.#invoices.get(invoice.id) === invoice;

	/** Rule 1. It needs one invoice of that reference, and its amount or its payer. */
	#byCreditorReference(entry: StatementEntry): Match | undefined {
		const references = new Set(referencesIn(entry));
		if (references.size === 0) return undefined;
		const found = [...references].flatMap((reference) => (this.#byReference.get(reference) ?? []).filter(this.#isOpen));
		if (found.length === 0) return undefined;
		return this.#named(entry, "CREDITOR_REFERENCE", found, found.length === references.size, "REFERENCE_NAMES_INVOICE");
	}

	/** Rule 2. */
	#byOwnReference({ endToEndId, amount, currency }: StatementEntry): Match | undefined {
		const ids = endToEndId === null ? undefined : this.#facts.ownReferences?.get(endToEndId);
		const invoices = ids?.flatMap((id) => this.#invoices.get(id) ?? []) ?? [];
		if (!ids || invoices.length === 0) return undefined;
		const fit = this.#fitOf(invoices, amount, currency);
		const isWhole = invoices.length === ids.length && fit === "AMOUNT_EQUAL";
		return matchOf(isWhole, "OWN_REFERENCE", invoices, ["REFERENCE_NAMES_INVOICE", fit]);
	}

	/** Rule 3. The amounts due sum to the amount, and the payer fits: a typing error may name an invoice of another customer. */
	#byNumbers(entry: StatementEntry): Match | undefined {
		const { ids, unknown } = this.#numbers.find(entry.text);
		const invoices = ids.flatMap((id) => this.#invoices.get(id) ?? []);
		const areAllOpen = unknown.length === 0 && invoices.length === ids.length;
		if (invoices.length > 0) return this.#named(entry, "INVOICE_NUMBERS", invoices, areAllOpen, "TEXT_NAMES_INVOICE");
		const near = unknown
			.flatMap((parts) => this.#numbers.near(parts))
			.flatMap((id) => this.#invoices.get(id) ?? [])
			.filter((invoice) => this.#fitOf([invoice], entry.amount, entry.currency) === "AMOUNT_EQUAL");
		const proposals = near.map((invoice) => {
			const payer = this.#payerReason(entry, invoice.customerId);
			return proposalOf("INVOICE_NUMBERS", [invoice], ["NUMBER_ALMOST_NAMES_INVOICE", "AMOUNT_EQUAL", payer]);
		});
		return proposals.length === 0 ? undefined : { isAutomatic: false, proposals };
	}

	/** Decides about invoices that the movement names. */
	#named(
		entry: StatementEntry,
		rule: MatchingRule,
		invoices: readonly OpenInvoice[],
		isUnique: boolean,
		reason: MatchingReason,
	): Match {
		const fit = this.#fitOf(invoices, entry.amount, entry.currency);
		const customers = new Set(invoices.map(({ customerId }) => customerId));
		const [customer = ""] = customers;
		const payer = this.#payerReason(entry, customer);
		const fitsAmount = fit === "AMOUNT_EQUAL" || fit === "AMOUNT_WITHIN_FEES";
		const fitsPayer = payer === "PAYER_IBAN_KNOWN" || payer === "PAYER_NAME_EQUAL";
		const isContradicted = payer === "PAYER_DIFFERS" && entry.partyIban !== null && this.#knows(entry.partyIban);
		// Check digits protect a reference, so its amount is enough; a number needs its payer too.
		const isCertain = fitsAmount && (rule === "CREDITOR_REFERENCE" ? !isContradicted : fitsPayer);
		return matchOf(isUnique && customers.size === 1 && isCertain, rule, invoices, [reason, fit, payer]);
	}

	/** Rules 4 and 5: the invoices of the payer whose amounts due sum to the amount. */
	#byPayer(entry: StatementEntry): Proposal[] {
		const known = entry.partyIban === null ? undefined : this.#facts.payers?.get(entry.partyIban);
		const named = entry.partyName === null ? [] : this.#names.find(entry.partyName);
		const customers = known === undefined ? named : [known, ...named.filter((id) => id !== known)];
		return customers.flatMap((customer) => {
			const rule = customer === known ? "KNOWN_PAYER" : "PAYER_NAME";
			const payer = customer === known ? "PAYER_IBAN_KNOWN" : "PAYER_NAME_EQUAL";
			const open = (this.#ofCustomer.get(customer) ?? []).filter(
				(invoice) => invoice.currency === entry.currency && this.#isOpen(invoice),
			);
			const groups = sumsTo(open, entry.amount, this.#toleranceOf(entry.currency));
			return groups.map((group) => proposalOf(rule, group, [payer, this.#fitOf(group, entry.amount, entry.currency)]));
		});
	}

	#knows(iban: string): boolean {
		return this.#facts.payers?.has(iban) === true;
	}

	#payerReason({ partyIban, partyName }: StatementEntry, customerId: string): MatchingReason {
		const known = partyIban === null ? undefined : this.#facts.payers?.get(partyIban);
		if (known !== undefined) return known === customerId ? "PAYER_IBAN_KNOWN" : "PAYER_DIFFERS";
		return partyName !== null && this.#names.isOf(customerId, partyName) ? "PAYER_NAME_EQUAL" : "PAYER_DIFFERS";
	}

	#fitOf(invoices: readonly OpenInvoice[], amount: Decimal, currency: string): MatchingReason {
		if (invoices.some((invoice) => invoice.currency !== currency)) return "CURRENCY_DIFFERS";
		const short = minus(
			invoices.reduce((sum, { due }) => plus(sum, due), zero),
			amount,
		);
		if (exact(short).eq(0)) return "AMOUNT_EQUAL";
		const isFee = isLess(zero, short) && !isLess(this.#toleranceOf(currency), short);
		return isFee ? "AMOUNT_WITHIN_FEES" : "AMOUNT_DIFFERS";
	}

	#toleranceOf(currency: string): Decimal {
		return this.#facts.feeTolerance?.[currency] ?? zero;
	}
}

/** Returns the valid references that a movement states, in its own field or within its text. */
function referencesIn({ creditorReference, text }: StatementEntry): string[] {
	const stated = creditorReference === null ? undefined : readCreditorReference(creditorReference);
	const written = [...text.toUpperCase().matchAll(/(?<![A-Z0-9])RF[0-9]{2}(?: ?[A-Z0-9]{1,4}){1,6}/g)].flatMap(
		([found]) => prefixesOf(found).flatMap((part) => readCreditorReference(part) ?? []),
	);
	return [...(stated === undefined ? [] : [stated]), ...written.slice(0, 1)];
}

/** Returns a text with groups, then the text without its last groups: a word may follow the reference. */
function prefixesOf(text: string): string[] {
	const groups = text.split(" ");
	return groups.map((_, at) => groups.slice(0, groups.length - at).join(" "));
}

function put(map: Map<string, OpenInvoice[]>, key: string, invoice: OpenInvoice): void {
	const known = map.get(key);
	if (known) known.push(invoice);
	else map.set(key, [invoice]);
}

const proposalOf = (
	rule: MatchingRule,
	invoices: readonly OpenInvoice[],
	reasons: readonly MatchingReason[],
): Proposal => ({
	rule,
	invoiceIds: invoices.toSorted((one, other) => one.sequence - other.sequence).map(({ id }) => id),
	reasons,
});

const matchOf = (
	isAutomatic: boolean,
	rule: MatchingRule,
	invoices: readonly OpenInvoice[],
	reasons: readonly MatchingReason[],
): Match => ({ isAutomatic, proposals: [proposalOf(rule, invoices, reasons)] });

/** The weight of each reason in the order of proposals. */
const weights: Readonly<Record<MatchingReason, number>> = {
	REFERENCE_NAMES_INVOICE: 6,
	TEXT_NAMES_INVOICE: 5,
	NUMBER_ALMOST_NAMES_INVOICE: 2,
	PAYER_IBAN_KNOWN: 4,
	PAYER_NAME_EQUAL: 3,
	AMOUNT_EQUAL: 4,
	AMOUNT_WITHIN_FEES: 3,
	AMOUNT_DIFFERS: -4,
	CURRENCY_DIFFERS: 0,
	PAYER_DIFFERS: -3,
};

const strengthOf = ({ reasons }: Proposal): number => reasons.reduce((sum, reason) => sum + weights[reason], 0);

const byStrength = (one: Proposal, other: Proposal): number => strengthOf(other) - strengthOf(one);

function distinct(proposals: readonly Proposal[]): Proposal[] {
	const known = new Set<string>();
	return proposals.filter(({ invoiceIds }) => {
		const key = invoiceIds.join();
		return known.has(key) ? false : known.add(key);
	});
}
