import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../../kernel/number-schema";
import { createdAtQuery, pageQuery } from "../../../kernel/page";
import {
	Address,
	Currency,
	CustomerRefId,
	Description,
	DisplayName,
	literals,
	Metadata,
	Money,
	nullable,
	RefId,
	Timestamp,
} from "../../../kernel/schema";
import { issuedStates } from "../../invoices/schema";
import { creditAmountMax } from "../rules.amounts";
import { grantSources, grantStatuses, grantTypes, paymentCollections } from "../schema.values";

const closed = { additionalProperties: false };

const Amount = ExactNumber({ exclusiveMinimum: 0, maximum: creditAmountMax });

/** At most a trillion, in whole minor units of the currency. */
const Cost = Type.Object({ amount: ExactNumber({ minimum: 0, maximum: 1e12 }), currency: Currency }, closed);

/** The lower number is consumed first. */
const Priority = Type.Integer({ minimum: 0, maximum: 1_000_000 });

export const GrantBilling = Type.Object(
	{
		billingAddress: Type.Optional(Address),
		invoiceDaysUntilDue: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
		isInvoicePaid: Type.Optional(Type.Boolean()),
	},
	closed,
);

export const GrantCreate = Type.Object(
	{
		customerId: CustomerRefId,
		currencyId: RefId,
		resourceId: Type.Optional(RefId),
		displayName: DisplayName,
		comment: Type.Optional(Description),
		grantType: literals("PAID", "PROMOTIONAL"),
		amount: Amount,
		cost: Type.Optional(Cost),
		priority: Type.Optional(Priority),
		effectiveAt: Type.Optional(Timestamp),
		expireAt: Type.Optional(Timestamp),
		metadata: Type.Optional(Metadata),
		paymentCollectionMethod: Type.Optional(literals("CHARGE", "INVOICE", "NONE")),
		/** Without effect: payments are recorded later, so a request never waits for one. */
		awaitPaymentConfirmation: Type.Optional(Type.Boolean()),
		billingInformation: Type.Optional(GrantBilling),
	},
	closed,
);
export type GrantCreate = Static<typeof GrantCreate>;

/** An omitted field stays unchanged; null clears. The amount never changes (docs/interface/credits.md). */
export const GrantUpdate = Type.Object(
	{
		displayName: Type.Optional(DisplayName),
		comment: Type.Optional(nullable(Description)),
		priority: Type.Optional(Priority),
		effectiveAt: Type.Optional(Timestamp),
		expireAt: Type.Optional(nullable(Timestamp)),
		metadata: Type.Optional(nullable(Metadata)),
	},
	closed,
);
export type GrantUpdate = Static<typeof GrantUpdate>;

export const GrantPath = Type.Object({ id: Type.String({ format: "uuid" }) });

export const GrantListQuery = Type.Object(
	{
		...pageQuery,
		...createdAtQuery,
		customerId: CustomerRefId,
		currencyId: Type.Optional(RefId),
		/** Omitted or empty: the grants of no resource (docs/interface/credits.md). */
		resourceId: Type.Optional(Type.Union([Type.Literal(""), RefId])),
	},
	closed,
);
export type GrantListQuery = Static<typeof GrantListQuery>;

const Time = nullable(Type.String());

export const GrantInvoice = Type.Object({
	billingId: Type.String(),
	billingReason: nullable(literals("MANUAL", "OTHER")),
	status: literals(...issuedStates),
	currency: nullable(Type.String()),
	subTotal: nullable(Type.Number()),
	tax: nullable(Type.Number()),
	total: nullable(Type.Number()),
	dueDate: Time,
	requiresAction: Type.Boolean(),
	errorMessage: nullable(Type.String()),
	/** Always null: there is no checkout, and the PDF endpoints serve documents. */
	paymentUrl: nullable(Type.String()),
	pdfUrl: nullable(Type.String()),
	createdAt: Type.String(),
	updatedAt: Type.String(),
});
export type GrantInvoice = Static<typeof GrantInvoice>;

export const CreditGrant = Type.Object(
	{
		id: Type.String(),
		customerId: Type.String(),
		currencyId: Type.String(),
		resourceId: nullable(Type.String()),
		displayName: Type.String(),
		comment: nullable(Type.String()),
		grantType: literals(...grantTypes),
		sourceType: nullable(literals(...grantSources)),
		status: literals(...grantStatuses),
		amount: Type.Number(),
		consumedAmount: Type.Number(),
		priority: Type.Integer(),
		cost: Money,
		effectiveAt: Type.String(),
		expireAt: Time,
		voidedAt: Time,
		paymentCollection: literals(...paymentCollections),
		invoiceId: nullable(Type.String()),
		latestInvoice: nullable(GrantInvoice),
		/** Always null: the built-in billing needs no synchronization. */
		syncStates: Type.Null(),
		metadata: Metadata,
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "CreditGrant" },
);
export type CreditGrant = Static<typeof CreditGrant>;
