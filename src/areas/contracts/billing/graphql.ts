import { eq } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { mutationsOf } from "../../../graphql/input/mutations";
import { sent } from "../../../graphql/input/operation";
import { pagedQuery } from "../../../graphql/lists/paged";
import { costs } from "../../../graphql/request/budget";
import { checker } from "../../../http/validation";
import { creditNotesByIds } from "../../invoices/credit-notes/operations";
import { creditNotes } from "../../invoices/table";
import { ContractPath } from "../schema";
import { getBilledContract } from "./operations.credit-notes";
import { previewNextInvoice } from "./operations.next-invoice";
import { previewPublication } from "./operations.publish";
import { getInvoiceSchedule } from "./operations.schedule";
import { readUsage } from "./operations.usage";
import { ContractPublication, ContractUsage, InvoiceSchedule, type ScheduledInvoice, ScheduleQuery } from "./schema";
import { viewPlanned, viewPublication, viewSchedule, viewUsage } from "./view";

const schemas = { ContractPublication, InvoiceSchedule, ContractUsage };

const typeDefs = `
	enum ContractInvoiceStatus from InvoiceSchedule.invoices.state
	enum ContractItemChange from ContractPublication.items.change
	"Amounts are in major units of the invoice's currency."
	type ContractScheduledLine from InvoiceSchedule.invoices.lineItems {
		"Null on an issued invoice."
		itemId
		*
	}
	"An invoice that is issued, or scheduled without an id and a number. CONTRACT_DRAFT while the billing is a draft."
	type ContractScheduledInvoice from InvoiceSchedule.invoices {
		invoiceId number: String status: ContractInvoiceStatus! issueDate dueDate periodStart periodEnd currency
		subTotal discount tax total lines: [ContractScheduledLine!]!
	}
	"invoiceCount and total cover the whole schedule, even when fewer invoices are shown."
	type ContractInvoiceSchedule from InvoiceSchedule
	"The effects of publishing. Totals cover the whole term. totalBefore is null when nothing was in force."
	type ContractPublication from ContractPublication {
		* items as ContractItemDifference { * }
		invoicesNow laterCount laterTotal
		"The amount of the current invoices that is credited when the amendment replaces them."
		creditedNow
	}
	"The usage so far, in priced units."
	type ContractItemUsage from ContractUsage.reported
	type ContractItemWithoutUsage from ContractUsage.failed
	type ContractUsage {
		reported: [ContractItemUsage!]! failed: [ContractItemWithoutUsage!]! skipped: [ContractItemWithoutUsage!]!
	}
`;

const scope = "CONTRACT:READ";

const scheduledInvoice = fieldsOf<ScheduledInvoice>({
	scope,
	fields: {
		number: ({ invoiceNumber }) => invoiceNumber,
		status: ({ state }) => state,
		lines: ({ lineItems }) => lineItems,
	},
});

const readQuery = checker("body", ScheduleQuery);

/** As many as one answer of REST's holds, unless fewer are asked for. */
function scheduleOf(args: Readonly<Record<string, unknown>>): { readonly refId: string; readonly count?: number } {
	const { count } = readQuery(sent({ count: args.count == null ? undefined : String(args.count) }));
	return { refId: textOf(args, "refId") ?? "", ...(count !== undefined && { count: Number(count) }) };
}

const write = mutationsOf({
	...{ returns: "ContractUsage", scope: "CONTRACT:WRITE", input: "ByContractIdInput" },
	...{ path: { contractId: "id" }, params: ContractPath.properties },
});

export const contractBillingGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { ContractScheduledInvoice: scheduledInvoice },
	queries: {
		contractInvoiceSchedule: {
			...{ signature: "(refId: String!, count: Int): ContractInvoiceSchedule", scope, cost: costs.impact },
			comment: "The issued and the scheduled invoices, also of a draft. count: 1 to 1000. Throws ContractNotFound.",
			resolve(args, { work }): InvoiceSchedule {
				const { refId, count } = scheduleOf(args);
				return viewSchedule(getInvoiceSchedule(work, refId, count));
			},
		},
		contractNextInvoice: {
			...{ signature: "(refId: String!): ContractScheduledInvoice", scope, cost: costs.impact },
			comment: "Null without a next invoice. Throws ContractNotFound, InvoicePreviewNotAvailableForDraftContract.",
			resolve(args, { work }): ScheduledInvoice | null {
				const next = previewNextInvoice(work, textOf(args, "refId") ?? "");
				return next ? viewPlanned(next, "SCHEDULED") : null;
			},
		},
		contractCreditNotes: pagedQuery(creditNotes, {
			...{ type: "CreditNote", args: "(refId: String!, paging: CursorPaging)", scope, rows: creditNotesByIds },
			comment: "The credit notes of a contract's invoices, newest first. Throws ContractNotFound.",
			where: (work, args) => eq(creditNotes.contractId, getBilledContract(work, textOf(args, "refId") ?? "").id),
		}),
	},
	mutations: {
		previewContractPublication: write.act((work, id) => viewPublication(previewPublication(work, id)), {
			returns: "ContractPublication",
			comment: "The effects and refusals of publishContract. Nothing is changed or issued.",
		}),
		refreshContractUsage: write.act((work, id) => viewUsage(readUsage(work, id)), {
			comment: "The current usage of items that are priced by usage.",
		}),
	},
};
