import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { pageQuery } from "../../../kernel/page";
import { queryList } from "../../../kernel/query";
import { CustomerRefId, literals, nullable } from "../../../kernel/schema";
import { refundStates } from "./rules.states";

// Our addition. The interface names no refunds through a provider.

const closed = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: 255 });
const amountMax = 10_000_000_000_000;

/** By default, all that can be refunded of the receipt goes back. */
export const RefundCreate = Type.Object(
	{
		receiptId: Id,
		amount: Type.Optional(ExactNumber({ exclusiveMinimum: 0, maximum: amountMax })),
		reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
	},
	closed,
);
export type RefundCreate = Static<typeof RefundCreate>;

export const RefundListQuery = Type.Object(
	{
		...pageQuery,
		customerId: Type.Optional(CustomerRefId),
		receiptId: Type.Optional(Id),
		state: Type.Optional(queryList(...refundStates)),
	},
	closed,
);
export type RefundListQuery = Static<typeof RefundListQuery>;

export const RefundPath = Type.Object({ id: Id });

export const ProviderRefund = Type.Object(
	{
		id: Type.String(),
		state: literals(...refundStates),
		/** The receipt of the money that goes back. */
		receiptId: Type.String(),
		/** The receipt of kind REFUND that moves it out. */
		refundReceiptId: Type.String(),
		customerId: Type.String(),
		connectionId: Type.String(),
		amount: Type.Number(),
		currency: Type.String(),
		reason: nullable(Type.String()),
		/** The provider's reference of the refund; null until it is known. */
		reference: nullable(Type.String()),
		/** Why the refund failed: the provider's code and message. */
		failure: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
		/** The receipts of the money that came back because the refund failed. */
		returnedReceiptIds: Type.Array(Type.String()),
		createdAt: Type.String(),
		endedAt: nullable(Type.String()),
	},
	{ $id: "ProviderRefund" },
);
export type ProviderRefund = Static<typeof ProviderRefund>;
