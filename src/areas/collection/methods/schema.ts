import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { CustomerRefId, literals, nullable } from "../../../kernel/schema";

// Our additions. The interface has only the default payment method of a customer.

/** The kinds of payment methods that providers save. */
export const methodKinds = ["CARD", "DIRECT_DEBIT", "WALLET", "OTHER"] as const;

const closed = { additionalProperties: false };
const Id = Type.String({ minLength: 1, maxLength: 255 });

/** `connectionId` may be left out if the environment has one connection. `paymentMethodId` is the provider's id. */
export const MethodAttach = Type.Object({ connectionId: Type.Optional(Id), paymentMethodId: Id }, closed);
export type MethodAttach = Static<typeof MethodAttach>;

export const MethodListQuery = Type.Object(pageQuery, closed);
export type MethodListQuery = Static<typeof MethodListQuery>;

export const CustomerPath = Type.Object({ id: CustomerRefId });

export const MethodPath = Type.Object({ id: CustomerRefId, methodId: Id });

/** A saved method of payment. It has no card number. */
export const PaymentMethod = Type.Object(
	{
		id: Type.String(),
		connectionId: Type.String(),
		/** The provider's id. */
		paymentMethodId: Type.String(),
		kind: literals(...methodKinds),
		/** The card's brand or the bank's name. */
		brand: nullable(Type.String()),
		last4: nullable(Type.String()),
		/** The month after which a card is no longer valid. */
		expiryMonth: nullable(Type.Number()),
		expiryYear: nullable(Type.Number()),
		country: nullable(Type.String()),
		/** Whether Tollgate charges this one. */
		isDefault: Type.Boolean(),
		createdAt: Type.String(),
	},
	{ $id: "PaymentMethod" },
);
export type PaymentMethod = Static<typeof PaymentMethod>;
