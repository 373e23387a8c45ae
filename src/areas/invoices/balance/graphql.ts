import { and, eq, type SQL, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../../graphql/area";
import { operation } from "../../../graphql/input/operation";
import { moneyOf } from "../../../graphql/input/value-formats";
import { connect } from "../../../graphql/lists/connection";
import type { List } from "../../../graphql/lists/list";
import { getInvoicedCustomer } from "../operations";
import { CustomerPath } from "../schema";
import { type CustomerBalanceEntryRow, customerBalanceEntries as entries } from "../table";
import { balancesOf } from "./ledger";
import { adjustBalance } from "./operations";
import { BalanceAdjustment, balanceEntryKinds } from "./schema";
import { selectBalanceEntries } from "./store";

const typeDefs = `
	enum CustomerBalanceEntryKind { ${balanceEntryKinds.join(" ")} }
	"A change of a customer's balance, and what there was after it."
	type CustomerBalanceEntry {
		id: ID!
		kind: CustomerBalanceEntryKind!
		amount: Money!
		balance: Money!
		invoiceId: String
		creditNoteId: String
		paymentId: String
		"Of what was adjusted by hand."
		reason: String
		createdAt: DateTime!
	}
	type CustomerBalanceEntryEdge { node: CustomerBalanceEntry! cursor: ConnectionCursor! }
	type CustomerBalanceEntryConnection { edges: [CustomerBalanceEntryEdge!]! pageInfo: PageInfo! }
	"Newest first; of all its currencies unless one is asked for."
	input CustomerBalanceEntriesInput { customerId: String! currency: Currency paging: CursorPaging }
	"Adds to the balance (above zero) or takes from it (below zero), in major units."
	input AdjustCustomerBalanceInput { customerId: String! amount: Float! currency: Currency! reason: String! }
	extend type Query {
		"What a customer has in credit, in each currency in which there is something: it pays the next invoices. Throws CustomerNotFound."
		customerBalance(customerId: String!): [Money!]
		"Throws CustomerNotFound."
		customerBalanceEntries(input: CustomerBalanceEntriesInput!): CustomerBalanceEntryConnection
	}
	extend type Mutation { adjustCustomerBalance(input: AdjustCustomerBalanceInput!): CustomerBalanceEntry }
`;

const entry = fieldsOf<CustomerBalanceEntryRow>({
	fields: {
		amount: ({ amount, currency }) => moneyOf({ amount, currency }),
		balance: ({ balance, currency }) => moneyOf({ amount: balance, currency }),
	},
});

const scope = "CUSTOMER:READ";

const listOf = (asked: SQL | undefined): List => ({
	type: "CustomerBalanceEntry",
	scope,
	source: sql`${entries}`,
	id: entries.id,
	within: ({ actor }) => sql`${and(eq(entries.environmentId, actor.environmentId), asked)}`,
	fields: {},
	rows: (work, ids) => new Map(selectBalanceEntries(work, ids).map((row) => [row.id, row])),
});

export const customerBalanceGraphql: GraphqlArea = {
	typeDefs,
	types: { CustomerBalanceEntry: entry },
	queries: {
		customerBalance: {
			scope,
			resolve: (args, { work }) =>
				balancesOf(work, getInvoicedCustomer(work, textOf(args, "customerId") ?? "").id).map(moneyOf),
		},
		customerBalanceEntries: {
			scope,
			resolve(args, context) {
				const input = inputOf(args, "input");
				const { id } = getInvoicedCustomer(context.work, textOf(input, "customerId") ?? "");
				const currency = textOf(input, "currency")?.toLowerCase();
				const asked = and(
					eq(entries.customerId, id),
					currency === undefined ? undefined : eq(entries.currency, currency),
				);
				return connect(context, new Map(), listOf(asked), { paging: input.paging });
			},
		},
	},
	mutations: {
		adjustCustomerBalance: operation({
			scope: "INVOICE:WRITE",
			path: { customerId: "id" },
			params: CustomerPath.properties,
			body: BalanceAdjustment,
			run: (work, body, { id }) => adjustBalance(work, getInvoicedCustomer(work, id).id, body),
		}),
	},
};
