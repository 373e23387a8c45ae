import { and, eq } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { NoBody, operation } from "../../../graphql/input/operation";
import { pagedQuery } from "../../../graphql/lists/paged";
import type { Work } from "../../../kernel/work";
import { getCustomer } from "../../customers/operations";
import { cancelDebit, getDebit } from "../../direct-debit/operations";
import { selectDebits, selectFiles } from "../../direct-debit/operations.rows";
import { debitsShown, viewDebit, viewFile } from "../../direct-debit/operations.view";
import {
	DebitCreate,
	DebitFileCreate,
	DebitFilePath,
	DebitFileSettlement,
	DebitPath,
	DebitReturn,
	DirectDebit,
	DirectDebitFile,
	debitStates,
} from "../../direct-debit/schema";
import { directDebitFiles, directDebits } from "../../direct-debit/table";
import { createDebit, returnReported } from "./operations";
import { createFile, getFile, settleFile } from "./operations.files";

const schemas = { DebitCreate, DebitFileCreate, DebitFileSettlement, DebitReturn, DirectDebit, DirectDebitFile };

const typeDefs = `
	enum DirectDebitState from DirectDebit.state
	enum DirectDebitSequence from DirectDebit.sequence
	enum DirectDebitAnnouncement from DirectDebit.announcement
	enum DirectDebitFileState from DirectDebitFile.state
	"A debit that collects an invoice once. Days are texts, such as 2026-02-01. The amount is in euro."
	type DirectDebit from DirectDebit {
		id: ID! state! as DirectDebitState
		"The caller's id."
		customerId
		legalEntityId mandateId mandateReference invoiceId amount collectionOn announcement! as DirectDebitAnnouncement
		sequence as DirectDebitSequence fileId endToEndId receiptId returnCode returnedOn
		"The last days on which the debtor's bank may return it: without a reason, and without a valid mandate."
		returnableUntil: String
		unauthorizedUntil: String
		createdAt endedAt
	}
	${connectionTypes("DirectDebit", false)}
	"A file for the bank: GET /api/v1/direct-debit-files/{fileId}/document. The total is in euro."
	type DirectDebitFile from DirectDebitFile {
		id: ID! state! as DirectDebitFileState taskId legalEntityId format messageId collectUntil: String! debitsCount total createdAt
	}
	${connectionTypes("DirectDebitFile", false)}
	"Newest first. Defaults: all customers, invoices, files and states."
	input DirectDebitsInput {
		customerId: String invoiceId: String fileId: String state: DirectDebitState paging: CursorPaging
	}
	"Without a mandateId: the newest ACTIVE mandate of the customer for the invoice's legal entity."
	input CreateDirectDebitInput from DebitCreate { * }
	input DirectDebitIdInput { id: ID! }
	"Default: today."
	input ReturnDirectDebitInput from DebitReturn { id: ID! * }
	"Defaults: the default legal entity, and the debits of the next five banking days."
	input CreateDirectDebitFileInput from DebitFileCreate { legalEntityId collectUntil: String }
	"Default: today."
	input SettleDirectDebitFileInput from DebitFileSettlement { id: ID! * }
`;

const scope = "INVOICE:READ";
const writing = { scope: "INVOICE:WRITE" } as const;
const onDebit = { ...writing, path: { id: "debitId" }, params: DebitPath.properties } as const;

const views = (work: Work, ids: readonly string[]): ReadonlyMap<string, DirectDebit> => {
	const rows = selectDebits(work, ids);
	const shown = debitsShown(work, rows);
	return new Map(rows.map((row) => [row.id, shown(row)]));
};

export const debitsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: {
		DirectDebit: fieldsOf<DirectDebit>({ fields: { id: ({ debitId }) => debitId } }),
		DirectDebitFile: fieldsOf<DirectDebitFile>({ fields: { id: ({ fileId }) => fileId } }),
	},
	queries: {
		directDebits: pagedQuery(directDebits, {
			...{ type: "DirectDebit", args: "(input: DirectDebitsInput!)", scope, rows: views },
			comment: "Throws CustomerNotFound.",
			where(work, input) {
				const [customerId, invoiceId, fileId] = ["customerId", "invoiceId", "fileId"].map((name) =>
					textOf(input, name),
				);
				const state = debitStates.find((one) => one === input.state);
				return and(
					customerId === undefined ? undefined : eq(directDebits.customerId, getCustomer(work, customerId).id),
					invoiceId === undefined ? undefined : eq(directDebits.invoiceId, invoiceId),
					fileId === undefined ? undefined : eq(directDebits.fileId, fileId),
					state === undefined ? undefined : eq(directDebits.state, state),
				);
			},
		}),
		directDebit: {
			...{ signature: "(id: ID!): DirectDebit", scope },
			resolve: (args, { work }) => viewDebit(work, getDebit(work, textOf(args, "id") ?? "")),
		},
		directDebitFiles: pagedQuery(directDebitFiles, {
			...{ type: "DirectDebitFile", args: "(paging: CursorPaging)", scope, comment: "Newest first." },
			rows: (work, ids) => new Map(selectFiles(work, ids).map((row) => [row.id, viewFile(row)])),
		}),
		directDebitFile: {
			...{ signature: "(id: ID!): DirectDebitFile", scope },
			resolve: (args, { work }) => viewFile(getFile(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		createDirectDebit: operation({
			...{ ...writing, signature: "(input: CreateDirectDebitInput!): DirectDebit", body: DebitCreate },
			...{ path: {}, params: {}, comment: "Collects the amount due of an OPEN invoice by direct debit." },
			run: (work, body) => viewDebit(work, createDebit(work, body)),
		}),
		cancelDirectDebit: operation({
			...{ ...onDebit, signature: "(input: DirectDebitIdInput!): DirectDebit", body: NoBody },
			comment: "Only a PLANNED one.",
			run: (work, _, { debitId }) => viewDebit(work, cancelDebit(work, debitId)),
		}),
		returnDirectDebit: operation({
			...{ ...onDebit, signature: "(input: ReturnDirectDebitInput!): DirectDebit", body: DebitReturn },
			comment: "Money that had arrived is withdrawn, and the invoice is OPEN again.",
			run: (work, body, { debitId }) => viewDebit(work, returnReported(work, debitId, body)),
		}),
		createDirectDebitFile: operation({
			...{ ...writing, signature: "(input: CreateDirectDebitFileInput!): DirectDebitFile", body: DebitFileCreate },
			...{ path: {}, params: {}, comment: "A task puts the PLANNED debits into one file." },
			run: (work, body) => viewFile(createFile(work, body)),
		}),
		settleDirectDebitFile: operation({
			...{ ...writing, signature: "(input: SettleDirectDebitFileInput!): DirectDebitFile", body: DebitFileSettlement },
			...{ path: { id: "fileId" }, params: DebitFilePath.properties },
			comment: "A task records the money of each debit that is not returned.",
			run: (work, body, { fileId }) => viewFile(settleFile(work, fileId, body)),
		}),
	},
};
