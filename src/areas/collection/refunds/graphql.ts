import { and, eq } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { operation } from "../../../graphql/input/operation";
import { pagedQuery } from "../../../graphql/lists/paged";
import type { Work } from "../../../kernel/work";
import { getCustomer } from "../../customers/operations";
import { getRefund, type RefundAtProvider } from "./operations";
import { refundStates } from "./rules.states";
import { ProviderRefund, RefundCreate } from "./schema";
import { selectRefunds } from "./store";
import { providerRefunds } from "./table";
import { refundsShown, viewRefund } from "./view";

const schemas = { ProviderRefund, RefundCreate };

const typeDefs = `
	enum ProviderRefundState from ProviderRefund.state
	"Why a refund failed: the provider's code and message."
	type ProviderRefundFailure { code: String! message: String! }
	"Money of a charge that goes back through its provider."
	type ProviderRefund from ProviderRefund {
		id state as ProviderRefundState receiptId refundReceiptId
		"The caller's id."
		customerId
		connectionId amount as Money currency reason
		"The provider's reference of the refund."
		reference
		failure: ProviderRefundFailure
		"The receipts of the money that came back because the refund failed."
		returnedReceiptIds
		createdAt endedAt
	}
	${connectionTypes("ProviderRefund", false)}
	"Newest first. Defaults: all customers, receipts and states."
	input ProviderRefundsInput { customerId: String receiptId: String state: ProviderRefundState paging: CursorPaging }
	"By default, all that can be refunded of the receipt."
	input RefundAtProviderInput from RefundCreate { * }
`;

const scope = "INVOICE:READ";

const views = (work: Work, ids: readonly string[]): ReadonlyMap<string, ProviderRefund> => {
	const rows = selectRefunds(work, ids);
	const shown = refundsShown(work, rows);
	return new Map(rows.map((row) => [row.id, shown(row)]));
};

/** A refund needs receipts. Their area is later, so `graphql/schema.ts` passes the operation in. */
export const refundsGraphql = (refundAtProvider: RefundAtProvider): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { ProviderRefund: fieldsOf<ProviderRefund>({ fields: {} }) },
	queries: {
		providerRefunds: pagedQuery(providerRefunds, {
			...{ type: "ProviderRefund", args: "(input: ProviderRefundsInput!)", scope, rows: views },
			comment: "Throws CustomerNotFound.",
			where(work, input) {
				const [customerId, receiptId] = [textOf(input, "customerId"), textOf(input, "receiptId")];
				const state = refundStates.find((one) => one === input.state);
				return and(
					customerId === undefined ? undefined : eq(providerRefunds.customerId, getCustomer(work, customerId).id),
					receiptId === undefined ? undefined : eq(providerRefunds.receiptId, receiptId),
					state === undefined ? undefined : eq(providerRefunds.state, state),
				);
			},
		}),
		providerRefund: {
			...{ signature: "(id: ID!): ProviderRefund", scope },
			resolve: (args, { work }) => viewRefund(work, getRefund(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		refundAtProvider: operation({
			...{ signature: "(input: RefundAtProviderInput!): ProviderRefund", scope: "INVOICE:WRITE", path: {}, params: {} },
			comment: "Sends money of a receipt back through its provider. Throws InvalidArgumentError.",
			body: RefundCreate,
			run: (work, input) => viewRefund(work, refundAtProvider(work, input)),
		}),
	},
});
