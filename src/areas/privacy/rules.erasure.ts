import type { Instant } from "../../kernel/clock";
import type { TaskType } from "../../tasks/rules";
import { sections } from "./rules.sections";

/**
 * How rows of a table lose what is personal in them. Conditions and expressions are SQL; `:customer` and `:environment` are row
 * ids, `:ref` the caller's id of the customer, `:token` what takes the place of names, `:keptFrom` the instant from which on
 * documents are kept. An expression gives the same once more where it was carried out: what is left to do shows in the rows.
 */
export interface Erasing {
	readonly table: string;
	readonly where: string;
	/** Left out: the rows go as a whole. */
	readonly set?: Readonly<Record<string, string>>;
	/** The instant of a document; what is of the books is kept for the legal time after it. */
	readonly document?: string;
}

/**
 * Our choice: ten years after the year of issue, the longest that the tax laws of Europe commonly ask for. Who must keep less
 * keeps more than needed, and who must keep more exports before.
 */
const legalYears = 10;

/** Documents from then on are kept; those before may go. */
export const keptFrom = (now: Instant): Instant =>
	Date.UTC(new Date(now).getUTCFullYear() - legalYears, 0, 1) as Instant;

/** When a document of that instant may go. */
export const keptUntil = (at: Instant): Instant =>
	Date.UTC(new Date(at).getUTCFullYear() + legalYears + 1, 0, 1) as Instant;

/** In the place of names: the same each time, so that a second erasure changes only what came after the first. */
export const tokenOf = (customerId: string): string => `erased-${customerId}`;

const whereOf = (table: string): string => {
	const section = sections.find((one) => one.table === table);
	if (!section) throw new Error(`'${table}' is a section of what is told of a customer`);
	return section.where;
};

const nameToken = "CASE WHEN name IS NULL THEN NULL ELSE :token END";
/** Why it is charged no tax belongs to the amounts. */
const party =
	"json_object('name', :token, 'email', NULL, 'address', NULL, 'taxIds', json('[]'), 'taxExemption', json_extract(customer, '$.taxExemption'), 'taxExemptionProvision', json_extract(customer, '$.taxExemptionProvision'), 'language', json_extract(customer, '$.language'))";

const erasing = (table: string, set: Readonly<Record<string, string>>, document?: string): Erasing => ({
	...{ table, set, where: whereOf(table) },
	...(document !== undefined && { document }),
});

/** In this order. The customer's own row comes last: kept answers are known by its name and e-mail until then. */
export const erasings: readonly Erasing[] = [
	{ table: "customer_sessions", where: "customer_id = :customer" },
	{ table: "checkouts", where: whereOf("checkouts") },
	erasing("subscriptions", { metadata: "'{}'", billing_details: "NULL", salesforce_id: "NULL" }),
	erasing("subscription_updates", { changes: "'{}'", error: "NULL" }),
	erasing("contracts", { name: nameToken, po_number: "NULL", note: "NULL" }),
	erasing("contract_amendments", { note: "NULL" }),
	erasing("credit_grants", { comment: "NULL", metadata: "'{}'" }),
	erasing("credit_consumptions", { dimensions: "NULL" }),
	erasing("usage_reports", { dimensions: "NULL" }),
	erasing(
		"invoices",
		{ customer: party, notes: "NULL", custom_fields: "'{}'", po_number: "NULL", stated: "NULL" },
		"issued_at",
	),
	erasing("credit_notes", { customer: party }, "created_at"),
	erasing("invoice_payments", { reference: "NULL", note: "NULL" }, "paid_at"),
	erasing("customer_balance_entries", { reason: "NULL" }, "created_at"),
	erasing("customers", {
		...{ name: ":token", email: "NULL", metadata: "'{}'", integrations: "'[]'", passthrough: "NULL" },
		...{ billing_id: ":token", default_payment_method: "NULL", payment_method_source: "NULL" },
		...{ language: "NULL", timezone: "NULL" },
	}),
];

/** What is erased by a step of its own. */
export const erasedByItself: Readonly<Record<string, string>> = {
	idempotency_keys: "Answers kept for repeated calls that name the customer, its name or its e-mail.",
	outbox_events: "Its name, e-mail, metadata and the like in events for webhooks and the feed.",
	audit_personal: "What the audit log holds of it apart from its entries.",
	invoice_renders: "PDFs that were drawn of its documents, which are drawn again as they stand.",
	deliveries: "What receivers of webhooks have answered to its events.",
	event_blocks:
		"Idempotency keys and dimensions of its usage events, in the log, its archives and sets of different values.",
};

/** What lies in files that other threads write, by the tasks that these carry out: each when all before it is done. */
export const stepsElsewhere = {
	invoice_renders: "ERASE_PDFS",
	deliveries: "ERASE_DELIVERIES",
	event_blocks: "ERASE_EVENTS",
} as const satisfies Readonly<Record<string, TaskType>>;

export type StepElsewhere = keyof typeof stepsElsewhere;

/** The steps of an erasure in their order. */
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
	/** For so long from the erasure on at the most; left out: for good. */
	readonly days?: number;
}

const keeping = (why: string, ...tables: string[]): Kept[] => tables.map((table) => ({ table, why }));

export const bookKeeping =
	"Book-keeping: issued documents keep the buyer's name and address, and what was paid for them, for the legal time.";
const amounts =
	"Amounts, dates and ids of what was sold, granted and billed, by the caller's ids: nothing personal else.";
const usageLog =
	"Amounts, times and the caller's ids of usage events, by which they are counted and known. In dimensions: numbers, true and false, and texts that a meter measures or a filter asks for as they are.";

const replacedObjects =
	"Objects of the bucket that erasures have replaced: they hold the former values of usage events, and backups that were made before need them for the events of other customers. Tollgate deletes them at that time.";

/** What is kept of a customer whole, and why. What is neither erased nor kept is left out of exports, too, and says nothing of one. */
export const kept: readonly Kept[] = [
	...keeping("The caller's ids of it and its parts: what books, totals and the log go by.", "customer_resources"),
	...keeping("Documents of the books: lines say what was sold.", "invoice_lines", "credit_note_lines"),
	...keeping(
		"The ledger of credits is chained by hashes and never changed: dimensions of consumptions stay as they were sent.",
		"credit_entries",
	),
	...keeping(amounts, "promotional_entitlements", "subscription_addons", "subscription_quantities"),
	...keeping(amounts, "subscription_entitlements", "subscription_coupons", "subscription_version_changes"),
	...keeping(amounts, "subscription_credits", "subscription_usage_bills", "subscription_usage_marks"),
	...keeping(amounts, "subscription_unspent_minimums", "contract_items", "contract_subscriptions"),
	...keeping(amounts, "contract_billed_cycles", "credit_wallets", "credit_auto_recharges", "credit_priced_units"),
	...keeping(amounts, "credit_event_draws", "credit_usage", "credit_report_draws", "usage_report_series"),
	...keeping(amounts, "usage_report_totals", "usage_reservations", "usage_alerts", "reached_alerts"),
	...keeping(amounts, "plan_simulations", "plan_simulation_costs", "plan_simulation_failures"),
	...keeping(usageLog, "events", "event_archived_blocks", "event_archives", "event_cancellations"),
	...keeping(usageLog, "event_commits", "event_customers", "event_stored_identities", "usage_values"),
	...keeping(replacedObjects, "event_replaced_objects"),
	...keeping(
		"Entries are chained by hashes: ids and decisions stay, personal values are apart and go.",
		"audit_entries",
	),
	...keeping("By which ids entries of the audit log are found.", "audit_subjects"),
	...keeping("What was erased, and this certificate.", "erasures"),
	{ table: "tasks", why: "What was imported is forgotten at the end of a task, its ids 30 days later.", days: 30 },
	{ table: "task_errors", why: "What failed in a task, by the caller's ids; forgotten with the task.", days: 30 },
];
