import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../kernel/number-schema";
import { pageQuery, WithinDays } from "../../kernel/page";
import { queryInteger, queryList } from "../../kernel/query";
import { Currency, CustomerRefId, literals, nullable, RefId, Timestamp } from "../../kernel/schema";
import { SearchText } from "../../kernel/search";
import { SubscriptionProvision } from "../subscriptions/schema.provision";
import { pricingModelIds } from "./rules.models";

/** Limits of Tollgate's own: a larger contract is a mistake. */
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

export const ContractPaymentTime = literals("IN_ADVANCE", "IN_ARREARS");
export type ContractPaymentTime = Static<typeof ContractPaymentTime>;

/** Exactly one of the two. A rule checks it (rules.membership.ts), since a union would only report "no match". */
const SubscriptionEntry = Type.Object(
	{ existingSubscriptionId: Type.Optional(RefId), newSubscription: Type.Optional(SubscriptionProvision) },
	closed,
);
export type SubscriptionEntry = Static<typeof SubscriptionEntry>;

/**
 * An addition to the reference service's schema: the renewal of a contract after its term. Off unless `autoRenew` is
 * true.
 */
const RenewalInput = Type.Object(
	{
		autoRenew: Type.Boolean(),
		/** The length of each further term. Default: 12. */
		months: Type.Optional(Type.Integer({ minimum: 1, maximum: 120 })),
		/** The next term is agreed this number of days before the end. Default: 0. */
		noticePeriodDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
		/** The price increase of each term. Default: 0. */
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
		/** Default: true. */
		setupBilling: Type.Optional(Type.Boolean()),
		activationStartDate: Type.Optional(Timestamp),
		activationEndDate: Type.Optional(Timestamp),
		renewal: Type.Optional(RenewalInput),
	},
	closed,
);
export type ContractCreate = Static<typeof ContractCreate>;

const SubscriptionIds = Type.Array(RefId, { maxItems: subscriptionsMax });

/**
 * Absent fields stay as they are. `name: null` falls back to the order number or the customer's name, as for a new
 * contract.
 */
export const ContractUpdate = Type.Object(
	{
		name: Type.Optional(nullable(Name)),
		poNumber: Type.Optional(nullable(PoNumber)),
		activationStartDate: Type.Optional(Timestamp),
		activationEndDate: Type.Optional(Timestamp),
		/** Only true has an effect, and only without a billing half (docs/interface/contracts.md). */
		setupBilling: Type.Optional(Type.Boolean()),
		/** Replaces the whole group. */
		subscriptionIds: Type.Optional(SubscriptionIds),
		renewal: Type.Optional(RenewalInput),
	},
	closed,
);
export type ContractUpdate = Static<typeof ContractUpdate>;

/** Exactly one of the two; a rule checks it, as for an entry. */
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
		// An addition to the reference service's parameters.
		search: Type.Optional(SearchText),
		/** Active contracts without renewal that end within this number of days, earliest end first. */
		expiresWithinDays: Type.Optional(WithinDays),
	},
	closed,
);
export type ContractListQuery = Static<typeof ContractListQuery>;

/** Source: docs/interface/README.md#the-eight-endpoints. */
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

/** These routes have no query parameters. */
export const NoQuery = Type.Object({}, closed);

/** Amounts and quantities are limited to the range in which JSON numbers are exact. */
const Quantity = ExactNumber({ minimum: 0, maximum: 1e15 });
const Price = ExactNumber({ minimum: 0, maximum: 1e12 });

/** These keys and no others (docs/interface/contracts.md). Null means "absent"; `to: null` is the open end. */
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
		paymentTime: Type.Optional(ContractPaymentTime),
		discount: Type.Optional(nullable(Percent)),
		tax: Type.Optional(nullable(Percent)),
		netTerms: Type.Optional(nullable(NetTerms)),
		separateInvoice: Type.Optional(Type.Boolean()),
		/**
		 * An addition to the reference service's schema: a cycle that the window cuts short is prorated. Default: false, it
		 * is charged in full.
		 */
		prorateCutCycles: Type.Optional(Type.Boolean()),
		/**
		 * An addition to the reference service's schema: a window of the item's own, so that prices can rise within a
		 * contract. Default: that of the call.
		 */
		activationStartDate: Type.Optional(Timestamp),
		activationEndDate: Type.Optional(Timestamp),
	},
	closed,
);
export type ItemInput = Static<typeof ItemInput>;

/** See docs/interface/contracts.md. */
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

/** Absent fields stay as they are. Dates keep their UTC day (docs/interface/contracts.md). */
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

/** Absent fields stay as they are. Another legal entity without a payment account uses its default one. */
export const BillingSettings = Type.Object(
	{
		legalEntityId: Type.Optional(RowId),
		paymentAccountId: Type.Optional(RowId),
		/** Printed on the contract's invoices; null prints none. The limit is that of other texts of an invoice. */
		note: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
	},
	closed,
);
export type BillingSettings = Static<typeof BillingSettings>;

/** No fields; `{}` is allowed. */
export const NoBody = Type.Object({}, closed);
