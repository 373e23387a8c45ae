import { fail } from "../../kernel/errors";
import type { Address } from "../../kernel/schema";
import { checkedIban } from "../legal-entities/rules";
import { addDaysTo, type Day } from "./rules.target";
import type { MandateState, Sequence } from "./schema";

/** A mandate without a collection for 36 months has expired (EPC016, AT-09). */
const unusedMonthsMax = 36;

/** Countries of the scheme inside the European Economic Area. */
const eea = new Set(
	"AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" "),
);

/** Countries of the scheme outside it. Their debits need the debtor's address. */
const others = new Set("AD AL CH GB GG GI IM JE MC MD ME MK RS SM VA".split(" "));

/** Returns an IBAN without blanks. Throws InvalidArgumentError for wrong check digits, and for a country outside SEPA. */
export function debtorIban(given: string): string {
	const iban = checkedIban(given);
	const country = iban.slice(0, 2);
	if (!eea.has(country) && !others.has(country))
		throw fail(
			"InvalidArgumentError",
			`'iban': ${country} takes no part in SEPA, so no direct debit reaches '${iban}'; collect from this customer by transfer or card.`,
		);
	return iban;
}

/** Throws InvalidArgumentError for an account outside the EEA without the address that its debits need. */
export function assertAddress(iban: string, address: Address | null): void {
	if (eea.has(iban.slice(0, 2)) || (address?.city && address.country)) return;
	throw fail(
		"InvalidArgumentError",
		`'debtorAddress' is missing: debits of accounts in ${iban.slice(0, 2)} state the debtor's city and country.`,
	);
}

/**
 * Returns a creditor identifier without blanks. Its check digits (ISO 7064, modulo 97) cover the country and the national identifier, not the
 * business code in positions 5 to 7. Throws InvalidArgumentError.
 */
export function checkedCreditorId(given: string): string {
	const id = given.replaceAll(" ", "").toUpperCase();
	const digits = (id.slice(7) + id.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
	let rest = 0;
	for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
	if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{3}[A-Z0-9]{1,28}$/.test(id) || rest !== 1)
		throw fail(
			"InvalidArgumentError",
			`'${given}' is no creditor identifier: its form or its check digits are wrong; copy it again from the letter of the central bank.`,
		);
	return id;
}

interface MandateFacts {
	readonly state: MandateState;
	readonly signedOn: Day;
	readonly lastCollectedOn: Day | null;
}

/** Returns the day on which an unused mandate expires. */
export function expiresOn({ signedOn, lastCollectedOn }: Omit<MandateFacts, "state">): Day {
	const from = lastCollectedOn ?? signedOn;
	return Temporal.PlainDate.from(from).add({ months: unusedMonthsMax }).toString();
}

/** Returns the state of a mandate on a day: an ACTIVE one may have expired. */
export const stateOn = (mandate: MandateFacts, day: Day): MandateState =>
	mandate.state === "ACTIVE" && expiresOn(mandate) <= day ? "EXPIRED" : mandate.state;

/** Returns the sequence of the next debit of a mandate. */
export function nextSequence({
	isOneOff,
	lastCollectedOn,
}: {
	readonly isOneOff: boolean;
	readonly lastCollectedOn: Day | null;
}): Sequence {
	if (isOneOff) return "OOFF";
	return lastCollectedOn === null ? "FRST" : "RCUR";
}

/** Return codes (ISO 20022, ExternalReturnReason) after which a mandate collects nothing more. Decision 0094. */
export const stoppingCodes: ReadonlySet<string> = new Set([
	"AC01",
	"AC04",
	"AC06",
	"AC13",
	"AG01",
	"MD01",
	"MD02",
	"MD07",
	"SL01",
]);

/** Returns the last day on which the debtor may return a debit without a reason: eight weeks after the collection. */
export const returnableUntil = (collectionOn: Day): Day => addDaysTo(collectionOn, 56);

/** Returns the last day on which the debtor may return a debit without a valid mandate: thirteen months after the collection. */
export const unauthorizedUntil = (collectionOn: Day): Day =>
	Temporal.PlainDate.from(collectionOn).add({ months: 13 }).toString();
