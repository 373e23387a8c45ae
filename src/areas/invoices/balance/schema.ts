import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { pageQuery } from "../../../kernel/page";
import { Currency, literals, nullable } from "../../../kernel/schema";

/**
 * CREDITED: by a credit note. APPLIED: to an invoice at its issue. RETURNED: the payments of a canceled invoice. OVERPAID: the part of
 * a payment beyond the amount due. REFUNDED: paid to the customer. REVERSED: the part of a reversed payment. VOIDED: the reversal of a credit note. ADJUSTED: by hand, with a
 * reason. (Our names.)
 */
export const balanceEntryKinds = [
	"CREDITED",
	"APPLIED",
	"RETURNED",
	"OVERPAID",
	"REFUNDED",
	"REVERSED",
	"VOIDED",
	"ADJUSTED",
] as const;

/** The maximum total of an invoice. */
export const amountMax = 10_000_000_000_000;

/** A customer's balances that are not zero, one for each currency. They pay the next invoices. (Our own route.) */
export const CustomerBalance = Type.Array(
	Type.Object({ amount: Type.Number(), currency: Type.String() }, { additionalProperties: false }),
	{ $id: "CustomerBalance" },
);

/** An amount that is added to a balance (above zero) or subtracted (below zero), in major units. */
export const BalanceAdjustment = Type.Object(
	{
		amount: ExactNumber({ minimum: -amountMax, maximum: amountMax }),
		currency: Currency,
		reason: Type.String({ minLength: 1, maxLength: 500 }),
	},
	{ additionalProperties: false },
);
export type BalanceAdjustment = Static<typeof BalanceAdjustment>;

export const BalanceEntryListQuery = Type.Object(
	{ ...pageQuery, currency: Type.Optional(Currency) },
	{ additionalProperties: false },
);
export type BalanceEntryListQuery = Static<typeof BalanceEntryListQuery>;

const nullableText = nullable(Type.String());

/** A change of a customer's balance, and the balance after it. */
export const BalanceEntry = Type.Object(
	{
		entryId: Type.String(),
		kind: literals(...balanceEntryKinds),
		amount: Type.Number(),
		balance: Type.Number(),
		currency: Type.String(),
		invoiceId: nullableText,
		creditNoteId: nullableText,
		paymentId: nullableText,
		reason: nullableText,
		createdAt: Type.String(),
	},
	{ $id: "BalanceEntry", additionalProperties: false },
);
export type BalanceEntry = Static<typeof BalanceEntry>;
