import type { Instant } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { getCustomerById } from "../../customers/operations";
import { findDebitOfAny } from "../../direct-debit/operations.announce";
import { writingOf } from "../../invoices/document/operations.writing";
import { invoicesByIds } from "../../invoices/operations";
import { announcementLanguages, announcementText } from "./rules.announcement";

/** Returns the mail that announces a debit, of any environment; undefined if its customer has no address, or the debit was canceled. */
export function announcementToSend(work: Work, debitId: string) {
	const found = findDebitOfAny(work, debitId);
	if (!found || found.debit.state === "CANCELED") return undefined;
	const { debit, mandate, within } = found;
	const customer = getCustomerById(within, debit.customerId);
	const invoice = invoicesByIds(within, [debit.invoiceId]).get(debit.invoiceId);
	assert(invoice, "a debit has an invoice");
	if (customer.email === null || mandate.iban === null) return undefined;
	const { language, formats } = writingOf(
		{ issuer: invoice.issuer, customer: { ...invoice.customer, language: customer.language } },
		announcementLanguages,
	);
	const { subject, text } = announcementText(language, {
		...{ seller: invoice.issuer.name, customer: customer.name ?? customer.refId, number: debit.description },
		amount: formats.moneyAlone(debit.amount, "eur"),
		day: formats.date(Date.parse(`${debit.collectionOn}T00:00:00Z`) as Instant),
		...{ iban: mandate.iban, mandate: mandate.reference, creditorId: mandate.creditorId },
	});
	return { to: customer.email, subject, text };
}
