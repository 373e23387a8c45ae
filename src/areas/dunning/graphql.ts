import { and, eq } from "drizzle-orm";
import { type GraphqlArea, textOf } from "../../graphql/area";
import { connectionTypes } from "../../graphql/derive/types";
import { NoBody, operation } from "../../graphql/input/operation";
import { pagedQuery } from "../../graphql/lists/paged";
import type { Work } from "../../kernel/work";
import { getCustomer } from "../customers/operations";
import { resumeCase, startCase, stopCase, suspendCase } from "./operations";
import { collectionOf, getCollectedInvoice } from "./operations.collection";
import {
	CollectionNote,
	CollectionStart,
	CollectionSuspend,
	DunningCase,
	DunningMail,
	DunningStep,
	InvoiceCollectionPath,
} from "./schema";
import { caseStates } from "./schema.values";
import { selectCasesByIds, selectMailsByIds } from "./store";
import { dunningCases, dunningMails } from "./table";
import { changedCollection, viewCases, viewCollection, viewInvoiceCollection, viewMails } from "./view";

const schemas = { CollectionSuspend, DunningCase, DunningMail, DunningStep };

const typeDefs = `
	enum DunningCaseState from DunningCase.state
	enum DunningWaitReason from DunningCase.waitingFor
	enum DunningEndReason from DunningCase.endReason
	enum DunningStepKind from DunningStep.kind
	enum DunningStepOutcome from DunningStep.outcome
	enum DunningSuspensionReason from CollectionSuspend.reason
	type DunningSuspension { reason: DunningSuspensionReason! since: DateTime! untilDay: String }
	type DunningNextStep { kind: DunningStepKind! days: Int action: DunningEndAction at: DateTime! }
	type DunningProblem { code: String message: String! since: DateTime! attempts: Int! retryAt: DateTime! }
	"The reminders of one invoice."
	type DunningCase {
		caseId: ID! customerId: String! invoiceId: String! invoiceNumber: String! policyId: String!
		"Null: a person named the policy."
		policySource: DunningPolicySource state: DunningCaseState!
		"Why Tollgate makes no try until the customer acts, or not yet (DECLINES)."
		waitingFor: DunningWaitReason suspension: DunningSuspension note: String
		next: DunningNextStep problem: DunningProblem endReason: DunningEndReason startedAt: DateTime! endedAt: DateTime
	}
	type DunningStep {
		round: Int! kind: DunningStepKind! days: Int! outcome: DunningStepOutcome! at: DateTime! mailId: String
	}
	type LastPaymentAttempt {
		attemptId: ID! state: PaymentAttemptState! trigger: PaymentAttemptTrigger! failure: PaymentAttemptFailure actionUrl: String
		createdAt: DateTime!
	}
	"An invoice with its dunning case. Amounts are in its currency."
	type CollectedInvoice {
		invoiceId: ID! number: String! state: String! currency: String! total: Float! amountDue: Float!
		dueDate: DateTime! isOverdue: Boolean! case: DunningCase
		"The last charge of an invoice that Tollgate charges."
		lastAttempt: LastPaymentAttempt
		"Sentences about the next step and its reason."
		explanation: [String!]!
		"The steps that ran; null in the collection of a customer."
		steps: [DunningStep!]
	}
	type CollectionAmount { currency: String! amount: Float! overdueAmount: Float! }
	"The open invoices of a customer, at most 100."
	type CustomerCollection {
		customerId: String! timeZone: String! policyId: String isExempt: Boolean! due: [CollectionAmount!]!
		invoices: [CollectedInvoice!]! hasMore: Boolean!
	}
	enum DunningMailStatus from DunningMail.status
	"A mail about open invoices, with its text."
	type DunningMail {
		mailId: ID! customerId: String! kind: DunningReminderKind! language: DunningMailLanguage! recipient: String
		subject: String! text: String! status: DunningMailStatus! invoiceIds: [String!]! at: DateTime! sentAt: DateTime
	}
	${connectionTypes("DunningCase", false)}
	${connectionTypes("DunningMail", false)}
	input DunningCasesInput { customerId: String state: DunningCaseState paging: CursorPaging }
	input DunningMailsInput { customerId: String! paging: CursorPaging }
	input StartInvoiceCollectionInput { customerId: String! invoiceId: String! policyId: String }
	input SuspendInvoiceCollectionInput {
		customerId: String! invoiceId: String! reason: DunningSuspensionReason! untilDay: String note: String
	}
	input ResumeInvoiceCollectionInput { customerId: String! invoiceId: String! }
	input StopInvoiceCollectionInput { customerId: String! invoiceId: String! note: String }
`;

/** Returns the views of cases by row id. */
const caseViews = (work: Work, ids: readonly string[]): Map<string, DunningCase> =>
	new Map(viewCases(work, selectCasesByIds(work, ids)).map((view) => [view.caseId, view]));

const mailViews = (work: Work, ids: readonly string[]): Map<string, DunningMail> =>
	new Map(viewMails(work, selectMailsByIds(work, ids)).map((view) => [view.mailId, view]));

const onInvoice = {
	scope: "INVOICE:WRITE",
	path: { customerId: "id", invoiceId: "invoiceRef" },
	params: InvoiceCollectionPath.properties,
} as const;

const returning = (input: string) => `(input: ${input}!): CollectedInvoice`;

export const dunningGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: {},
	queries: {
		dunningCases: pagedQuery(dunningCases, {
			...{ type: "DunningCase", args: "(input: DunningCasesInput!)", scope: "INVOICE:READ", rows: caseViews },
			comment: "Newest first. Throws CustomerNotFound.",
			where(work, input) {
				const customerId = textOf(input, "customerId");
				const state = caseStates.find((one) => one === input.state);
				return and(
					customerId === undefined ? undefined : eq(dunningCases.customerId, getCustomer(work, customerId).id),
					state === undefined ? undefined : eq(dunningCases.state, state),
				);
			},
		}),
		dunningMails: pagedQuery(dunningMails, {
			...{ type: "DunningMail", args: "(input: DunningMailsInput!)", scope: "INVOICE:READ", rows: mailViews },
			comment: "The mails of a customer, newest first. Throws CustomerNotFound.",
			where: (work, input) => eq(dunningMails.customerId, getCustomer(work, textOf(input, "customerId") ?? "").id),
		}),
		customerCollection: {
			signature: "(customerId: String!): CustomerCollection",
			...{ comment: "What is due of a customer. Throws CustomerNotFound.", scope: "INVOICE:READ" },
			resolve: (args, { work }) => viewCollection(work, collectionOf(work, textOf(args, "customerId") ?? "")),
		},
		invoiceCollection: {
			signature: "(customerId: String!, invoiceId: String!): CollectedInvoice",
			...{ comment: "Throws CustomerNotFound, InvoiceNotFound.", scope: "INVOICE:READ" },
			resolve: (args, { work }) =>
				viewInvoiceCollection(
					work,
					getCollectedInvoice(work, textOf(args, "customerId") ?? "", textOf(args, "invoiceId") ?? ""),
				),
		},
	},
	mutations: {
		startInvoiceCollection: operation({
			...{ ...onInvoice, signature: returning("StartInvoiceCollectionInput"), body: CollectionStart },
			comment: "Starts the dunning case of an OPEN invoice. Throws InvalidArgumentError.",
			run: (work, body, path) => changedCollection(work, path, (invoice) => startCase(work, invoice, body)),
		}),
		suspendInvoiceCollection: operation({
			...{ ...onInvoice, signature: returning("SuspendInvoiceCollectionInput"), body: CollectionSuspend },
			comment: "The schedule stands still. Throws InvalidArgumentError.",
			run: (work, body, path) => changedCollection(work, path, (invoice) => suspendCase(work, invoice, body)),
		}),
		resumeInvoiceCollection: operation({
			...{ ...onInvoice, signature: returning("ResumeInvoiceCollectionInput"), body: NoBody },
			comment: "Throws InvalidArgumentError for a case that is not SUSPENDED.",
			run: (work, _, path) => changedCollection(work, path, (invoice) => resumeCase(work, invoice)),
		}),
		stopInvoiceCollection: operation({
			...{ ...onInvoice, signature: returning("StopInvoiceCollectionInput"), body: CollectionNote },
			comment: "Ends the case; the invoice stays OPEN.",
			run: (work, { note }, path) => changedCollection(work, path, (invoice) => stopCase(work, invoice, note)),
		}),
	},
};
