import { type Big, exact } from "../../../kernel/decimal";

/** The limits of EPC069-12: characters of the payee's name, and the amount in euro. */
const nameMax = 70;
const amountMax = exact("999999999.99");

interface CodedPayment {
	/** ISO 4217, lower case. */
	readonly currency: string;
	/** In major units. */
	readonly due: Big;
	readonly payee: string;
	readonly iban: string;
	readonly bic: string | null;
	/** ISO 11649. */
	readonly creditorReference: string;
}

/**
 * Returns the text of the SEPA QR code (EPC069-12, version 002, UTF-8): a banking app fills in a transfer from it. Undefined unless the
 * payment is in euro, and from 0.01 to 999,999,999.99.
 */
export function paymentCodeOf(payment: CodedPayment): string | undefined {
	const { currency, due, payee, iban, bic, creditorReference } = payment;
	if (currency !== "eur" || due.lt("0.01") || due.gt(amountMax)) return undefined;
	const name = [...payee.replace(/\s+/g, " ").trim()].slice(0, nameMax).join("");
	const account = iban.replaceAll(" ", "");
	return ["BCD", "002", "1", "SCT", bic ?? "", name, account, `EUR${due.toFixed()}`, "", creditorReference].join("\n");
}
