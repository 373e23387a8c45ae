import { and, eq } from "drizzle-orm";
import { type GraphqlArea, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { mutationsOf } from "../../../graphql/input/mutations";
import { pagedQuery } from "../../../graphql/lists/paged";
import { getInvoicedCustomer } from "../operations";
import { CustomerPath } from "../schema";
import { customerBalanceEntries as entries } from "../table.receipts";
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

const scope = "CUSTOMER:READ";

export const customerBalanceGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { CustomerBalanceEntry: { fields: {} } },
	queries: {
		customerBalance: {
			...{ signature: "(customerId: String!): [Money!]", scope },
			comment: "The balance in each currency that is not zero. It pays the next invoices. Throws CustomerNotFound.",
			resolve: (args, { work }) => balancesOf(work, getInvoicedCustomer(work, textOf(args, "customerId") ?? "").id),
		},
		customerBalanceEntries: pagedQuery(entries, {
			...{ type: "CustomerBalanceEntry", args: "(input: CustomerBalanceEntriesInput!)", scope },
			comment: "Throws CustomerNotFound.",
			where(work, input) {
				const { id } = getInvoicedCustomer(work, textOf(input, "customerId") ?? "");
				const currency = textOf(input, "currency")?.toLowerCase();
				return and(eq(entries.customerId, id), currency === undefined ? undefined : eq(entries.currency, currency));
			},
			rows: (work, ids) => new Map(selectBalanceEntries(work, ids).map((row) => [row.id, row])),
		}),
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
