import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { pageQuery } from "../../../kernel/page";
import { literals, nullable, Timestamp } from "../../../kernel/schema";
import { amountMax } from "../balance/schema";

/** REFUND: paid to the customer. (Our names.) */
export const paymentKinds = ["PAYMENT", "REFUND"] as const;

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

export const PaymentListQuery = Type.Object(pageQuery, { additionalProperties: false });
export type PaymentListQuery = Static<typeof PaymentListQuery>;

const nullableText = nullable(Type.String());

const payment = {
	paymentId: Type.String(),
	invoiceId: Type.String(),
	kind: literals(...paymentKinds),
	amount: Type.Number(),
	currency: Type.String(),
	/** The part that the customer's balance received; for a refund, the part that it paid. */
	balanceAmount: Type.Number(),
	method: literals(...paymentMethods),
	reference: nullableText,
	note: nullableText,
	paidDate: Type.String(),
	createdAt: Type.String(),
};

export const Payment = Type.Object(payment, { $id: "Payment", additionalProperties: false });
export type Payment = Static<typeof Payment>;

/** A payment, with the invoice after it. */
export const RecordedPayment = Type.Object(
	{ ...payment, invoiceState: literals("OPEN", "PAID", "CANCELED"), amountDue: Type.Number() },
	{ $id: "RecordedPayment", additionalProperties: false },
);
