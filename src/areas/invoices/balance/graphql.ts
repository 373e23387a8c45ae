import { and, eq, type SQL } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { mutationsOf } from "../../../graphql/input/mutations";
import { connect } from "../../../graphql/lists/connection";
import { type List, tableList } from "../../../graphql/lists/list";
import { getInvoicedCustomer } from "../operations";
import { CustomerPath } from "../schema";
import { type CustomerBalanceEntryRow, customerBalanceEntries as entries } from "../table";
import { balancesOf } from "./ledger";
import { adjustBalance } from "./operations";
import { BalanceAdjustment, BalanceEntry } from "./schema";
import { selectBalanceEntries } from "./store";

const schemas = { BalanceEntry, BalanceAdjustment };

const typeDefs = `
	enum CustomerBalanceEntryKind from BalanceEntry.kind
	"A change of a customer's balance, and the balance after it."
	type CustomerBalanceEntry from BalanceEntry {
		id kind amount as Money balance as Money invoiceId creditNoteId paymentId
		"The reason of a manual adjustment."
		reason
		createdAt
	}
	${connectionTypes("CustomerBalanceEntry", false)}
	"Newest first. currency defaults to all currencies of the customer."
	input CustomerBalanceEntriesInput { customerId: String! currency: Currency paging: CursorPaging }
	"In major units. A positive amount increases the balance, a negative amount reduces it."
	input AdjustCustomerBalanceInput from BalanceAdjustment { customerId * }
`;

const entry = fieldsOf<CustomerBalanceEntryRow>({
	fields: {
		amount: ({ amount, currency }) => ({ amount, currency }),
		balance: ({ balance, currency }) => ({ amount: balance, currency }),
	},
});

const scope = "CUSTOMER:READ";

const listOf = (condition: SQL | undefined): List =>
	tableList(
		entries,
		{
			...{ type: "CustomerBalanceEntry", scope },
			rows: (work, ids) => new Map(selectBalanceEntries(work, ids).map((row) => [row.id, row])),
		},
		condition,
	);

export const customerBalanceGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { CustomerBalanceEntry: entry },
	queries: {
		customerBalance: {
			...{ signature: "(customerId: String!): [Money!]", scope },
			comment: "The balance in each currency that is not zero. It pays the next invoices. Throws CustomerNotFound.",
			resolve: (args, { work }) => balancesOf(work, getInvoicedCustomer(work, textOf(args, "customerId") ?? "").id),
		},
		customerBalanceEntries: {
			signature: "(input: CustomerBalanceEntriesInput!): CustomerBalanceEntryConnection",
			...{ comment: "Throws CustomerNotFound.", scope },
			resolve(args, context) {
				const input = inputOf(args, "input");
				const { id } = getInvoicedCustomer(context.work, textOf(input, "customerId") ?? "");
				const currency = textOf(input, "currency")?.toLowerCase();
				const condition = and(
					eq(entries.customerId, id),
					currency === undefined ? undefined : eq(entries.currency, currency),
				);
				return connect(context, new Map(), listOf(condition), { paging: input.paging });
			},
		},
	},
	mutations: {
		adjustCustomerBalance: mutationsOf({
			...{ returns: "CustomerBalanceEntry", scope: "INVOICE:WRITE", path: { customerId: "id" } },
			params: CustomerPath.properties,
		}).change("AdjustCustomerBalanceInput", BalanceAdjustment, (work, id, body) =>
			adjustBalance(work, getInvoicedCustomer(work, id).id, body),
		),
	},
};
