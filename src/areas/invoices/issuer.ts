import type { Issuer } from "../legal-entities/operations";
import type { InvoiceIssuer } from "./schema.party";

/** Returns a legal entity as its new documents show it. */
export function issuerAsParty({ entity, accounts: [account] }: Issuer): InvoiceIssuer {
	const { name, email, address, taxIds, registration, paymentText, footer, logoId, language } = entity;
	const iban = account?.iban ?? null;
	return {
		name,
		email,
		address,
		taxIds,
		registration,
		bankAccount: account && iban !== null ? { iban, bic: account.bic, bankName: account.bankName } : null,
		paymentText,
		...(iban !== null && { printsReference: true }),
		footer,
		logoId,
		language,
	};
}
