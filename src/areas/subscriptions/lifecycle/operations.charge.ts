import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { planAttempt } from "../../collection/attempts/operations";
import type { SettleAttempt } from "../../collection/attempts/operations.steps";
import type { AttemptRow } from "../../collection/attempts/table";
import { assertChargeable, collectsFor, findChargeable, methodsByIds } from "../../collection/methods/operations";
import type { PaymentMethodRow } from "../../collection/methods/table";
import { getCustomerById } from "../../customers/operations";
import { amountsDue, getInvoice } from "../../invoices/operations";
import type { InvoiceRow } from "../../invoices/table";
import { takePayment } from "./operations.payment";

/**
 * Plans an attempt to collect the amount due of an invoice. Without `methodId`, it charges the customer's default method. Throws
 * InvoiceNotFound, BillingInvoiceStatusError unless the invoice is OPEN, BillingIntegrationMissing, PaymentMethodNotFoundError,
 * DuplicatedEntityNotAllowed while another attempt runs.
 */
export function chargeInvoice(work: Work, invoiceId: string, methodId?: string): AttemptRow {
	const invoice = getInvoice(work, invoiceId);
	if (invoice.state !== "OPEN")
		throw fail(
			"BillingInvoiceStatusError",
			`The invoice ${invoice.number || invoice.id} is ${invoice.state}; only an OPEN invoice can be charged.`,
		);
	return planFor(work, invoice, methodOf(work, invoice, methodId), "MANUAL");
}

function planFor(
	work: Work,
	invoice: InvoiceRow,
	method: PaymentMethodRow,
	trigger: AttemptRow["trigger"],
): AttemptRow {
	const amount = amountsDue(work, [invoice]).get(invoice.id) ?? zero;
	const { customerId, legalEntityId, currency, number: description } = invoice;
	const invoices = [{ invoiceId: invoice.id, amount }];
	return planAttempt(work, { customerId, legalEntityId, currency, description, invoices }, method, trigger);
}

/** Returns the customer's default method if it collects for the issuer of an invoice. */
export const chargeableOf = (
	work: Work,
	{ customerId, legalEntityId }: Pick<InvoiceRow, "customerId" | "legalEntityId">,
): PaymentMethodRow | undefined => findChargeable(work, getCustomerById(work, customerId), legalEntityId);

/** Plans an attempt of the dunning policy. The invoice is OPEN and has no attempt that is not final; the method collects for it. */
export const chargeAgain = (
	work: Work,
	invoice: InvoiceRow,
	method: PaymentMethodRow,
	trigger: "RETRY" | "NEW_METHOD",
): AttemptRow => planFor(work, invoice, method, trigger);

function methodOf(
	work: Work,
	{ customerId, legalEntityId }: InvoiceRow,
	methodId: string | undefined,
): PaymentMethodRow {
	const customer = getCustomerById(work, customerId);
	const method =
		methodId === undefined
			? findChargeable(work, customer, legalEntityId)
			: methodsByIds(work, [methodId]).get(methodId);
	if (method && method.customerId === customerId && collectsFor(work, method, legalEntityId)) return method;
	if (methodId === undefined) assertChargeable(work, customer, legalEntityId, "body/invoiceId");
	throw fail(
		"PaymentMethodNotFoundError",
		`body/paymentMethodId: '${customer.refId}' has no saved payment method '${methodId}' that collects for the invoice's legal entity.`,
	);
}

/** Records the money of an attempt as a receipt, which pays its invoices. The excess goes to the customer's balance. */
export const settleAttempt: SettleAttempt = (work, attempt, invoices) => {
	const { customerId, legalEntityId, currency, connectionId, methodId, ref, received, amount } = attempt;
	const arrived = received ?? amount;
	let left = exact(arrived);
	const allocations = invoices.flatMap((one) => {
		const part = left.lt(exact(one.amount)) ? left : exact(one.amount);
		left = left.minus(part);
		return part.gt(0) ? [{ invoiceId: one.invoiceId, amount: toDecimal(part) as Decimal }] : [];
	});
	const { receipt } = takePayment(work, {
		...{ customerId, legalEntityId, currency, amount: arrived, allocations, note: null },
		...{ source: { kind: "PROVIDER", id: connectionId }, reference: ref, receivedAt: work.now, excess: "BALANCE" },
		method: receiptMethods[methodsByIds(work, [methodId]).get(methodId)?.kind ?? "OTHER"],
	});
	return receipt.id;
};

const receiptMethods = { CARD: "CARD", WALLET: "CARD", DIRECT_DEBIT: "DIRECT_DEBIT", OTHER: "OTHER" } as const;
