import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { queryInteger } from "../../../kernel/query";
import { literals, nullable } from "../../../kernel/schema";
import { pricingModelIds } from "../rules.models";
import { BillingCycleUnit, ContractPaymentTime } from "../schema";

/** The largest response: four years of weekly invoices, or eighty of monthly ones. */
export const invoicesShownMax = 1000;

const closed = { additionalProperties: false };

export const ScheduleQuery = Type.Object({ count: Type.Optional(queryInteger(1, invoicesShownMax)) }, closed);
export type ScheduleQuery = Static<typeof ScheduleQuery>;

const ScheduledLine = Type.Object({
	itemId: nullable(Type.String()),
	description: Type.String(),
	quantity: nullable(Type.Number()),
	unitPrice: nullable(Type.Number()),
	...{ amount: Type.Number(), discount: Type.Number(), tax: Type.Number(), total: Type.Number() },
	periodStart: nullable(Type.String()),
	periodEnd: nullable(Type.String()),
});

/**
 * An issued or future invoice. A future one has no number; its status is CONTRACT_DRAFT while the contract is a draft,
 * then SCHEDULED.
 */
const ScheduledInvoice = Type.Object({
	invoiceId: nullable(Type.String()),
	invoiceNumber: nullable(Type.String()),
	state: literals("CONTRACT_DRAFT", "SCHEDULED", "DRAFT", "OPEN", "PAID", "CANCELED"),
	issueDate: Type.String(),
	dueDate: Type.String(),
	periodStart: nullable(Type.String()),
	periodEnd: nullable(Type.String()),
	currency: Type.String(),
	...{ subTotal: Type.Number(), discount: Type.Number(), tax: Type.Number(), total: Type.Number() },
	lineItems: Type.Array(ScheduledLine),
});
export type ScheduledInvoice = Static<typeof ScheduledInvoice>;

/**
 * `invoiceCount` and `total` cover the whole schedule, however many invoices are shown (docs/interface/contracts.md).
 */
export const InvoiceSchedule = Type.Object(
	{
		isPreview: Type.Boolean(),
		invoiceCount: Type.Integer(),
		total: Type.Number(),
		invoices: Type.Array(ScheduledInvoice),
	},
	{ $id: "InvoiceSchedule" },
);
export type InvoiceSchedule = Static<typeof InvoiceSchedule>;

const figure = nullable(Type.Number());

const ContractItem = Type.Object({
	itemId: Type.String(),
	externalId: nullable(Type.String()),
	name: Type.String(),
	itemName: nullable(Type.String()),
	pricingModelId: literals(...pricingModelIds),
	/** Complete: keys that the model does not use are null. */
	rows: Type.Array(Type.Object({ quantity: figure, price: figure, from: figure, to: figure, packageSize: figure })),
	billingCycleUnit: BillingCycleUnit,
	billingCycleCount: Type.Integer(),
	paymentTime: ContractPaymentTime,
	/** Percent. */
	...{ discount: figure, tax: figure },
	netTerms: nullable(Type.Integer()),
	separateInvoice: Type.Boolean(),
	prorateCutCycles: Type.Boolean(),
	activationStartDate: nullable(Type.String()),
	activationEndDate: nullable(Type.String()),
	/** An amendment has removed it: it ends, with its invoiced cycles. */
	isTakenOut: Type.Boolean(),
});
export type ContractItem = Static<typeof ContractItem>;

/** An addition to the reference service's schema: the current line items; while an amendment is open, as amended. */
export const ContractItems = Type.Object(
	{
		contractId: Type.String(),
		currency: Type.String(),
		/** Whether items can be changed: in a draft, or while an amendment is open. */
		isOpen: Type.Boolean(),
		isAmendment: Type.Boolean(),
		items: Type.Array(ContractItem),
	},
	{ $id: "ContractItems" },
);
export type ContractItems = Static<typeof ContractItems>;

/**
 * An addition to the reference service's parameters: with `dryRun=true` nothing is saved, and the response shows the
 * effect.
 */
export const PublishQuery = Type.Object({ dryRun: Type.Optional(literals("true", "false")) }, closed);

/** The effect of publishing. Totals cover the whole term; those before are null if nothing was in force. */
export const ContractPublication = Type.Object(
	{
		contractId: Type.String(),
		isAmendment: Type.Boolean(),
		totalBefore: nullable(Type.Number()),
		totalAfter: Type.Number(),
		items: Type.Array(
			Type.Object({
				itemId: Type.String(),
				name: Type.String(),
				change: literals("ADDED", "CHANGED", "REMOVED", "UNCHANGED"),
				totalBefore: nullable(Type.Number()),
				totalAfter: nullable(Type.Number()),
			}),
		),
		invoicesNow: Type.Array(ScheduledInvoice),
		laterCount: Type.Integer(),
		laterTotal: Type.Number(),
		/** The credited amount of current invoices, if the amendment replaces them. */
		creditedNow: Type.Number(),
	},
	{ $id: "ContractPublication" },
);
export type ContractPublication = Static<typeof ContractPublication>;

export const EditActive = Type.Object(
	{
		/** The invoices of running cycles are credited and issued again as amended. Default: false. */
		includeCurrentInvoice: Type.Optional(Type.Boolean()),
	},
	closed,
);
export type EditActive = Static<typeof EditActive>;

export const CreditNotesQuery = Type.Object(pageQuery, closed);

/** Null if no invoice follows. */
export const NextInvoice = nullable(ScheduledInvoice);

const UsedItem = { itemId: Type.String(), featureId: Type.String() };

/** The interface names the three lists, not their items. */
export const ContractUsage = Type.Object(
	{
		reported: Type.Array(
			Type.Object({
				...UsedItem,
				/** The usage so far, in priced units. */
				quantity: Type.Number(),
				periodStart: Type.String(),
				periodEnd: Type.String(),
			}),
		),
		failed: Type.Array(Type.Object({ ...UsedItem, message: Type.String() })),
		skipped: Type.Array(Type.Object({ ...UsedItem, message: Type.String() })),
	},
	{ $id: "ContractUsage" },
);
export type ContractUsage = Static<typeof ContractUsage>;
