import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../graphql/area";
import { connectionTypes } from "../../graphql/derive/types";
import { type Input, operation, sent } from "../../graphql/input/operation";
import { type Connection, page, unknownCursor } from "../../graphql/lists/connection";
import { costs, smallerPages } from "../../graphql/request/budget";
import type { OperationContext } from "../../graphql/request/context";
import { getBalance } from "./balances/operations";
import { BalanceQuery, CreditBalance } from "./balances/schema";
import { entryFilterOf } from "./ledger/operations";
import { LedgerEntry } from "./ledger/schema";
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
import { CreditUsage, CreditUsageQuery } from "./usage/schema";

const schemas = { LedgerEntry, CreditUsage, CreditUsageQuery, CreditBalance, BalanceQuery };

const typeDefs = `
	enum CreditLedgerEventType from LedgerEntry.eventType
	enum CreditUsageTimeRange from CreditUsageQuery.timeRange
	"A movement of credits. The amount is never negative: the type shows the direction."
	type CreditLedgerEntry from LedgerEntry { id * }
	${connectionTypes("CreditLedgerEntry", true)}
	type CreditUsageCurrency from CreditUsage.currency
	type CreditUsageSeries from CreditUsage.series {
		* points as CreditUsagePoint { * }
		"Only with groupBy."
		tags as CreditUsageTag { * }
	}
	type CreditUsagePagination { next: ConnectionCursor prev: ConnectionCursor }
	type CreditUsage {
		"Null unless all series have the same currency."
		currency: CreditUsageCurrency
		pagination: CreditUsagePagination! series: [CreditUsageSeries!]!
	}
	type CreditBalanceCurrency { currencyId: String! }
	"The balance of a currency, on a resource or on none."
	type CreditBalanceSummary from CreditBalance {
		customerId currencyId currency: CreditBalanceCurrency! resourceId
		"Negative when consumption exceeds the grants."
		currentBalance
		"The amount of the active grants."
		totalGranted: Float!
		"The consumption of these grants, and beyond them."
		totalConsumed: Float!
		"As totalGranted."
		usageLimit
		"As totalConsumed."
		currentUsage
		*
	}
	"Without resourceId: all resources, and none. An empty resourceId: no resource."
	input CreditsLedgerInput {
		customerId: String! currencyId: String resourceId: String eventTypes: [CreditLedgerEventType!]
		paging: CursorPaging environmentId: String
	}
	input CreditUsageInput {
		customerId: String! currencyId: String resourceId: String
		"Defaults to LAST_MONTH. startDate takes precedence."
		timeRange: CreditUsageTimeRange
		startDate: DateTime
		"Defaults to now."
		endDate: DateTime
		"One to three names of dimensions."
		groupBy: [String!]
		after: ConnectionCursor before: ConnectionCursor limit: Int environmentId: String
	}
	input CreditBalanceSummaryInput from BalanceQuery { * environmentId }
`;

const scope = "CREDIT:READ";

const balance = fieldsOf<CreditBalance>({
	fields: {
		currency: ({ currencyId }) => ({ currencyId }),
		totalGranted: ({ usageLimit }) => usageLimit,
		totalConsumed: ({ currentUsage }) => currentUsage,
	},
});

/** Newest first, in pages as those of REST. */
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

/** The stored count covers all entries of a wallet. Entries of rare types are counted or subtracted. */
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

/** The query of the REST route, where numbers and lists are text. */
const usageQueryOf = ({ limit, groupBy, ...input }: Input): Input =>
	sent({
		...input,
		limit: typeof limit === "number" ? String(limit) : undefined,
		groupBy: Array.isArray(groupBy) ? groupBy.join(",") : undefined,
	});

/** The rows that one response may read here, and their cost. A request has 50 ms. */
const usedRowsMax = 10_000;
const usageCost = 40_000;

export const creditsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { CreditBalanceSummary: balance },
	queries: {
		creditsLedger: { signature: "(input: CreditsLedgerInput!): CreditLedgerEntryConnection", scope, resolve: ledger },
		creditUsage: {
			...operation({
				...{ signature: "(input: CreditUsageInput!): CreditUsage", scope, read: usageQueryOf, body: CreditUsageQuery },
				run: (work, query) => getCreditUsage(work, query, usedRowsMax),
			}),
			cost: usageCost,
		},
		creditBalanceSummary: operation({
			signature: "(input: CreditBalanceSummaryInput!): CreditBalanceSummary",
			...{ scope, dropsNulls: true, body: BalanceQuery },
			run: getBalance,
		}),
	},
};
