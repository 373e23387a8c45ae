import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { pageQuery } from "../../../kernel/page";
import { literals, nullable, Timestamp } from "../../../kernel/schema";
import { amountMax } from "../balance/schema";
import { InvoicePath } from "../schema";

/** REFUND: paid to the customer. (Our names.) */
export const paymentKinds = ["PAYMENT", "REFUND"] as const;

/** The kinds of receipts: money in, money out, and money that the bank or the provider withdrew. (Our names.) */
export const receiptKinds = [...paymentKinds, "RETURN"] as const;

/** The kinds of allocations. REVERSAL: a payment that no longer counts. (Our names.) */
export const allocationKinds = [...paymentKinds, "REVERSAL"] as const;

/** RETURNED: a direct debit or check was returned. CHARGEBACK: the card's holder disputed the payment and won. (Our names.) */
export const returnReasons = ["RETURNED", "CHARGEBACK"] as const;
export type ReturnReason = (typeof returnReasons)[number];

/** MISALLOCATED: the money pays something else, and is unallocated again. (Our names.) */
export const reversalReasons = [...returnReasons, "MISALLOCATED"] as const;
export type ReversalReason = (typeof reversalReasons)[number];

/** The origins of receipts: entered by hand or through the API, a bank statement, a payment provider. (Our names.) */
export const receiptSources = ["MANUAL", "BANK", "PROVIDER"] as const;

/**
 * Where a record of money comes from, and the id within which its references are unique: an invoice of a payment that was entered for
 * it, the bank account of a statement, the connection to a provider. References of MANUAL ones are unique within the customer.
 */
export type ReceiptSource =
	| { readonly kind: "MANUAL" }
	| { readonly kind: "INVOICE" | Exclude<(typeof receiptSources)[number], "MANUAL">; readonly id: string };

/** Where the part of a receipt goes that pays no invoice: to the customer's balance, or nowhere yet. (Our names.) */
export const excesses = ["BALANCE", "UNALLOCATED"] as const;
export type Excess = (typeof excesses)[number];

/** The payment methods that bookkeepers distinguish. (Our names.) */
export const paymentMethods = ["BANK_TRANSFER", "DIRECT_DEBIT", "CARD", "CASH", "CHECK", "OTHER"] as const;

/** Our own route. Defaults: a payment, by another method, now. The amount is in major units of the invoice's currency. */
export const PaymentReport = Type.Object(
	{
		amount: ExactNumber({ exclusiveMinimum: 0, maximum: amountMax }),
		kind: Type.Optional(literals(...paymentKinds)),
		method: Type.Optional(literals(...paymentMethods)),
		paidDate: Type.Optional(Timestamp),
		reference: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		note: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
	},
	{ additionalProperties: false },
);
export type PaymentReport = Static<typeof PaymentReport>;

/**
 * Our own route. By default, all that is left of the payment is reversed. The date, by default now, the reference and the note are
 * those of the withdrawal.
 */
export const ReversalReport = Type.Object(
	{
		reason: literals(...reversalReasons),
		amount: Type.Optional(ExactNumber({ exclusiveMinimum: 0, maximum: amountMax })),
		reversedDate: Type.Optional(Timestamp),
		reference: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
		note: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
	},
	{ additionalProperties: false },
);
export type ReversalReport = Static<typeof ReversalReport>;

export const PaymentPath = Type.Object(
	{ ...InvoicePath.properties, paymentId: Type.String({ minLength: 1, maxLength: 255 }) },
	{ additionalProperties: false },
);

export const PaymentListQuery = Type.Object(pageQuery, { additionalProperties: false });
export type PaymentListQuery = Static<typeof PaymentListQuery>;

const nullableText = nullable(Type.String());

const payment = {
	paymentId: Type.String(),
	invoiceId: Type.String(),
	/** REVERSAL: an earlier payment no longer counts. */
	kind: literals(...allocationKinds),
	amount: Type.Number(),
	currency: Type.String(),
	/** The part that the customer's balance received; for a refund or a reversal, the part that it paid. */
	balanceAmount: Type.Number(),
	method: literals(...paymentMethods),
	reference: nullableText,
	note: nullableText,
	paidDate: Type.String(),
	createdAt: Type.String(),
	/** Only of a REVERSAL. */
	reversesPaymentId: Type.Optional(Type.String()),
	reason: Type.Optional(literals(...reversalReasons)),
};

export const Payment = Type.Object(payment, { $id: "Payment", additionalProperties: false });
export type Payment = Static<typeof Payment>;

/** A payment, with the invoice after it. */
export const RecordedPayment = Type.Object(
	{ ...payment, invoiceState: literals("OPEN", "PAID", "CANCELED"), amountDue: Type.Number() },
	{ $id: "RecordedPayment", additionalProperties: false },
);
