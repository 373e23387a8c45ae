import { type Decimal, exact, plus, toDecimal, zero } from "../../../kernel/decimal";
import { type DomainError, fail, shorten } from "../../../kernel/errors";
import { currencyCodes, minorDigits } from "../../../kernel/money";

/** The formats of bank statements that Tollgate reads. */
export const statementFormats = ["CAMT", "MT940", "CSV"] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** Our bound: the entries of a file. */
export const entriesMax = 100_000;

/** Our bound: the characters of each text that an entry keeps. */
const textMax = 2000;

/** The head of a statement. */
interface StatementHead {
	/** The account as the bank states it: an IBAN, or a national number. Without spaces, upper case. */
	readonly account: string;
	/** ISO 4217, lower case; null if only the entries state it. */
	readonly currency: string | null;
	/** The bank's number of the statement; null if the file states none. */
	readonly number: string | null;
	/** The statement's position in a sequence without gaps; null if the file states none. */
	readonly sequence: number | null;
}

/** One movement of money on the account. */
export interface StatementEntry {
	/** In major units; negative for money that left the account. */
	readonly amount: Decimal;
	/** ISO 4217, lower case. */
	readonly currency: string;
	/** Days such as 2026-02-01. */
	readonly bookedOn: string;
	readonly valueOn: string | null;
	/** The entry corrects an earlier entry, or returns it. */
	readonly isReversal: boolean;
	readonly bankReference: string | null;
	readonly endToEndId: string | null;
	readonly mandateId: string | null;
	/** A structured reference of the creditor, such as ISO 11649. */
	readonly creditorReference: string | null;
	/** The ISO code of a return, such as AC04. */
	readonly returnCode: string | null;
	/** The other party: the payer of a credit. */
	readonly partyName: string | null;
	readonly partyIban: string | null;
	/** The remittance text. */
	readonly text: string;
}

interface Balances {
	/** Both are signed; null if the file states none, as in notifications. */
	readonly opening: Decimal | null;
	readonly closing: Decimal | null;
}

/** A reader returns a file as these events in order. PROGRESS means work without a result, so that a caller can pause. */
export type StatementEvent =
	| { readonly kind: "OPENED"; readonly line: number; readonly head: StatementHead }
	| { readonly kind: "ENTRY"; readonly line: number; readonly entry: StatementEntry }
	| { readonly kind: "CLOSED"; readonly line: number; readonly balances: Balances }
	| { readonly kind: "PROGRESS" };

/** Returns the error of a file: the line, and the reason with its remedy. */
export const refuse = (line: number, reason: string): DomainError => fail("BadUserInput", `Line ${line}: ${reason}`);

/** Returns the error of a file that ends too early. */
export const refuseCut = (line: number, missing: string): DomainError =>
	refuse(line, `the file ends in the middle: ${missing} is missing. Download it from the bank again.`);

/**
 * Passes on the events of a file, and checks that it has at most `entriesMax` entries and that the opening balance and the entries of each
 * statement sum to its closing balance. Throws BadUserInput with the line and the figures.
 */
export function* checkedEvents(events: Iterable<StatementEvent>): Generator<StatementEvent> {
	let entries = 0;
	let statements = 0;
	let total: Decimal = zero;
	for (const event of events) {
		if (event.kind === "OPENED") {
			total = zero;
			statements += 1;
		}
		if (event.kind === "ENTRY") {
			entries += 1;
			if (entries > entriesMax)
				throw refuse(event.line, `the file has more than ${entriesMax} entries; import it in several files.`);
			total = plus(total, event.entry.amount);
		}
		if (event.kind === "CLOSED") assertSum(event.line, event.balances, total);
		yield event;
	}
	if (statements === 0) throw refuse(1, "the file has no statement. Send a statement as the bank provides it.");
}

function assertSum(line: number, { opening, closing }: Balances, total: Decimal): void {
	if (opening === null || closing === null) return;
	const expected = exact(opening).plus(exact(total));
	if (!expected.eq(closing))
		throw refuse(
			line,
			`the opening balance ${opening} and the entries, which sum to ${total}, make ${expected.toFixed()}; the closing balance is ${closing}. Download the whole statement from the bank again.`,
		);
}

const known: ReadonlySet<string> = new Set(currencyCodes);

/** Returns a currency in lower case. Throws BadUserInput unless it is one of ISO 4217. */
export function currencyAt(line: number, stated: string): string {
	const currency = stated.toLowerCase();
	if (!known.has(currency)) throw refuse(line, `'${shorten(stated)}' is no currency of ISO 4217.`);
	return currency;
}

/** Returns an unsigned amount with a decimal point. Throws BadUserInput for other texts, and for parts of a minor unit. */
export function amountAt(line: number, stated: string, currency: string | null): Decimal {
	if (!/^[0-9]{1,15}(\.[0-9]{0,6})?$/.test(stated))
		throw refuse(line, `'${shorten(stated)}' is no amount, such as 1250.00.`);
	const amount = toDecimal(exact(stated.endsWith(".") ? stated.slice(0, -1) : stated));
	const places = amount.split(".")[1]?.length ?? 0;
	if (currency !== null && places > minorDigits(currency))
		throw refuse(line, `the amount ${stated} has parts of a minor unit of ${currency.toUpperCase()}.`);
	return amount;
}

export const negated = (amount: Decimal): Decimal => toDecimal(exact(amount).times(-1));

/** Returns a day such as 2026-02-01. Throws BadUserInput unless the calendar has it. */
export function dayAt(line: number, year: number, month: number, day: number): string {
	const at = new Date(Date.UTC(year, month - 1, day));
	const isDay = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
	if (!isDay) throw refuse(line, `${year}-${month}-${day} is no day of the calendar.`);
	return at.toISOString().slice(0, 10);
}

/** Returns a text without surplus spaces, at most 2,000 characters of it; null if it is empty or says that there is none. */
export function textOrNull(text: string | undefined): string | null {
	const plain =
		text
			?.slice(0, 2 * textMax)
			.replace(/\s+/g, " ")
			.trim()
			.slice(0, textMax) ?? "";
	return plain === "" || plain === "NOTPROVIDED" || plain === "NONREF" ? null : plain;
}

/** Returns an account number without spaces, in upper case; null if there is none. */
export function accountOrNull(text: string | undefined): string | null {
	const account = text?.slice(0, textMax).replace(/\s+/g, "").toUpperCase() ?? "";
	return account === "" ? null : account.slice(0, 64);
}
