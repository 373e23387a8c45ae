import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../../kernel/page";
import { queryList } from "../../../kernel/query";
import { CustomerRefId, literals, nullable, RefId, Timestamp } from "../../../kernel/schema";
import { ledgerEventTypes } from "../schema.values";

const closed = { additionalProperties: false };

/** Which of a customer's wallets: all of them, those of a currency, of a resource, or (empty) of no resource. */
const wallets = {
	customerId: CustomerRefId,
	currencyId: Type.Optional(RefId),
	resourceId: Type.Optional(Type.Union([Type.Literal(""), RefId])),
} as const;

export interface WalletsQuery {
	readonly customerId: string;
	readonly currencyId?: string;
	readonly resourceId?: string;
}

export const LedgerQuery = Type.Object(
	{ ...pageQuery, ...wallets, eventType: Type.Optional(queryList(...ledgerEventTypes)) },
	closed,
);
export type LedgerQuery = Static<typeof LedgerQuery>;

export const LedgerEntry = Type.Object(
	{
		customerId: Type.String(),
		creditCurrencyId: Type.String(),
		resourceId: nullable(Type.String()),
		creditGrantId: Type.String(),
		eventType: literals(...ledgerEventTypes),
		/** Never below zero: the type says the direction. */
		amount: Type.Number(),
		featureId: nullable(Type.String()),
		/** The usage event, the report or the consumption that took them. */
		eventId: nullable(Type.String()),
		timestamp: Type.String(),
	},
	{ $id: "CreditLedgerEntry" },
);
export type LedgerEntry = Static<typeof LedgerEntry>;

export const timeRanges = ["LAST_DAY", "LAST_WEEK", "LAST_MONTH", "LAST_YEAR"] as const;
export type TimeRange = (typeof timeRanges)[number];

export const CreditUsageQuery = Type.Object(
	{
		...pageQuery,
		...wallets,
		timeRange: Type.Optional(literals(...timeRanges)),
		startDate: Type.Optional(Timestamp),
		endDate: Type.Optional(Timestamp),
		groupBy: Type.Optional(Type.String({ pattern: "^[a-zA-Z0-9_$-]+(,[a-zA-Z0-9_$-]+){0,2}$", maxLength: 767 })),
	},
	closed,
);
export type CreditUsageQuery = Static<typeof CreditUsageQuery>;

const CreditUsagePoint = Type.Object(
	{ timestamp: Type.String(), value: Type.Number(), eventCount: Type.Integer() },
	{ $id: "CreditUsagePoint" },
);

const CreditUsageSeries = Type.Object(
	{
		featureId: nullable(Type.String()),
		featureName: nullable(Type.String()),
		totalCredits: Type.Number(),
		/** How many times something was consumed; not to be summed over series. */
		eventCount: Type.Integer(),
		points: Type.Array(CreditUsagePoint),
		/** With `groupBy` alone. */
		tags: Type.Optional(Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))),
	},
	{ $id: "CreditUsageSeries" },
);
export type CreditUsageSeries = Static<typeof CreditUsageSeries>;

const CreditUsageCurrency = Type.Object(
	{
		currencyId: Type.String(),
		displayName: Type.String(),
		singular: nullable(Type.String()),
		plural: nullable(Type.String()),
		symbol: nullable(Type.String()),
	},
	{ $id: "CreditUsageCurrency" },
);

export const CreditUsage = Type.Object(
	{
		/** Null where no single one applies. */
		currency: nullable(CreditUsageCurrency),
		pagination: Type.Object({ next: nullable(Type.String()), prev: nullable(Type.String()) }),
		series: Type.Array(CreditUsageSeries),
	},
	{ $id: "CreditUsage" },
);
export type CreditUsage = Static<typeof CreditUsage>;

/** One wallet: on a resource, or on none. */
export const BalanceQuery = Type.Object(
	{ customerId: CustomerRefId, currencyId: RefId, resourceId: Type.Optional(RefId) },
	closed,
);
export type BalanceQuery = Static<typeof BalanceQuery>;

export const BalancesQuery = Type.Object({ ...pageQuery, ...wallets }, closed);
export type BalancesQuery = Static<typeof BalancesQuery>;

export const CreditBalance = Type.Object(
	{
		customerId: Type.String(),
		currencyId: Type.String(),
		resourceId: nullable(Type.String()),
		/** Of its active grants. */
		usageLimit: Type.Number(),
		/** Of these, and beyond them: with the overdraft, and with what is accepted and to be settled in a moment. */
		currentUsage: Type.Number(),
		/** What is left; below zero where more was consumed than there was. */
		currentBalance: Type.Number(),
		/** What is consumed beyond all grants, and waits for the next one. */
		overdraft: Type.Number(),
		/** The soonest end of its active recurring grants. */
		usagePeriodEnd: nullable(Type.String()),
		/** When a grant becomes effective or ends next; until then only consumption and new grants change the balance. */
		validUntil: nullable(Type.String()),
		/** The version of the balance: the newest is the one to keep. */
		timestamp: Type.String(),
	},
	{ $id: "CreditBalance" },
);
export type CreditBalance = Static<typeof CreditBalance>;
