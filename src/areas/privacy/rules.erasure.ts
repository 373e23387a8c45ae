import type { Instant } from "../../kernel/clock";
import type { TaskType } from "../../tasks/rules";
import { sections } from "./rules.sections";

/**
 * Describes how the rows of a table lose personal data. Conditions and expressions are SQL. `:customer` and
 * `:environment` are row ids, `:ref` is the caller's id of the customer, `:token` replaces names, and Tollgate retains
 * documents from `:keptFrom` on. Expressions are idempotent, so the rows themselves show the remaining work.
 */
export interface Erasing {
	readonly table: string;
	readonly where: string;
	/** If omitted, the rows are deleted. */
	readonly set?: Readonly<Record<string, string>>;
	/** The time of a document. Accounting documents are retained for the legal period after it. */
	readonly document?: string;
}

/**
 * Ten years after the year of issue: the longest common period of European tax law. Sellers with a shorter duty retain
 * more than they must. Sellers with a longer duty export the data first.
 */
const legalYears = 10;

/** Documents since this time are retained; earlier ones may be erased. */
export const keptFrom = (now: Instant): Instant =>
	Date.UTC(new Date(now).getUTCFullYear() - legalYears, 0, 1) as Instant;

/** Returns when a document of that time may be erased. */
export const keptUntil = (at: Instant): Instant =>
	Date.UTC(new Date(at).getUTCFullYear() + legalYears + 1, 0, 1) as Instant;

/** Replaces names. The token is always the same, so a second erasure changes only rows that were added after the first. */
export const tokenOf = (customerId: string): string => `erased-${customerId}`;

const whereOf = (table: string): string => {
	const section = sections.find((one) => one.table === table);
	if (!section) throw new Error(`'${table}' is a section of the export`);
	return section.where;
};

const nameToken = "CASE WHEN name IS NULL THEN NULL ELSE :token END";
/** The reason for a tax exemption belongs to the amounts, so it stays. */
const party =
	"json_object('name', :token, 'email', NULL, 'address', NULL, 'taxIds', json('[]'), 'taxExemption', json_extract(customer, '$.taxExemption'), 'taxExemptionProvision', json_extract(customer, '$.taxExemptionProvision'), 'language', json_extract(customer, '$.language'))";

/** The person who used the customer's link. Keys and users of the account are no data of the customer. */
const personToken = "CASE WHEN requested_by LIKE 'PORTAL %' THEN 'PORTAL ' || :token ELSE requested_by END";

const erasing = (table: string, set: Readonly<Record<string, string>>, document?: string): Erasing => ({
	...{ table, set, where: whereOf(table) },
	...(document !== undefined && { document }),
});

/** The order matters. The customer's row comes last, because stored responses are matched by its name and email. */
export const erasings: readonly Erasing[] = [
	{ table: "customer_sessions", where: "customer_id = :customer" },
	{ table: "checkouts", where: whereOf("checkouts") },
	{ table: "method_pages", where: whereOf("method_pages") },
	// Its reference no longer leads to the person at the provider.
	erasing("payment_methods", { ref: "id", customer_ref: ":token", brand: "NULL", last4: "NULL", country: "NULL" }),
	erasing("provider_refunds", { failure: "NULL", reason: "NULL" }),
	erasing("attempts", { failure: "NULL", action_url: "NULL" }),
	erasing("subscriptions", { metadata: "'{}'", billing_details: "NULL", salesforce_id: "NULL" }),
	erasing("subscription_updates", { changes: "'{}'", error: "NULL" }),
	erasing("contracts", { name: nameToken, po_number: "NULL", note: "NULL" }),
	erasing("contract_amendments", { note: "NULL" }),
	erasing("credit_grants", { comment: "NULL", metadata: "'{}'" }),
	erasing("credit_consumptions", { dimensions: "NULL" }),
	erasing("usage_reports", { dimensions: "NULL" }),
	erasing("usage_reservations", { dimensions: "NULL" }),
	erasing("budget_requests", { reason: "NULL", requested_by: personToken }),
	erasing("entities", { display_name: "NULL", metadata: "'{}'", approver: "NULL" }),
	erasing(
		"invoices",
		{ customer: party, notes: "NULL", custom_fields: "'{}'", po_number: "NULL", stated: "NULL" },
		"issued_at",
	),
	erasing("credit_notes", { customer: party }, "created_at"),
	erasing("receipts", { reference: "NULL", note: "NULL" }, "received_at"),
	erasing("dunning_cases", { note: "NULL" }),
	erasing("dunning_mails", { recipient: "NULL", subject: ":token", body: "''" }),
	erasing("disputes", { reference: "NULL", reason: "NULL", note: "NULL" }, "opened_at"),
	erasing(
		"bank_entries",
		{
			...{ party_name: "NULL", party_iban: "NULL", text: "''", bank_reference: "NULL" },
			...{ end_to_end_id: "NULL", mandate_id: "NULL", creditor_reference: "NULL" },
		},
		"created_at",
	),
	{ table: "bank_payers", where: whereOf("bank_payers") },
	erasing("mandates", { iban: "NULL", bic: "NULL", debtor_name: ":token", debtor_address: "NULL" }, "created_at"),
	erasing("customer_balance_entries", { reason: "NULL" }, "created_at"),
	erasing("customers", {
		...{ name: ":token", email: "NULL", metadata: "'{}'", integrations: "'[]'", passthrough: "NULL" },
		...{ billing_id: ":token", default_payment_method: "NULL", payment_method_source: "NULL" },
		...{ language: "NULL", timezone: "NULL" },
	}),
];

/** Tables that have a step of their own. */
export const erasedByItself: Readonly<Record<string, string>> = {
	idempotency_keys: "Stored answers to repeated calls that contain the customer's id, name or email.",
	outbox_events: "The customer's name, email, metadata and similar fields in events for webhooks and the feed.",
	audit_personal: "Personal data of audit log entries.",
	invoice_renders: "PDFs of the customer's documents. Tollgate renders them again from the current data.",
	deliveries: "Responses of webhook receivers to the customer's events.",
	event_blocks:
		"Idempotency keys and dimensions of the customer's usage events, in the log, the archives and the sets of unique values.",
};

/** Steps in files that other threads write, with the task type that carries out each. They run one after the other. */
export const stepsElsewhere = {
	invoice_renders: "ERASE_PDFS",
	deliveries: "ERASE_DELIVERIES",
	event_blocks: "ERASE_EVENTS",
} as const satisfies Readonly<Record<string, TaskType>>;

export type StepElsewhere = keyof typeof stepsElsewhere;

/** The steps of an erasure, in order. */
export const erasureSteps: readonly string[] = [
	"idempotency_keys",
	"outbox_events",
	...erasings.map(({ table }) => table),
	"audit_personal",
	...Object.keys(stepsElsewhere),
];

export const isElsewhere = (step: string): step is StepElsewhere => Object.hasOwn(stepsElsewhere, step);

export interface Kept {
	readonly table: string;
	readonly why: string;
	/** The maximum retention after the erasure, in days; indefinite if omitted. */
	readonly days?: number;
}

const keeping = (why: string, ...tables: string[]): Kept[] => tables.map((table) => ({ table, why }));

export const bookKeeping =
	"Bookkeeping: issued documents keep the buyer's name, address and payments for the legal period.";
const amounts = "Amounts, dates and the caller's ids of subscriptions, grants and invoices; no other personal data.";
const usageLog =
	"Amounts, times and the caller's ids of usage events, which identify and count them. Of the dimensions: numbers, booleans, and texts that a meter or a filter uses.";

const replacedObjects =
	"Bucket objects that erasures replaced. They contain the former values of usage events, and earlier backups need them for the events of other customers. Tollgate deletes them at that time.";

/**
 * Data about a customer that is retained whole, with the reason. Tables that are neither erased nor listed here contain
 * nothing about customers, and exports omit them.
 */
export const kept: readonly Kept[] = [
	...keeping(
		"The caller's ids of the customer and its parts, which books, totals and the log refer to.",
		...["customer_resources", "customer_parents"],
	),
	...keeping("Accounting documents: their lines name what was sold.", "invoice_lines", "credit_note_lines"),
	...keeping(
		"The ledger of credits is a chain of hashes and does not change. Dimensions of consumptions stay as sent.",
		"credit_entries",
	),
	...keeping(amounts, "promotional_entitlements", "subscription_addons", "subscription_quantities"),
	...keeping(amounts, "subscription_entitlements", "subscription_coupons", "subscription_version_changes"),
	...keeping(amounts, "subscription_pauses", "subscription_dated_changes", "coupon_uses"),
	...keeping(amounts, "consolidated_invoices", "invoice_subscriptions"),
	...keeping(amounts, "allocations", "receipt_refunds", "attempt_invoices", "direct_debits"),
	...keeping(amounts, "customer_dunning", "dunning_steps"),
	...keeping(amounts, "subscription_credits", "subscription_unspent_minimums", "highest_totals"),
	...keeping(amounts, "contract_items", "contract_subscriptions"),
	...keeping(amounts, "billing_charges", "charge_periods", "charge_credits"),
	...keeping(amounts, "credit_wallets", "credit_auto_recharges", "credit_priced_units"),
	...keeping(amounts, "credit_event_draws", "credit_usage", "credit_report_draws", "usage_report_series"),
	...keeping(amounts, "usage_report_totals", "usage_alerts", "reached_alerts"),
	...keeping(amounts, "budget_nodes", "budget_assignments", "budget_counters", "budget_entries", "budget_holds"),
	...keeping(amounts, "budget_event_counts", "budget_tree"),
	...keeping(amounts, "plan_simulations", "plan_simulation_costs", "plan_simulation_failures"),
	...keeping(usageLog, "events", "event_archived_blocks", "event_archives", "event_cancellations"),
	...keeping(usageLog, "event_commits", "event_customers", "event_stored_identities", "usage_values"),
	...keeping(replacedObjects, "event_replaced_objects"),
	...keeping(
		"Entries form a chain of hashes. Ids and decisions stay; personal values are stored separately and are erased.",
		"audit_entries",
	),
	...keeping("The ids by which audit log entries are found.", "audit_subjects"),
	...keeping("The record of the erasure, with this certificate.", "erasures"),
	{ table: "tasks", why: "Imported data is deleted at the end of a task, and its ids 30 days later.", days: 30 },
	{ table: "task_errors", why: "Errors of tasks, with the caller's ids; deleted with the task.", days: 30 },
];
