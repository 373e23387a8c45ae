import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { queryList } from "../../../kernel/query";
import { CustomerRefId, literals, nullable } from "../../../kernel/schema";
import { attemptStates } from "./rules.states";

// Our addition. The interface names no attempts.

/** The causes of attempts: the issue of an invoice, a call, a try of the dunning policy, or a new payment method of the customer. */
export const attemptTriggers = ["ISSUE", "MANUAL", "RETRY", "NEW_METHOD"] as const;

/** The prospect of further attempts (docs/adapters.md). */
export const failureBuckets = [
	...(["RETRY_LATER", "INSUFFICIENT_FUNDS", "NEW_METHOD", "AUTHENTICATE", "NEVER", "OURS"] as const),
] as const;

/** The outcomes by which a person can end an UNKNOWN attempt. */
export const resolutions = ["SUCCEEDED", "FAILED"] as const;

const closed = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: 255 });

/** Without a `paymentMethodId` (a saved method's id), the customer's default method is charged. */
export const AttemptCreate = Type.Object({ invoiceId: Id, paymentMethodId: Type.Optional(Id) }, closed);
export type AttemptCreate = Static<typeof AttemptCreate>;

/** `reference` is the provider's reference of the payment; SUCCEEDED needs it. */
export const AttemptResolution = Type.Object(
	{ outcome: literals(...resolutions), reference: Type.Optional(Id) },
	closed,
);
export type AttemptResolution = Static<typeof AttemptResolution>;

export const AttemptListQuery = Type.Object(
	{
		...pageQuery,
		customerId: Type.Optional(CustomerRefId),
		invoiceId: Type.Optional(Id),
		state: Type.Optional(queryList(...attemptStates)),
	},
	closed,
);
export type AttemptListQuery = Static<typeof AttemptListQuery>;

export const AttemptPath = Type.Object({ id: Id });

export const PaymentAttempt = Type.Object(
	{
		id: Type.String(),
		state: literals(...attemptStates),
		trigger: literals(...attemptTriggers),
		customerId: Type.String(),
		connectionId: Type.String(),
		/** The saved method's id. */
		paymentMethodId: Type.String(),
		amount: Type.Number(),
		currency: Type.String(),
		invoices: Type.Array(Type.Object({ invoiceId: Type.String(), amount: Type.Number() })),
		/** The provider's reference of the payment; null until it is known. */
		reference: nullable(Type.String()),
		/** Why the charge failed: the provider's code and message, and the prospect of further attempts. */
		failure: nullable(
			Type.Object({ code: Type.String(), message: Type.String(), bucket: literals(...failureBuckets) }),
		),
		/** Where the customer authenticates; only in REQUIRES_ACTION. */
		actionUrl: nullable(Type.String()),
		receiptId: nullable(Type.String()),
		createdAt: Type.String(),
		endedAt: nullable(Type.String()),
	},
	{ $id: "PaymentAttempt" },
);
export type PaymentAttempt = Static<typeof PaymentAttempt>;
