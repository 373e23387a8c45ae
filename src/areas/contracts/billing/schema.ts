import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { queryInteger } from "../../../kernel/query";
import { literals, nullable } from "../../../kernel/schema";
import { pricingModelIds } from "../rules.models";
import { BillingCycleUnit, PaymentTime } from "../schema";

/** Our bound of one answer: four years of weekly invoices, and eighty of monthly ones. */
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

/** An invoice that was issued, or will be: without a number and CONTRACT_DRAFT while the contract is a draft, SCHEDULED after. */
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

/** Source: docs/interface/contracts.md. `invoiceCount` and `total` are the whole schedule's, however many are shown. */
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
	/** Complete: what the model does not use is null. */
	rows: Type.Array(Type.Object({ quantity: figure, price: figure, from: figure, to: figure, packageSize: figure })),
	billingCycleUnit: BillingCycleUnit,
	billingCycleCount: Type.Integer(),
	paymentTime: PaymentTime,
	/** Percent. */
	...{ discount: figure, tax: figure },
	netTerms: nullable(Type.Integer()),
	separateInvoice: Type.Boolean(),
	prorateCutCycles: Type.Boolean(),
	activationStartDate: nullable(Type.String()),
	activationEndDate: nullable(Type.String()),
	/** An amendment has taken it out: it ends, with what is invoiced of it. */
	isTakenOut: Type.Boolean(),
});
export type ContractItem = Static<typeof ContractItem>;

/** Ours: the line items as they stand, in an amendment as it would have them. */
export const ContractItems = Type.Object(
	{
		contractId: Type.String(),
		currency: Type.String(),
		/** Whether items can be added, changed and removed: of a draft, and while an amendment is open. */
		isOpen: Type.Boolean(),
		isAmendment: Type.Boolean(),
		items: Type.Array(ContractItem),
	},
	{ $id: "ContractItems" },
);
export type ContractItems = Static<typeof ContractItems>;

/** Ours: with `dryRun=true` nothing is changed or issued; the answer says what would be. */
export const PublishQuery = Type.Object({ dryRun: Type.Optional(literals("true", "false")) }, closed);

/** What publishing would do. Totals are the whole term's; those before are null where nothing was in force. */
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
		/** What of the current invoices is credited, where the amendment replaces these. */
		creditedNow: Type.Number(),
	},
	{ $id: "ContractPublication" },
);
export type ContractPublication = Static<typeof ContractPublication>;

export const EditActive = Type.Object(
	{
		/** The invoices of the cycles that run are credited and issued anew, as amended. False when left out. */
		includeCurrentInvoice: Type.Optional(Type.Boolean()),
	},
	closed,
);
export type EditActive = Static<typeof EditActive>;

export const CreditNotesQuery = Type.Object(pageQuery, closed);

/** Null where no invoice is to come. */
export const NextInvoice = nullable(ScheduledInvoice);

const UsedItem = { itemId: Type.String(), featureId: Type.String() };

/** Our shape: the interface names the three lists. */
export const ContractUsage = Type.Object(
	{
		reported: Type.Array(
			Type.Object({
				...UsedItem,
				/** So far, in the units that are priced. */
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
