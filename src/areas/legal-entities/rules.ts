import { type Instant, toIso } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { Address, TaxId } from "../../kernel/schema";
import type { ExchangeRate, IssuerWarning } from "./schema";

export type DocumentKind = "INVOICE" | "CREDIT_NOTE";

/** Receipts are counted, and have no prefix of their own. */
export type CountedKind = DocumentKind | "RECEIPT";

interface Numbered {
	readonly invoicePrefix: string;
	readonly creditNotePrefix: string;
	readonly numberYear: boolean;
	readonly numberPadding: number;
}

/** "INV-000042", or "ACME-2026-0042" where numbers carry their year. A count that outgrows its zeros simply grows. */
export function documentNumber(
	{ invoicePrefix, creditNotePrefix, numberPadding }: Numbered,
	kind: DocumentKind,
	year: number,
	count: number,
): string {
	const prefix = kind === "INVOICE" ? invoicePrefix : creditNotePrefix;
	return `${prefix}${year === 0 ? "" : `${year}-`}${String(count).padStart(numberPadding, "0")}`;
}

/**
 * Whether a number consists of one of these prefixes (as `stemOf` writes them), its year if it is counted by year, and its
 * count. How many zeros a number has may change from document to document.
 */
export function isNumberOf(number: string, stems: readonly string[], year: number, count: number): boolean {
	const digits = `${year === 0 ? "" : `${year}-`}0*${count}`;
	const counted = new RegExp(`${digits}$`).exec(number);
	if (!counted) return false;
	const { index } = counted;
	// A prefix may itself end in zeros.
	const ends = Array.from({ length: number.length - index }, (_, more) => number.slice(0, index + more));
	return ends.some((prefix) => stems.includes(stemOf(prefix)));
}

/** The year, in UTC, by which a document is counted; 0 where numbers carry none. */
export const countedYear = ({ numberYear }: Pick<Numbered, "numberYear">, at: Instant): number =>
	numberYear ? Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC").year : 0;

/** Returns the part of a prefix that must be unique: people would read "INV-" and "inv." as one. */
export const stemOf = (prefix: string): string => prefix.replace(/[._-]+$/, "").toUpperCase();

/** The fields of an issuer that a warning depends on. */
interface ShownIssuer {
	readonly name: string;
	readonly address: Address | null;
	readonly taxIds: readonly TaxId[];
}

/** Returns what an issuer lacks for a valid invoice. Tollgate issues the invoice all the same: no sale fails for it. */
export function warningsOfIssuer({ name, address, taxIds }: ShownIssuer): IssuerWarning[] {
	const lacking = (["line1", "city", "country"] as const).filter((part) => !address?.[part]?.trim());
	const remedy = "Add it to the legal entity (PATCH /api/v1/legal-entities/{id}) before you issue invoices.";
	return [
		...(lacking.length === 0
			? []
			: [
					{
						code: "ISSUER_ADDRESS_MISSING" as const,
						message: `The issuer '${name}' has no complete address: ${lacking.join(", ")} is missing. ${remedy}`,
					},
				]),
		...(taxIds.length > 0
			? []
			: [{ code: "ISSUER_TAX_ID_MISSING" as const, message: `The issuer '${name}' has no tax ID. ${remedy}` }]),
	];
}

/** Without blanks, in upper case; InvalidArgumentError when its check digits (ISO 7064, modulo 97) do not fit. */
export function checkedIban(given: string): string {
	const iban = given.replaceAll(" ", "").toUpperCase();
	// The country and the check digits go to the end, letters count from 10; long numbers are divided piece by piece.
	const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
	let rest = 0;
	for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
	if (iban.length < 15 || iban.length > 34 || rest !== 1)
		throw fail(
			"InvalidArgumentError",
			`'${given}' is no IBAN: its length or its check digits are wrong; copy it again from the bank's papers.`,
		);
	return iban;
}

/** Throws InvalidTaxId when a number of the European VAT does not begin with its country. */
export function assertTaxIds(taxIds: readonly TaxId[]): void {
	for (const { type, value } of taxIds)
		if (type.toLowerCase() === "eu_vat" && !/^[A-Z]{2}[0-9A-Z+*]{2,13}$/.test(value.replace(/[ .-]/g, "")))
			throw fail(
				"InvalidTaxId",
				`'${value}' is no European VAT number; it begins with its country, as in DE136695976.`,
			);
}

/** Throws InvalidArgumentError when a currency has two rates for a day, or the calendar has no such day. */
export function assertExchangeRates(rates: readonly ExchangeRate[]): void {
	const known = new Set<string>();
	for (const { currency, date } of rates) {
		if (!isDay(date))
			throw fail("InvalidArgumentError", `'exchangeRates' names ${date}, which is no day of the calendar.`);
		const key = `${currency} ${date}`;
		if (known.has(key))
			throw fail("InvalidArgumentError", `'exchangeRates' has two rates of ${currency} for ${date}; give one of them.`);
		known.add(key);
	}
}

function isDay(date: string): boolean {
	const at = new Date(`${date}T00:00:00Z`);
	return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date);
}

/** The rate of a currency that holds at an instant: the newest whose day has come. Undefined where none is known. */
export const exchangeRateAt = (
	rates: readonly ExchangeRate[],
	currency: string,
	at: Instant,
): ExchangeRate | undefined =>
	rates
		.filter((rate) => rate.currency === currency && rate.date <= toIso(at).slice(0, 10))
		.toSorted((one, other) => one.date.localeCompare(other.date))
		.at(-1);

/** Throws InvalidArgumentError unless it is a language tag that the runtime can read. */
export function assertLanguage(language: string): void {
	try {
		Intl.getCanonicalLocales(language);
	} catch {
		throw fail("InvalidArgumentError", `'${language}' is no language; give a tag such as 'de' or 'fr-CH'.`);
	}
}
