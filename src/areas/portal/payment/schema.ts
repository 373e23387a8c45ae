import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../../kernel/schema";
import { PaymentAttempt } from "../../collection/attempts/schema";
import { PaymentMethod } from "../../collection/methods/schema";

const Text = Type.String();
const { kind, brand, last4, expiryMonth, expiryYear, isDefault } = PaymentMethod.properties;
const { state, amount, currency, actionUrl, failure } = PaymentAttempt.properties;

/** A saved method as its customer sees it. */
export const OwnMethod = Type.Object(
	{ id: Text, kind, brand, last4, expiryMonth, expiryYear, isDefault },
	{ $id: "PortalPaymentMethod" },
);
export type OwnMethod = Static<typeof OwnMethod>;

/** An attempt to charge an invoice. The page shows no message of the provider, only its bucket. */
export const OwnAttempt = Type.Object(
	{
		id: Text,
		invoiceId: Text,
		state,
		amount,
		currency,
		/** Where the customer authenticates; only in REQUIRES_ACTION. */
		actionUrl,
		/** The prospect of further attempts of a failed one. */
		bucket: nullable(failure.anyOf[0].properties.bucket),
	},
	{ $id: "PortalPaymentAttempt" },
);
export type OwnAttempt = Static<typeof OwnAttempt>;

export const PortalPayment = Type.Object(
	{
		/** Whether a provider is connected that collects from the customer: methods can be saved, and invoices paid. */
		canPay: Type.Boolean(),
		/** Newest first. */
		methods: Type.Array(OwnMethod),
		/** The attempts that are under way, newest first. */
		attempts: Type.Array(OwnAttempt),
	},
	{ $id: "PortalPayment" },
);
export type PortalPayment = Static<typeof PortalPayment>;

export const ProviderPage = Type.Object(
	{ url: Text, expiresAt: Text },
	{ $id: "PortalProviderPage", description: "A page of the provider on which the customer saves a payment method" },
);
export type ProviderPage = Static<typeof ProviderPage>;

const Id = Type.String({ minLength: 1, maxLength: 255 });

export const OwnMethodPath = Type.Object({ methodId: Id });
