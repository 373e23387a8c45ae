import type { Scope } from "../access/rules.actors";

/** A table that holds something of customers, and how the rows of one are found; `:customer` and `:environment` are row ids. */
export interface Section {
	readonly table: string;
	/** Who may not read it is not told of it. */
	readonly scope: Scope;
	readonly where: string;
	/** An index gives the rows in this order, so that a page begins where the one before has ended. Left out: they are sorted. */
	readonly order?: readonly string[];
}

const ofCustomer = "customer_id = :customer";
const ofSubscription = "subscription_id IN (SELECT id FROM subscriptions WHERE customer_id = :customer)";
const ofContract = "contract_id IN (SELECT id FROM contracts WHERE customer_id = :customer)";
const here = "environment_id = :environment AND customer_id = :customer";
const ofInvoice = `invoice_id IN (SELECT id FROM invoices WHERE ${here})`;
const ofCreditNote = `credit_note_id IN (SELECT id FROM credit_notes WHERE ${here})`;
const ofWallet = "wallet_id IN (SELECT id FROM credit_wallets WHERE customer_id = :customer)";
const series = `feature_id IN (SELECT id FROM features WHERE environment_id = :environment) AND ${ofCustomer}`;
const ofSeries = `series_id IN (SELECT id FROM usage_report_series WHERE ${series})`;

const by = (scope: Scope, where: string, ...tables: string[]): Section[] =>
	tables.map((table) => ({ table, scope, where }));

/** What is told of a customer, in this order. Every table of the data folder stands here or in `leftOut`: a test holds it. */
export const sections: readonly Section[] = [
	...by("CUSTOMER:READ", "id = :customer", "customers"),
	...by("CUSTOMER:READ", ofCustomer, "customer_resources", "promotional_entitlements", "erasures"),
	...by("SUBSCRIPTION:READ", ofCustomer, "subscriptions"),
	...by(
		...(["SUBSCRIPTION:READ", ofSubscription] as const),
		...["subscription_addons", "subscription_quantities", "subscription_entitlements", "subscription_coupons"],
		...["subscription_updates", "subscription_version_changes", "subscription_credits"],
		...["subscription_usage_bills", "subscription_usage_marks", "subscription_unspent_minimums"],
	),
	...by("SUBSCRIPTION:READ", here, "checkouts"),
	...by("CONTRACT:READ", ofCustomer, "contracts"),
	...by(
		...(["CONTRACT:READ", ofContract] as const),
		...["contract_items", "contract_subscriptions", "contract_amendments", "contract_billed_cycles"],
	),
	...by("INVOICE:READ", here, "invoices", "credit_notes", "customer_balance_entries"),
	...by("INVOICE:READ", ofInvoice, "invoice_lines", "invoice_payments"),
	...by("INVOICE:READ", ofCreditNote, "credit_note_lines"),
	...by("CREDIT:READ", ofCustomer, "credit_wallets", "credit_grants", "credit_auto_recharges", "credit_consumptions"),
	...by("CREDIT:READ", ofCustomer, "credit_priced_units"),
	{ table: "credit_entries", scope: "CREDIT:READ", where: ofCustomer, order: ["sequence"] },
	{ table: "credit_event_draws", scope: "CREDIT:READ", where: ofCustomer, order: ["hour", "up_to", "id"] },
	...by("CREDIT:READ", ofWallet, "credit_usage", "credit_report_draws"),
	...by("USAGE:READ", series, "usage_report_series"),
	...by("USAGE:READ", ofSeries, "usage_reports", "usage_report_totals"),
	{ table: "usage_reservations", scope: "USAGE:READ", where: ofCustomer, order: ["id"] },
	...by("USAGE:READ", here, "usage_alerts"),
	...by("USAGE:READ", ofCustomer, "reached_alerts"),
];

const catalogue = "The catalogue, or settings: nothing of a customer.";
const access = "Those who run the service: nothing of a customer.";
const counted = "Counted from the events, which are told themselves.";
const position = "How far a job has come, or what waits for it for a moment.";
const sent = "What other sections tell, as it was sent to webhooks; forgotten by itself after some weeks.";
const log = "Who changed what of all this: the audit log, with what was changed.";
const numbering = "How documents are numbered.";
const events = "The log of events, told as `events`.";

/** What is not told of a customer, and why. */
export const leftOut: Readonly<Record<string, string>> = {
	...Object.fromEntries(
		[
			...["products", "features", "meters", "feature_groups", "custom_currencies", "packages", "package_versions"],
			...["charges", "package_entitlements", "coupons", "legal_entities", "legal_entity_logos", "payment_accounts"],
			...["subscription_usage_prices", "credit_event_pricings", "portal_settings"],
		].map((table) => [table, catalogue]),
	),
	...Object.fromEntries(
		[
			...["accounts", "environments", "users", "sessions", "memberships", "api_keys", "api_key_uses", "webhooks"],
			...[
				"environment_roles",
				"invitations",
				"roles",
				"password_resets",
				"recovery_codes",
				"second_factors",
				"identities",
				"identity_providers",
				"scim_group_members",
				"scim_groups",
				"used_states",
			],
		].map((table) => [table, access]),
	),
	...Object.fromEntries(
		[
			...["usage_counters", "usage_cursor", "usage_cuts", "usage_event_names", "usage_events_by_hour", "usage_recent"],
			...["usage_events_by_hour_next", "usage_rebuild", "usage_subjects", "usage_totals"],
			...["usage_values", "usage_event_days", "credit_revenue", "invoice_days"],
		].map((table) => [table, counted]),
	),
	...Object.fromEntries(
		[
			...["usage_alert_cursor", "usage_alert_changes", "credit_alert_changes", "entitlement_changes", "outbox_notices"],
			...[
				"credit_event_cursor",
				"credit_events_left",
				"main_revision",
				"commit_marks",
				"folder_secret",
				"customer_counts",
				"subscription_counts",
			],
		].map((table) => [table, position]),
	),
	...Object.fromEntries(
		["audit_entries", "audit_chains", "audit_subjects", "audit_personal"].map((table) => [table, log]),
	),
	...Object.fromEntries(
		["outbox_events", "deliveries", "delivery_cursors", "webhook_replays"].map((table) => [table, sent]),
	),
	...Object.fromEntries(
		["invoice_sequences", "credit_note_sequences", "number_prefixes", "number_sequences"].map((table) => [
			table,
			numbering,
		]),
	),
	...Object.fromEntries(
		[
			...["events", "event_blocks", "event_archived_blocks", "event_archives", "event_cancellations"],
			...["event_commits", "event_customers", "event_stored_identities", "event_replaced_objects"],
		].map((table) => [table, events]),
	),
	customer_sessions: "What links to the portal are known by, which end after a while.",
	invoice_renders: "PDFs of invoices, drawn of what the invoices tell.",
	plan_simulations: "What a plan would have cost; the next simulation of the plan takes its place.",
	plan_simulation_costs: "What a plan would have cost; the next simulation of the plan takes its place.",
	plan_simulation_failures: "What a plan would have cost; the next simulation of the plan takes its place.",
	idempotency_keys: "Answers that are kept for a day, under the keys of those who asked.",
	tasks: "Imports and other tasks, forgotten by themselves after they have ended.",
	task_errors: "Imports and other tasks, forgotten by themselves after they have ended.",
};
