import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { CustomerRefId, literals, nullable, RefId } from "../../kernel/schema";
import { attemptStates } from "../collection/attempts/rules.states";
import { attemptTriggers, PaymentAttempt } from "../collection/attempts/schema";
import { endActions, mailLanguages, policySources, reminderKinds } from "./policies/schema.values";
import {
	caseStates,
	endReasons,
	mailStatuses,
	stepKinds,
	stepOutcomes,
	suspensionReasons,
	waitReasons,
} from "./schema.values";

const closed = { additionalProperties: false };

export const CollectionPath = Type.Object({ id: CustomerRefId });
export const InvoiceCollectionPath = Type.Object({
	id: CustomerRefId,
	invoiceRef: Type.String({ minLength: 1, maxLength: 255 }),
});

/** A day of the customer's calendar. */
const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "a day, such as 2026-12-24" });

/** PROMISE: the customer has promised to pay. HOLD: a person decides. DISPUTE: the customer disputes the invoice. */
export const CollectionSuspend = Type.Object(
	{
		reason: literals(...suspensionReasons),
		/** The last day; the schedule resumes at 08:00 of the day after it. Required for a PROMISE. */
		untilDay: Type.Optional(Day),
		note: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
	},
	closed,
);
export type CollectionSuspend = Static<typeof CollectionSuspend>;

/** Without a policy: the one that applies to the invoice. */
export const CollectionStart = Type.Object({ policyId: Type.Optional(RefId) }, closed);
export type CollectionStart = Static<typeof CollectionStart>;

export const CollectionNote = Type.Object({ note: Type.Optional(nullable(Type.String({ maxLength: 1000 }))) }, closed);
export type CollectionNote = Static<typeof CollectionNote>;

export const DunningCaseListQuery = Type.Object(
	{
		...pageQuery,
		customerId: Type.Optional(CustomerRefId),
		state: Type.Optional(queryList(...caseStates)),
	},
	closed,
);
export type DunningCaseListQuery = Static<typeof DunningCaseListQuery>;

export const DunningMailListQuery = Type.Object({ ...pageQuery }, closed);
export type DunningMailListQuery = Static<typeof DunningMailListQuery>;

const Suspension = Type.Object({
	reason: literals(...suspensionReasons),
	since: Type.String(),
	untilDay: nullable(Type.String()),
});

const Next = Type.Object({
	kind: literals(...stepKinds),
	/** Days from the due date, by the policy; null for a resumption. */
	days: nullable(Type.Integer()),
	/** The action of the end; null for another step. */
	action: nullable(literals(...endActions)),
	at: Type.String(),
});

export const DunningCase = Type.Object(
	{
		caseId: Type.String(),
		customerId: Type.String(),
		invoiceId: Type.String(),
		invoiceNumber: Type.String(),
		policyId: Type.String(),
		/** Null: a person named the policy. */
		policySource: nullable(literals(...policySources)),
		state: literals(...caseStates),
		/** Why Tollgate makes no try until the customer acts, or not yet (DECLINES); null otherwise. */
		waitingFor: nullable(literals(...waitReasons)),
		suspension: nullable(Suspension),
		note: nullable(Type.String()),
		next: nullable(Next),
		/** Why the next step failed, and when Tollgate tries it again. */
		problem: nullable(
			Type.Object({
				code: nullable(Type.String()),
				message: Type.String(),
				since: Type.String(),
				attempts: Type.Integer(),
				retryAt: Type.String(),
			}),
		),
		endReason: nullable(literals(...endReasons)),
		startedAt: Type.String(),
		endedAt: nullable(Type.String()),
	},
	{ $id: "DunningCase" },
);
export type DunningCase = Static<typeof DunningCase>;

const collectedInvoice = {
	invoiceId: Type.String(),
	number: Type.String(),
	state: literals("OPEN", "PAID", "CANCELED"),
	currency: Type.String(),
	total: Type.Number(),
	amountDue: Type.Number(),
	dueDate: Type.String(),
	isOverdue: Type.Boolean(),
	case: nullable(DunningCase),
	/** The last charge of an invoice that Tollgate charges. */
	lastAttempt: nullable(
		Type.Object({
			attemptId: Type.String(),
			state: literals(...attemptStates),
			trigger: literals(...attemptTriggers),
			failure: PaymentAttempt.properties.failure,
			/** Where the customer authenticates; only in REQUIRES_ACTION. */
			actionUrl: nullable(Type.String()),
			createdAt: Type.String(),
		}),
	),
	/** Sentences about the next step and its reason. */
	explanation: Type.Array(Type.String()),
};

export const DunningStep = Type.Object(
	{
		round: Type.Integer(),
		kind: literals(...stepKinds),
		days: Type.Integer(),
		outcome: literals(...stepOutcomes),
		at: Type.String(),
		mailId: nullable(Type.String()),
	},
	{ $id: "DunningStep" },
);
export type DunningStep = Static<typeof DunningStep>;

export const CollectedInvoice = Type.Object(collectedInvoice, { $id: "CollectedInvoice" });
export type CollectedInvoice = Static<typeof CollectedInvoice>;

export const InvoiceCollection = Type.Object(
	{ ...collectedInvoice, steps: Type.Array(DunningStep) },
	{ $id: "InvoiceCollection" },
);
export type InvoiceCollection = Static<typeof InvoiceCollection>;

export const Collection = Type.Object(
	{
		customerId: Type.String(),
		timeZone: Type.String(),
		policyId: nullable(Type.String()),
		isExempt: Type.Boolean(),
		/** The amounts due of all open invoices, by currency. */
		due: Type.Array(Type.Object({ currency: Type.String(), amount: Type.Number(), overdueAmount: Type.Number() })),
		/** The open invoices, those due first at the top; at most 100. */
		invoices: Type.Array(CollectedInvoice),
		/** Whether there are more open invoices. */
		hasMore: Type.Boolean(),
	},
	{ $id: "Collection" },
);
export type Collection = Static<typeof Collection>;

export const DunningMail = Type.Object(
	{
		mailId: Type.String(),
		customerId: Type.String(),
		kind: literals(...reminderKinds),
		language: literals(...mailLanguages),
		recipient: nullable(Type.String()),
		subject: Type.String(),
		text: Type.String(),
		status: literals(...mailStatuses),
		invoiceIds: Type.Array(Type.String()),
		at: Type.String(),
		sentAt: nullable(Type.String()),
	},
	{ $id: "DunningMail" },
);
export type DunningMail = Static<typeof DunningMail>;
