import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { type Input, operation } from "../../graphql/input/operation";
import { isoText, sent } from "../../graphql/input/subscription-input";
import { type Connection, page, unknownCursor } from "../../graphql/lists/connection";
import { costs, smallerPages } from "../../graphql/request/budget";
import type { OperationContext } from "../../graphql/request/context";
import { getBalance } from "./balances/operations";
import { BalanceQuery, type CreditBalance } from "./balances/schema";
import { entryFilterOf } from "./ledger/operations";
import {
	countRare,
	type EntryFilter,
	selectEntries,
	selectSequences,
	sequenceOf,
	storedEntryCount,
} from "./ledger/store";
import { viewEntries } from "./ledger/view";
import { type LedgerEventType, ledgerEventTypes } from "./schema.values";
import type { CreditEntryRow } from "./table";
import { getCreditUsage } from "./usage/operations";
import { CreditUsageQuery, timeRanges } from "./usage/schema";

const typeDefs = `
	enum CreditLedgerEventType { ${ledgerEventTypes.join(" ")} }
	enum CreditUsageTimeRange { ${timeRanges.join(" ")} }
	"A movement of credits; the amount is never below zero, the type says the direction."
	type CreditLedgerEntry {
		id: ID!
		customerId: String!
		creditCurrencyId: String!
		resourceId: String
		creditGrantId: String!
		eventType: CreditLedgerEventType!
		amount: Float!
		featureId: String
		eventId: String
		timestamp: DateTime!
	}
	type CreditLedgerEntryEdge { node: CreditLedgerEntry! cursor: ConnectionCursor! }
	type CreditLedgerEntryConnection { edges: [CreditLedgerEntryEdge!]! pageInfo: PageInfo! totalCount: Int! }
	type CreditUsageCurrency { currencyId: String! displayName: String! singular: String plural: String symbol: String }
	type CreditUsagePoint { timestamp: DateTime! value: Float! eventCount: Int! }
	type CreditUsageTag { key: String! value: String! }
	type CreditUsageSeries {
		featureId: String
		featureName: String
		totalCredits: Float!
		eventCount: Int!
		points: [CreditUsagePoint!]!
		"With groupBy alone."
		tags: [CreditUsageTag!]
	}
	type CreditUsagePagination { next: ConnectionCursor prev: ConnectionCursor }
	type CreditUsage {
		"Null where no single one applies."
		currency: CreditUsageCurrency
		pagination: CreditUsagePagination!
		series: [CreditUsageSeries!]!
	}
	type CreditBalanceCurrency { currencyId: String! }
	"What is left of a currency, on a resource or on none."
	type CreditBalanceSummary {
		customerId: String!
		currencyId: String!
		currency: CreditBalanceCurrency!
		resourceId: String
		"Below zero where more was consumed than there was."
		currentBalance: Float!
		"Of the grants that are active now."
		totalGranted: Float!
		"Of these, and beyond them."
		totalConsumed: Float!
		"As totalGranted."
		usageLimit: Float!
		"As totalConsumed."
		currentUsage: Float!
		overdraft: Float!
		usagePeriodEnd: DateTime
		validUntil: DateTime
		timestamp: DateTime!
	}
	"Without resourceId: of all resources, and of none; with an empty one: of none."
	input CreditsLedgerInput {
		customerId: String!
		currencyId: String
		resourceId: String
		eventTypes: [CreditLedgerEventType!]
		paging: CursorPaging
		environmentId: String
	}
	input CreditUsageInput {
		customerId: String!
		currencyId: String
		resourceId: String
		"LAST_MONTH when left out; startDate goes before it."
		timeRange: CreditUsageTimeRange
		startDate: DateTime
		"Now when left out."
		endDate: DateTime
		"One to three names of dimensions."
		groupBy: [String!]
		after: ConnectionCursor
		before: ConnectionCursor
		limit: Int
		environmentId: String
	}
	input CreditBalanceSummaryInput { customerId: String! currencyId: String! resourceId: String environmentId: String }
	extend type Query {
		creditsLedger(input: CreditsLedgerInput!): CreditLedgerEntryConnection
		creditUsage(input: CreditUsageInput!): CreditUsage
		creditBalanceSummary(input: CreditBalanceSummaryInput!): CreditBalanceSummary
	}
`;

const scope = "CREDIT:READ";

const balance = fieldsOf<CreditBalance>({
	fields: {
		currency: ({ currencyId }) => ({ currencyId }),
		totalGranted: ({ usageLimit }) => usageLimit,
		totalConsumed: ({ currentUsage }) => currentUsage,
	},
});

/** The newest first, in the steps of the REST list. */
function ledger(args: Readonly<Record<string, unknown>>, context: OperationContext): Connection {
	const { work } = context;
	const input = inputOf(args, "input");
	const { eventTypes } = input;
	const { customer, asked } = entryFilterOf(work, {
		...namesOf(input),
		eventTypes: Array.isArray(eventTypes) ? (eventTypes as LedgerEventType[]) : undefined,
	});
	const found = new Map<string, CreditEntryRow>();
	const placeOf = (cursor: string): number => {
		const sequence = found.get(cursor)?.sequence ?? sequenceOf(work, customer.id, cursor);
		if (sequence === undefined) throw unknownCursor(cursor);
		return sequence;
	};
	return page(context, input.paging, {
		type: "CreditLedgerEntry",
		assertCursor: placeOf,
		idsBeyond(from, isBackward, rowsMax) {
			context.spend(costs.statement + rowsMax * costs.loadedRow, smallerPages);
			const sequence = from === undefined ? undefined : placeOf(from);
			const entries = selectEntries(work, selectSequences(work, { ...asked, sequence, isBackward, rowsMax }));
			for (const entry of entries) found.set(entry.id, entry);
			return entries.map(({ id }) => id);
		},
		rows(_, ids) {
			const entries = ids.flatMap((id) => found.get(id) ?? []);
			const views = viewEntries(work, customer, entries);
			return new Map(entries.map(({ id }, at) => [id, { ...views[at], id }]));
		},
		count: () => entriesCount(context, asked),
	});
}

/** All entries of a wallet are kept count of; those of rare types are counted, or counted out. */
function entriesCount(context: OperationContext, asked: EntryFilter): number {
	const { work, budget } = context;
	const remedy = "Leave out 'totalCount', or narrow the ledger by 'currencyId' and 'resourceId'.";
	const { eventTypes = ledgerEventTypes } = asked;
	const hasConsumed = eventTypes.includes("CREDITS_CONSUMED");
	const rare = ledgerEventTypes.filter(
		(type) => type !== "CREDITS_CONSUMED" && eventTypes.includes(type) !== hasConsumed,
	);
	const rareCount = countRare(work, asked, rare, Math.floor(budget.left / costs.row) + 1);
	context.spend(costs.statement + rareCount * costs.row, remedy);
	if (!hasConsumed) return rareCount;
	const { wallets, entries } = storedEntryCount(work, asked, Math.floor(budget.left / costs.row) + 1);
	context.spend(costs.statement + wallets * costs.row, remedy);
	return entries - rareCount;
}

const namesOf = (input: Input) => {
	const [currencyId, resourceId] = [textOf(input, "currencyId"), textOf(input, "resourceId")];
	return {
		customerId: textOf(input, "customerId") ?? "",
		...(currencyId !== undefined && { currencyId }),
		...(resourceId !== undefined && { resourceId }),
	};
};

/** As the query of the REST route, where numbers and lists are text. */
const usageQueryOf = ({ environmentId: _, limit, groupBy, startDate, endDate, ...input }: Input): Input =>
	sent({
		...input,
		limit: typeof limit === "number" ? String(limit) : undefined,
		groupBy: Array.isArray(groupBy) ? groupBy.join(",") : undefined,
		startDate: isoText(startDate),
		endDate: isoText(endDate),
	});

/** Our choice: rows that are read for one answer here, where a request has 50 ms in all; and what they cost together. */
const usedRowsMax = 10_000;
const usageCost = 40_000;

export const creditsGraphql: GraphqlArea = {
	typeDefs,
	types: { CreditBalanceSummary: balance },
	queries: {
		creditsLedger: { scope, resolve: ledger },
		creditUsage: {
			...operation({
				scope,
				read: usageQueryOf,
				body: CreditUsageQuery,
				run: (work, query) => getCreditUsage(work, query, usedRowsMax),
			}),
			cost: usageCost,
		},
		creditBalanceSummary: operation({
			scope,
			read: ({ environmentId: _, ...input }) => sent(input),
			body: BalanceQuery,
			run: getBalance,
		}),
	},
};
