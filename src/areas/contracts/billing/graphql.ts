import { and, eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { NoBody, operation } from "../../../graphql/input/operation";
import { sent } from "../../../graphql/input/subscription-input";
import { connect } from "../../../graphql/lists/connection";
import type { List } from "../../../graphql/lists/list";
import { costs } from "../../../graphql/request/budget";
import { checker } from "../../../http/validation";
import { creditNotesByIds } from "../../invoices/operations.credit-notes";
import { creditNotes } from "../../invoices/table";
import { ContractPath } from "../schema";
import { getBilledContract } from "./operations.credit-notes";
import { previewNextInvoice } from "./operations.next-invoice";
import { previewPublication } from "./operations.publish";
import { getInvoiceSchedule } from "./operations.schedule";
import { readUsage } from "./operations.usage";
import { type InvoiceSchedule, type ScheduledInvoice, ScheduleQuery } from "./schema";
import { viewPlanned, viewPublication, viewSchedule, viewUsage } from "./view";

const typeDefs = `
	enum ContractInvoiceStatus { CONTRACT_DRAFT SCHEDULED DRAFT OPEN PAID CANCELED }
	enum ContractItemChange { ADDED CHANGED REMOVED UNCHANGED }
	"Amounts are in major units of the invoice's currency."
	type ContractScheduledLine {
		"Null of what is issued."
		itemId: String
		description: String!
		quantity: Float
		unitPrice: Float
		amount: Float!
		discount: Float!
		tax: Float!
		total: Float!
		periodStart: DateTime
		periodEnd: DateTime
	}
	"Issued, or to come: then without an id and a number, CONTRACT_DRAFT while the contract's billing is a draft and SCHEDULED after."
	type ContractScheduledInvoice {
		invoiceId: String
		number: String
		status: ContractInvoiceStatus!
		issueDate: DateTime!
		dueDate: DateTime!
		periodStart: DateTime
		periodEnd: DateTime
		currency: Currency!
		subTotal: Float!
		discount: Float!
		tax: Float!
		total: Float!
		lines: [ContractScheduledLine!]!
	}
	"invoiceCount and total are the whole schedule's, however many are shown."
	type ContractInvoiceSchedule {
		isPreview: Boolean!
		invoiceCount: Int!
		total: Float!
		invoices: [ContractScheduledInvoice!]!
	}
	type ContractItemDifference {
		itemId: String!
		name: String!
		change: ContractItemChange!
		totalBefore: Float
		totalAfter: Float
	}
	"What publishing would do. Totals are the whole term's; totalBefore is null where nothing was in force."
	type ContractPublication {
		contractId: String!
		isAmendment: Boolean!
		totalBefore: Float
		totalAfter: Float!
		items: [ContractItemDifference!]!
		invoicesNow: [ContractScheduledInvoice!]!
		laterCount: Int!
		laterTotal: Float!
		"What of the current invoices is credited, where the amendment replaces these."
		creditedNow: Float!
	}
	"So far, in the units that are priced."
	type ContractItemUsage {
		itemId: String!
		featureId: String!
		quantity: Float!
		periodStart: DateTime!
		periodEnd: DateTime!
	}
	type ContractItemWithoutUsage { itemId: String! featureId: String! message: String! }
	type ContractUsage {
		reported: [ContractItemUsage!]!
		failed: [ContractItemWithoutUsage!]!
		skipped: [ContractItemWithoutUsage!]!
	}
	extend type Query {
		"What was issued and what will be, of a draft too; at most count invoices, 1 to 1000. Throws ContractNotFound."
		contractInvoiceSchedule(refId: String!, count: Int): ContractInvoiceSchedule
		"Null where none is to come. Throws ContractNotFound, InvoicePreviewNotAvailableForDraftContract."
		contractNextInvoice(refId: String!): ContractScheduledInvoice
		"What was credited of a contract's invoices, newest first. Throws ContractNotFound."
		contractCreditNotes(refId: String!, paging: CursorPaging): CreditNoteConnection
	}
	extend type Mutation {
		"What publishContract would do, with all that it refuses; nothing is changed or issued."
		previewContractPublication(input: ByContractIdInput!): ContractPublication
		"What the meters have counted by now of what is priced by use."
		refreshContractUsage(input: ByContractIdInput!): ContractUsage
	}
`;

const scope = "CONTRACT:READ";

const scheduledInvoice = fieldsOf<ScheduledInvoice>({
	scope,
	fields: {
		number: ({ invoiceNumber }) => invoiceNumber,
		status: ({ state }) => state,
		currency: ({ currency }) => currency.toUpperCase(),
		lines: ({ lineItems }) => lineItems,
	},
});

const readQuery = checker("body", ScheduleQuery);

/** As many as one answer of REST's holds, unless fewer are asked for. */
function scheduleOf(args: Readonly<Record<string, unknown>>): { readonly refId: string; readonly count?: number } {
	const { count } = readQuery(sent({ count: args.count == null ? undefined : String(args.count) }));
	return { refId: textOf(args, "refId") ?? "", ...(count !== undefined && { count: Number(count) }) };
}

const creditNotesOf = (contractId: string): List => ({
	type: "CreditNote",
	scope,
	source: sql`${creditNotes}`,
	id: creditNotes.id,
	within: ({ actor }) =>
		sql`${and(eq(creditNotes.environmentId, actor.environmentId), eq(creditNotes.contractId, contractId))}`,
	fields: {},
	rows: creditNotesByIds,
});

const byContract = {
	scope: "CONTRACT:WRITE",
	path: { contractId: "id" },
	params: ContractPath.properties,
	body: NoBody,
} as const;

export const contractBillingGraphql: GraphqlArea = {
	typeDefs,
	types: { ContractScheduledInvoice: scheduledInvoice },
	queries: {
		contractInvoiceSchedule: {
			scope,
			cost: costs.impact,
			resolve(args, { work }): InvoiceSchedule {
				const { refId, count } = scheduleOf(args);
				return viewSchedule(getInvoiceSchedule(work, refId, count));
			},
		},
		contractNextInvoice: {
			scope,
			cost: costs.impact,
			resolve(args, { work }): ScheduledInvoice | null {
				const next = previewNextInvoice(work, textOf(args, "refId") ?? "");
				return next ? viewPlanned(next, "SCHEDULED") : null;
			},
		},
		contractCreditNotes: {
			scope,
			resolve(args, context) {
				const { id } = getBilledContract(context.work, textOf(args, "refId") ?? "");
				return connect(context, new Map(), creditNotesOf(id), { paging: args.paging });
			},
		},
	},
	mutations: {
		previewContractPublication: operation({
			...byContract,
			run: (work, _, { id }) => viewPublication(previewPublication(work, id)),
		}),
		refreshContractUsage: operation({ ...byContract, run: (work, _, { id }) => viewUsage(readUsage(work, id)) }),
	},
};
