import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../kernel/number-schema";
import { pageQuery, WithinDays } from "../../kernel/page";
import { queryInteger, queryList } from "../../kernel/query";
import { Currency, CustomerRefId, literals, Money, nullable, RefId, Timestamp } from "../../kernel/schema";
import { SearchText } from "../../kernel/search";
import { LatestInvoice } from "../invoices/schema.latest-invoice";
import { Problem } from "../subscriptions/schema.problem";
import { SubscriptionProvision } from "../subscriptions/schema.provision";
import { pricingModelIds } from "./rules.models";

/** Our bounds: a contract that passes them is a mistake, not a contract. */
export const subscriptionsMax = 100;
const itemsPerCallMax = 100;
const rowsMax = 100;

const closed = { additionalProperties: false };
const Name = Type.String({ minLength: 1, maxLength: 255 });
const PoNumber = Type.String({ minLength: 1, maxLength: 255 });

const states = ["DRAFT", "ACTIVE", "CANCELED", "END_BILLING"] as const;
export const ContractState = literals(...states);
export type ContractState = Static<typeof ContractState>;

export const BillingCycleUnit = literals("monthly", "yearly", "quarterly", "weekly", "one_time");
export type BillingCycleUnit = Static<typeof BillingCycleUnit>;

export const PaymentTime = literals("IN_ADVANCE", "IN_ARREARS");
export type PaymentTime = Static<typeof PaymentTime>;

/** Exactly one of the two; the rule says so (rules.membership.ts), since a union would only say "no match". */
const SubscriptionEntry = Type.Object(
	{ existingSubscriptionId: Type.Optional(RefId), newSubscription: Type.Optional(SubscriptionProvision) },
	closed,
);
export type SubscriptionEntry = Static<typeof SubscriptionEntry>;

/** Ours: how a contract goes on after its term. Off unless `autoRenew` is true. */
const RenewalInput = Type.Object(
	{
		autoRenew: Type.Boolean(),
		/** How long each further term is; 12 when left out. */
		months: Type.Optional(Type.Integer({ minimum: 1, maximum: 120 })),
		/** So many days before the end the next term is agreed; none when left out. */
		noticePeriodDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
		/** By which the prices rise with each term; 0 when left out. */
		upliftPercentage: Type.Optional(ExactNumber({ minimum: 0, maximum: 100 })),
	},
	closed,
);
export type RenewalInput = Static<typeof RenewalInput>;

export const ContractCreate = Type.Object(
	{
		customerId: CustomerRefId,
		subscriptions: Type.Array(SubscriptionEntry, { minItems: 1, maxItems: subscriptionsMax }),
		contractId: Type.Optional(RefId),
		name: Type.Optional(nullable(Name)),
		poNumber: Type.Optional(nullable(PoNumber)),
		/** True when left out (source: contracts.create). */
		setupBilling: Type.Optional(Type.Boolean()),
		activationStartDate: Type.Optional(Timestamp),
		activationEndDate: Type.Optional(Timestamp),
		renewal: Type.Optional(RenewalInput),
	},
	closed,
);
export type ContractCreate = Static<typeof ContractCreate>;

const SubscriptionIds = Type.Array(RefId, { maxItems: subscriptionsMax });

/** What is left out stays. `name: null` falls back to the order number or the customer's name, as at creation. */
export const ContractUpdate = Type.Object(
	{
		name: Type.Optional(nullable(Name)),
		poNumber: Type.Optional(nullable(PoNumber)),
		activationStartDate: Type.Optional(Timestamp),
		activationEndDate: Type.Optional(Timestamp),
		/** Only true has an effect, and only where there is no billing half yet (docs/interface/contracts.md). */
		setupBilling: Type.Optional(Type.Boolean()),
		/** Replaces all that it groups. */
		subscriptionIds: Type.Optional(SubscriptionIds),
		renewal: Type.Optional(RenewalInput),
	},
	closed,
);
export type ContractUpdate = Static<typeof ContractUpdate>;

/** Exactly one of the two; a rule says so, as with an entry. */
export const SubscriptionsAdd = Type.Object(
	{
		subscriptions: Type.Optional(Type.Array(SubscriptionEntry, { minItems: 1, maxItems: subscriptionsMax })),
		subscriptionIds: Type.Optional(Type.Array(RefId, { minItems: 1, maxItems: subscriptionsMax })),
	},
	closed,
);
export type SubscriptionsAdd = Static<typeof SubscriptionsAdd>;

export const ContractListQuery = Type.Object(
	{
		...pageQuery,
		customerExternalId: Type.Optional(Type.String({ maxLength: 255 })),
		name: Type.Optional(Type.String({ maxLength: 255 })),
		state: Type.Optional(queryList(...states)),
		// Ours.
		search: Type.Optional(SearchText),
		/** Those in force that end within so many days and do not renew, the first to end first. */
		expiresWithinDays: Type.Optional(WithinDays),
	},
	closed,
);
export type ContractListQuery = Static<typeof ContractListQuery>;

/** Source: endpoint 7, path parameters. */
const ContractId = Type.String({ minLength: 1, maxLength: 255 });
const ItemRef = Type.String({ minLength: 1, maxLength: 255 });
const rowIndexMax = 999_999;

export const ContractPath = Type.Object({ id: ContractId }, closed);
export const MemberPath = Type.Object(
	{ id: ContractId, subscriptionId: Type.String({ minLength: 1, maxLength: 255 }) },
	closed,
);
export const ItemPath = Type.Object({ id: ContractId, itemRef: ItemRef }, closed);
export const RowPath = Type.Object(
	{ id: ContractId, itemRef: ItemRef, rowIndex: queryInteger(0, rowIndexMax) },
	closed,
);

/** No query parameter exists on these routes. */
export const NoQuery = Type.Object({}, closed);

/** Amounts and quantities stay where a JSON number is exact. */
const Quantity = ExactNumber({ minimum: 0, maximum: 1e15 });
const Price = ExactNumber({ minimum: 0, maximum: 1e12 });

/** Source: docs/interface/contracts.md, these keys and no other. Null is "not given"; `to: null` is the open end. */
export const ItemRow = Type.Object(
	{
		quantity: Type.Optional(nullable(Quantity)),
		price: Type.Optional(nullable(Price)),
		from: Type.Optional(nullable(Quantity)),
		to: Type.Optional(nullable(Quantity)),
		packageSize: Type.Optional(nullable(ExactNumber({ exclusiveMinimum: 0, maximum: 1e15 }))),
	},
	closed,
);
export type ItemRow = Static<typeof ItemRow>;
const ItemRows = Type.Array(ItemRow, { maxItems: rowsMax });

const RowId = Type.String({ minLength: 1, maxLength: 255 });
const NetTerms = Type.Integer({ minimum: 0, maximum: 3650 });
const Percent = ExactNumber({ minimum: 0, maximum: 100 });

const ItemInput = Type.Object(
	{
		name: Name,
		externalId: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 255 }))),
		itemName: Type.Optional(nullable(Name)),
		pricingModelId: Type.Optional(literals(...pricingModelIds)),
		rows: Type.Optional(ItemRows),
		billingCycleUnit: Type.Optional(BillingCycleUnit),
		billingCycleCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
		paymentTime: Type.Optional(PaymentTime),
		discount: Type.Optional(nullable(Percent)),
		tax: Type.Optional(nullable(Percent)),
		netTerms: Type.Optional(nullable(NetTerms)),
		separateInvoice: Type.Optional(Type.Boolean()),
		/** Ours: a cycle that the window cuts short costs as much of a whole one as its time. False when left out: it counts whole. */
		prorateCutCycles: Type.Optional(Type.Boolean()),
		/** Ours: a window of its own, so that one contract has prices that rise. Left out: that of the call. */
		activationStartDate: Type.Optional(Timestamp),
		activationEndDate: Type.Optional(Timestamp),
	},
	closed,
);
export type ItemInput = Static<typeof ItemInput>;

/** Source: docs/interface/contracts.md. */
export const ItemsAdd = Type.Object(
	{
		items: Type.Array(ItemInput, { minItems: 1, maxItems: itemsPerCallMax }),
		currency: Type.Optional(Currency),
		legalEntityId: Type.Optional(RowId),
		activationStartDate: Type.Optional(Timestamp),
		activationEndDate: Type.Optional(Timestamp),
	},
	closed,
);
export type ItemsAdd = Static<typeof ItemsAdd>;

export const ItemUpdate = Type.Object({ rows: ItemRows }, closed);
export type ItemUpdate = Static<typeof ItemUpdate>;

/** What is left out stays; of a date the day is kept (docs/interface/contracts.md). */
export const BillingTerms = Type.Object(
	{
		activationStartDate: Type.Optional(Timestamp),
		activationEndDate: Type.Optional(Timestamp),
		currency: Type.Optional(Currency),
		netTerms: Type.Optional(NetTerms),
	},
	closed,
);
export type BillingTerms = Static<typeof BillingTerms>;

/** What is left out stays. Another legal entity without a payment account is paid on its default one. */
export const BillingSettings = Type.Object(
	{
		legalEntityId: Type.Optional(RowId),
		paymentAccountId: Type.Optional(RowId),
		/** Printed on the contract's invoices; null prints none. Our bound is that of an invoice's other texts. */
		note: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
	},
	closed,
);
export type BillingSettings = Static<typeof BillingSettings>;

/** Nothing is sent; `{}` may be. */
export const NoBody = Type.Object({}, closed);

export const Contract = Type.Object(
	{
		id: nullable(Type.String()),
		contractId: Type.String(),
		externalId: Type.String(),
		refId: nullable(Type.String()),
		customerExternalId: nullable(Type.String()),
		name: nullable(Type.String()),
		poNumber: nullable(Type.String()),
		state: ContractState,
		billingState: nullable(ContractState),
		billingId: nullable(Type.String()),
		activationStartDate: nullable(Type.String()),
		activationEndDate: nullable(Type.String()),
		createdAt: nullable(Type.String()),
		latestInvoice: nullable(LatestInvoice),
		nextInvoice: nullable(
			Type.Object({
				amount: Money,
				dueDate: nullable(Type.String()),
				periodStart: nullable(Type.String()),
				periodEnd: nullable(Type.String()),
			}),
		),
		subscriptions: Type.Array(
			Type.Object({
				subscriptionId: Type.String(),
				planDisplayName: nullable(Type.String()),
				productDisplayName: nullable(Type.String()),
			}),
		),
		/** Our addition, and left out where it ends with its term. */
		renewal: Type.Optional(
			Type.Object({ months: Type.Integer(), noticePeriodDays: Type.Integer(), upliftPercentage: Type.Number() }),
		),
		/** Our addition, and left out where all is well: what was due could not be carried out, why, and when it is tried again. */
		problem: Type.Optional(Problem),
	},
	{ $id: "Contract" },
);
export type Contract = Static<typeof Contract>;

const figures = { subTotal: Type.Number(), discount: Type.Number(), tax: Type.Number(), total: Type.Number() };

/** Source: interface, Contract totals. Amounts in major units. A term on which the lines differ is null. */
export const ContractTotals = Type.Object(
	{
		contractId: Type.String(),
		externalId: Type.String(),
		subTotal: Type.Number(),
		totalDiscount: Type.Number(),
		totalTax: Type.Number(),
		total: Type.Number(),
		items: Type.Array(Type.Object({ itemId: Type.String(), name: Type.String(), ...figures })),
		currency: Type.String(),
		activationStartDate: nullable(Type.String()),
		activationEndDate: nullable(Type.String()),
		netTerms: nullable(Type.Integer()),
		legalEntityId: Type.String(),
		paymentAccountId: Type.String(),
	},
	{ $id: "ContractTotals" },
);
export type ContractTotals = Static<typeof ContractTotals>;

export const PricingModelView = Type.Object(
	{
		id: Type.String(),
		name: Type.String(),
		categoryName: Type.String(),
		isPayAsYouGo: Type.Boolean(),
		editableInputs: Type.Array(Type.String()),
	},
	{ $id: "PricingModel" },
);

export const LegalEntity = Type.Object(
	{
		id: Type.String(),
		name: Type.String(),
		isDefault: Type.Boolean(),
		paymentAccounts: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), isDefault: Type.Boolean() })),
	},
	{ $id: "LegalEntity" },
);
export type LegalEntity = Static<typeof LegalEntity>;
