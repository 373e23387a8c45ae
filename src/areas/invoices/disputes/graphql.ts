import { and, eq } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { operation } from "../../../graphql/input/operation";
import { pagedQuery } from "../../../graphql/lists/paged";
import { checker } from "../../../http/validation";
import { getInvoicedCustomer } from "../operations";
import { ReceiptPath } from "../receipts/schema";
import { answerDispute } from "./answer";
import { changeReported, getDispute, recordDispute } from "./operations";
import {
	Dispute,
	DisputeChange,
	DisputeEvidenceList,
	DisputePath,
	DisputeReport,
	type Dispute as DisputeView,
	disputeStates,
} from "./schema";
import { selectDisputes } from "./store";
import { disputes } from "./table";
import { viewDispute, viewDisputes } from "./view";

const schemas = { Dispute, DisputeChange, DisputeReport };

const typeDefs = `
	enum DisputeState from Dispute.state
	enum FirstDisputeState from DisputeReport.state
	"A bank or a provider asks for the money of a receipt back."
	type Dispute from Dispute {
		id: ID! receiptId
		"The caller's id."
		customerId
		state! as DisputeState amount as Money currency reason reference note openedDate evidenceDueDate endedDate
		"The receipt of the withdrawal; only of a LOST or ACCEPTED dispute."
		returnId
		createdAt
	}
	${connectionTypes("Dispute", false)}
	"Newest first. Defaults: all customers, receipts and states."
	input DisputesInput { customerId: String receiptId: String state: DisputeState paging: CursorPaging }
	"Defaults: all that is left of the receipt, NEEDS_RESPONSE, now. A reference is recorded once."
	input RecordDisputeInput from DisputeReport { receiptId: String! state as FirstDisputeState * }
	input DisputeEvidenceInput { field: String! text: String! }
	"Texts by the provider's names of the fields."
	input SendDisputeEvidenceInput { disputeId: String! evidence: [DisputeEvidenceInput!]! }
	input AcceptDisputeInput { disputeId: String! }
	"By default, the state changed now."
	input ChangeDisputeStateInput from DisputeChange { disputeId: String! state! as DisputeState * }
`;

const scope = "INVOICE:READ";

const readEvidence = checker("body", DisputeEvidenceList);
const sentOf = ({ input }: Readonly<Record<string, unknown>>) => ({ ...(input as Record<string, unknown>) });

const dispute = fieldsOf<DisputeView>({ fields: { id: ({ disputeId }) => disputeId } });

export const disputesGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { Dispute: dispute },
	queries: {
		disputes: pagedQuery(disputes, {
			...{ type: "Dispute", args: "(input: DisputesInput!)", scope },
			rows: (work, ids) => new Map(viewDisputes(work, selectDisputes(work, ids)).map((view) => [view.disputeId, view])),
			comment: "Throws CustomerNotFound.",
			where(work, input) {
				const [customerRef, receiptId] = [textOf(input, "customerId"), textOf(input, "receiptId")];
				const state = disputeStates.find((one) => one === input.state);
				return and(
					customerRef === undefined ? undefined : eq(disputes.customerId, getInvoicedCustomer(work, customerRef).id),
					receiptId === undefined ? undefined : eq(disputes.receiptId, receiptId),
					state === undefined ? undefined : eq(disputes.state, state),
				);
			},
		}),
		dispute: {
			signature: "(id: String!): Dispute",
			...{ comment: "A dispute of a receipt.", scope },
			resolve: (args, { work }) => viewDispute(work, getDispute(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		sendDisputeEvidence: {
			...{ signature: "(input: SendDisputeEvidenceInput!): Dispute", scope: "INVOICE:WRITE" },
			comment:
				"Sends evidence to the provider of the dispute, once. Throws InvalidArgumentError, PaymentProviderError.",
			perform: (args, actor, services) => {
				const { disputeId, ...body } = sentOf(args);
				const { evidence } = readEvidence(body);
				return answerDispute(services, actor, { operation: "sendDisputeEvidence" }, `${disputeId}`, {
					...{ kind: "SEND_EVIDENCE", evidence: Object.fromEntries(evidence.map(({ field, text }) => [field, text])) },
				});
			},
		},
		acceptDispute: {
			...{ signature: "(input: AcceptDisputeInput!): Dispute", scope: "INVOICE:WRITE" },
			comment:
				"Accepts a dispute at its provider: its money is lost. Throws InvalidArgumentError, PaymentProviderError.",
			perform: (args, actor, services) =>
				answerDispute(services, actor, { operation: "acceptDispute" }, `${sentOf(args).disputeId}`, {
					...{ kind: "ACCEPT_DISPUTE", evidence: {} },
				}),
		},
		recordDispute: operation({
			...{ scope: "INVOICE:WRITE", signature: "(input: RecordDisputeInput!): Dispute" },
			comment: "The amount cannot be refunded until the dispute ends. Throws InvalidArgumentError.",
			...{ path: { receiptId: "receiptId" }, params: ReceiptPath.properties, body: DisputeReport },
			run: (work, body, { receiptId }) => viewDispute(work, recordDispute(work, receiptId, body)),
		}),
		changeDisputeState: operation({
			...{ scope: "INVOICE:WRITE", signature: "(input: ChangeDisputeStateInput!): Dispute" },
			comment:
				"LOST and ACCEPTED withdraw the money, so the invoices that it paid are OPEN again. Throws InvalidArgumentError.",
			...{ path: { disputeId: "disputeId" }, params: DisputePath.properties, body: DisputeChange },
			run: (work, body, { disputeId }) => viewDispute(work, changeReported(work, disputeId, body)),
		}),
	},
};
