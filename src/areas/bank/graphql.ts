import { and, eq } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { connectionTypes } from "../../graphql/derive/types";
import { NoBody, operation } from "../../graphql/input/operation";
import { pagedQuery } from "../../graphql/lists/paged";
import type { Work } from "../../kernel/work";
import { getInvoicedCustomer } from "../invoices/operations";
import { confirmEntry, getEntry, rejectEntry, undoEntry } from "./entries/operations";
import { getImport } from "./imports/operations";
import { setBankAccount } from "./operations.accounts";
import {
	BankAccount,
	BankAccountPath,
	BankAccountSettings,
	BankEntry,
	BankEntryConfirmation,
	BankEntryPath,
	BankImport,
	BankStatement,
	entryStates,
} from "./schema";
import { selectAccountsByIds, selectEntries, selectImports, selectStatements } from "./store";
import { bankAccounts, bankEntries, bankImports, bankStatements } from "./table";
import { entriesShown, viewAccount, viewEntry, viewImport, viewStatement } from "./view";

const schemas = {
	...{ BankAccount, BankAccountSettings, BankEntry, BankEntryConfirmation, BankImport, BankStatement },
};

const typeDefs = `
	enum BankImportState from BankImport.state
	enum BankEntryState from BankEntry.state
	enum BankMatchingRule from BankEntry.proposals.rule
	enum BankEntryExcess from BankEntryConfirmation.excess
	"An amount by which a payment may fall short because banks deducted fees."
	type BankFeeTolerance { currency: String! amount: Float! }
	"An account of a legal entity with statements or settings."
	type BankAccount from BankAccount {
		id: ID! legalEntityId iban feeTolerance: [BankFeeTolerance!]!
		"How the bank writes its CSV files, as in REST."
		csvMapping: JSON
		createdAt updatedAt
	}
	${connectionTypes("BankAccount", false)}
	"A file that was imported. Send files to POST /api/v1/bank-imports."
	type BankImport from BankImport {
		id: ID! taskId format state! as BankImportState statementsCount entriesCount knownCount outgoingCount recordedCount
		proposedCount unmatchedCount createdAt endedAt
	}
	${connectionTypes("BankImport", false)}
	"The numbers of statements that were not imported."
	type MissingBankStatements { from: Int! to: Int! }
	type BankStatement from BankStatement {
		id: ID! bankAccountId importId number sequence currency openingBalance closingBalance entriesCount
		"The numbers between the former statement of the year and this one."
		missing: MissingBankStatements
		createdAt
	}
	${connectionTypes("BankStatement", false)}
	"An invoice that an entry may pay."
	type BankProposalInvoice { invoiceId: String! number: String! amountDue: Float! }
	"Invoices of one customer that an entry may pay, and why."
	type BankProposal { rule: BankMatchingRule! customerId: String! invoices: [BankProposalInvoice!]! reasons: [String!]! }
	"A movement on a bank account. The amount is negative for money that left it. Days are texts, such as 2026-02-01."
	type BankEntry from BankEntry {
		id: ID! bankAccountId statementId state! as BankEntryState amount currency bookedOn valueOn isReversal bankReference
		endToEndId mandateId creditorReference returnCode partyName partyIban text
		"The best first."
		proposals: [BankProposal!]!
		"The caller's id of the payer of the receipt."
		customerId
		receiptId
		"Whether Tollgate allocated the money without a person."
		isAutomatic
		decidedAt createdAt
	}
	${connectionTypes("BankEntry", false)}
	"Newest first. Default: all accounts."
	input BankStatementsInput { bankAccountId: String paging: CursorPaging }
	"Newest first. Defaults: all states, statements and payers."
	input BankEntriesInput { state: BankEntryState statementId: String customerId: String paging: CursorPaging }
	"A missing setting stays; null clears the mapping."
	input SetBankAccountInput { iban: String! feeTolerance: [BankFeeToleranceInput!] csvMapping: JSON }
	input BankFeeToleranceInput { currency: String! amount: Float! }
	"One of the three: a proposal by its position from 0, invoices of one customer, or a customer alone."
	input ConfirmBankEntryInput from BankEntryConfirmation { entryId: String! excess as BankEntryExcess * }
	input BankEntryIdInput { entryId: String! }
`;

const scope = "INVOICE:READ";
const onEntry = { scope: "INVOICE:WRITE", path: { entryId: "entryId" }, params: BankEntryPath.properties } as const;

const entryViews = (work: Work, ids: readonly string[]): ReadonlyMap<string, BankEntry> => {
	const rows = selectEntries(work, ids);
	const shown = entriesShown(work, rows);
	return new Map(rows.map((row) => [row.id, shown(row)]));
};

export const bankGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: {
		BankAccount: fieldsOf<BankAccount>({ fields: { id: ({ bankAccountId }) => bankAccountId } }),
		BankImport: fieldsOf<BankImport>({ fields: { id: ({ importId }) => importId } }),
		BankStatement: fieldsOf<BankStatement>({ fields: { id: ({ statementId }) => statementId } }),
		BankEntry: fieldsOf<BankEntry>({ fields: { id: ({ entryId }) => entryId } }),
	},
	queries: {
		bankAccounts: pagedQuery(bankAccounts, {
			...{ type: "BankAccount", args: "(paging: CursorPaging)", scope, comment: "Newest first." },
			rows: (work, ids) => new Map(selectAccountsByIds(work, ids).map((row) => [row.id, viewAccount(row)])),
		}),
		bankImports: pagedQuery(bankImports, {
			...{ type: "BankImport", args: "(paging: CursorPaging)", scope, comment: "Newest first." },
			rows: (work, ids) => new Map(selectImports(work, ids).map((row) => [row.id, viewImport(row)])),
		}),
		bankImport: {
			...{ signature: "(id: ID!): BankImport", scope },
			resolve: (args, { work }) => viewImport(getImport(work, textOf(args, "id") ?? "")),
		},
		bankStatements: pagedQuery(bankStatements, {
			...{ type: "BankStatement", args: "(input: BankStatementsInput!)", scope },
			rows: (work, ids) => new Map(selectStatements(work, ids).map((row) => [row.id, viewStatement(work, row)])),
			where(_, input) {
				const bankAccountId = textOf(input, "bankAccountId");
				return bankAccountId === undefined ? undefined : eq(bankStatements.accountId, bankAccountId);
			},
		}),
		bankEntries: pagedQuery(bankEntries, {
			...{ type: "BankEntry", args: "(input: BankEntriesInput!)", scope, rows: entryViews },
			comment: "PROPOSED ones wait for a decision. Throws CustomerNotFound.",
			where(work, input) {
				const [statementId, customerId] = [textOf(input, "statementId"), textOf(input, "customerId")];
				const state = entryStates.find((one) => one === input.state);
				return and(
					statementId === undefined ? undefined : eq(bankEntries.statementId, statementId),
					customerId === undefined ? undefined : eq(bankEntries.customerId, getInvoicedCustomer(work, customerId).id),
					state === undefined ? undefined : eq(bankEntries.state, state),
				);
			},
		}),
		bankEntry: {
			...{ signature: "(id: ID!): BankEntry", scope },
			resolve: (args, { work }) => viewEntry(work, getEntry(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		setBankAccount: operation({
			...{ signature: "(input: SetBankAccountInput!): BankAccount", scope: "INVOICE:WRITE" },
			...{ path: { iban: "iban" }, params: BankAccountPath.properties, body: BankAccountSettings },
			comment: "Sets how statements of an account are read and matched. A legal entity must have the IBAN.",
			run: (work, body, { iban }) => viewAccount(setBankAccount(work, iban, body)),
		}),
		confirmBankEntry: operation({
			...{ ...onEntry, signature: "(input: ConfirmBankEntryInput!): BankEntry", body: BankEntryConfirmation },
			comment: "Records the money of an entry as a receipt. Tollgate knows the payer by its IBAN from then on.",
			run: (work, body, { entryId }) => viewEntry(work, confirmEntry(work, entryId, body)),
		}),
		rejectBankEntry: operation({
			...{ ...onEntry, signature: "(input: BankEntryIdInput!): BankEntry", body: NoBody },
			comment: "Records that an entry pays no invoice.",
			run: (work, _, { entryId }) => viewEntry(work, rejectEntry(work, entryId)),
		}),
		undoBankEntry: operation({
			...{ ...onEntry, signature: "(input: BankEntryIdInput!): BankEntry", body: NoBody },
			comment: "Undoes the last decision: the money of a RECORDED entry is unallocated again.",
			run: (work, _, { entryId }) => viewEntry(work, undoEntry(work, entryId)),
		}),
	},
};
