import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../kernel/clock";
import type { DueProblem } from "../../kernel/problem";
import { customers } from "../customers/table";
import { invoices } from "../invoices/table";
import type { EndAction, MailLanguage, PolicySource, ReminderKind, RetriedBucket } from "./policies/schema.values";
import { dunningPolicies } from "./policies/table";
import type {
	AttemptPhase,
	CaseState,
	EndReason,
	MailStatus,
	StepKind,
	StepOutcome,
	SuspensionReason,
	WaitReason,
} from "./schema.values";

/** The case of an invoice: what Tollgate does until it is paid. */
export const dunningCases = sqliteTable(
	"dunning_cases",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		invoiceId: text("invoice_id")
			.notNull()
			.references(() => invoices.id),
		/** The issuer's row id: mails of one day are grouped by customer and issuer. */
		legalEntityId: text("legal_entity_id").notNull(),
		policyId: text("policy_id")
			.notNull()
			.references(() => dunningPolicies.id),
		policySource: text("policy_source").$type<PolicySource>(),
		state: text().notNull().$type<CaseState>(),
		/** The policy's schedule at the start: the days of the reminders, or of the tries of an invoice that Tollgate charges. */
		reminders: text({ mode: "json" }).notNull().$type<number[]>(),
		endAction: text("end_action").notNull().$type<EndAction>(),
		endAfterDays: integer("end_after_days").notNull(),
		/** The failures after which Tollgate charges again; null: the steps are reminders. */
		retryBuckets: text("retry_buckets", { mode: "json" }).$type<RetriedBucket[]>(),
		/** The last attempt that the case has followed, and its progress then. */
		attemptId: text("attempt_id"),
		attemptPhase: text("attempt_phase").$type<AttemptPhase>(),
		/** Why no try is made until the customer acts; null while tries are made. */
		waitingFor: text("waiting_for").$type<WaitReason>(),
		/** The tone of the next mail about a charge; the notice of the customer's mails issues it. */
		mailKind: text("mail_kind").$type<ReminderKind>(),
		/** Raised when a person starts the case again. */
		round: integer().notNull(),
		/** The number of the local day from which the steps count: the due date, moved by the days in which the schedule stood still. */
		anchorDay: integer("anchor_day").notNull(),
		/** The index of the next step; the end follows the last reminder. */
		position: integer().notNull(),
		suspendedAt: integer("suspended_at").$type<Instant>(),
		suspension: text().$type<SuspensionReason>(),
		/** The last instant of a promise, or of a hold with an end. */
		suspendedUntil: integer("suspended_until").$type<Instant>(),
		note: text(),
		endReason: text("end_reason").$type<EndReason>(),
		endedAt: integer("ended_at").$type<Instant>(),
		problem: text({ mode: "json" }).$type<DueProblem<StepKind>>(),
		nextDueAt: integer("next_due_at").$type<Instant>(),
		startedAt: integer("started_at").notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("dunning_cases_invoice").on(table.environmentId, table.invoiceId),
		index("dunning_cases_customer").on(table.customerId, table.id),
		index("dunning_cases_page").on(table.environmentId, table.id),
		index("dunning_cases_state").on(table.environmentId, table.state, table.id),
		index("dunning_cases_due")
			.on(table.environmentId, table.nextDueAt, table.customerId, table.legalEntityId, table.id)
			.where(sql`next_due_at IS NOT NULL`),
	],
);

/** Steps that ran. The unique index permits each once in a round. */
export const dunningSteps = sqliteTable(
	"dunning_steps",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		caseId: text("case_id")
			.notNull()
			.references(() => dunningCases.id),
		round: integer().notNull(),
		position: integer().notNull(),
		kind: text().notNull().$type<StepKind>(),
		/** Days from the due date, by the policy. */
		days: integer().notNull(),
		outcome: text().notNull().$type<StepOutcome>(),
		/** The reminder's mail; null for another step. */
		mailId: text("mail_id"),
		at: integer().notNull().$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [
		uniqueIndex("dunning_steps_once").on(table.caseId, table.round, table.position),
		index("dunning_steps_mail").on(table.mailId).where(sql`mail_id IS NOT NULL`),
	],
);

/** Reminders: one mail for each customer, issuer and day. */
export const dunningMails = sqliteTable(
	"dunning_mails",
	{
		id: text().primaryKey(),
		environmentId: text("environment_id").notNull(),
		customerId: text("customer_id")
			.notNull()
			.references(() => customers.id),
		legalEntityId: text("legal_entity_id").notNull(),
		/** Null: the customer has no address. */
		recipient: text(),
		kind: text().notNull().$type<ReminderKind>(),
		language: text().notNull().$type<MailLanguage>(),
		subject: text().notNull(),
		body: text().notNull(),
		/** The invoices of a mail about charges; null: the steps name them. */
		invoiceIds: text("invoice_ids", { mode: "json" }).$type<string[]>(),
		status: text().notNull().$type<MailStatus>(),
		at: integer().notNull().$type<Instant>(),
		/** The machine's time. */
		sentAt: integer("sent_at").$type<Instant>(),
		createdAt: integer("created_at").notNull().$type<Instant>(),
		updatedAt: integer("updated_at").notNull().$type<Instant>(),
	},
	(table) => [index("dunning_mails_customer").on(table.environmentId, table.customerId, table.id)],
);

export type DunningCaseRow = typeof dunningCases.$inferSelect;
export type DunningStepRow = typeof dunningSteps.$inferSelect;
export type DunningMailRow = typeof dunningMails.$inferSelect;
