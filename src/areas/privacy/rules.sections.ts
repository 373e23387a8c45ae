import type { Scope } from "../access/rules.actors";

/**
 * A table with data about customers, and the condition that selects a customer's rows; `:customer` and `:environment`
 * are row ids.
 */
export interface Section {
	readonly table: string;
	/** The scope that a caller needs to see the section. */
	readonly scope: Scope;
	readonly where: string;
	/** The order of an index, by which a page continues after the former one. If omitted, the rows are sorted. */
	readonly order?: readonly string[];
}

const ofCustomer = "customer_id = :customer";
const ofSubscription = "subscription_id IN (SELECT id FROM subscriptions WHERE customer_id = :customer)";
const ofContract = "contract_id IN (SELECT id FROM contracts WHERE customer_id = :customer)";
const owned = (owners: string) => `owner_id IN (SELECT id FROM ${owners} WHERE customer_id = :customer)`;
const ofCharge = (owners: string) => `charge_id IN (SELECT id FROM billing_charges WHERE ${owned(owners)})`;
const here = "environment_id = :environment AND customer_id = :customer";
const ofInvoice = `invoice_id IN (SELECT id FROM invoices WHERE ${here})`;
const ofReceipt = `receipt_id IN (SELECT id FROM receipts WHERE ${here})`;
const ofRefund = `refund_id IN (SELECT id FROM receipts WHERE ${here})`;
const ofCase = `case_id IN (SELECT id FROM dunning_cases WHERE ${here})`;
const ofCreditNote = `credit_note_id IN (SELECT id FROM credit_notes WHERE ${here})`;
const ofDocument = `document_id IN (SELECT id FROM invoices WHERE ${here} UNION ALL SELECT id FROM credit_notes WHERE ${here} UNION ALL SELECT id FROM subscriptions WHERE ${ofCustomer})`;
const ofWallet = "wallet_id IN (SELECT id FROM credit_wallets WHERE customer_id = :customer)";
const series = `feature_id IN (SELECT id FROM features WHERE environment_id = :environment) AND ${ofCustomer}`;
const ofSeries = `series_id IN (SELECT id FROM usage_report_series WHERE ${series})`;

const by = (scope: Scope, where: string, ...tables: string[]): Section[] =>
	tables.map((table) => ({ table, scope, where }));

/** The sections of an export, in order. A test checks that each table of the data folder is either here or in `leftOut`. */
export const sections: readonly Section[] = [
	...by("CUSTOMER:READ", "id = :customer", "customers"),
	...by("CUSTOMER:READ", ofCustomer, "customer_resources", "customer_parents", "promotional_entitlements", "erasures"),
	...by("CUSTOMER:READ", here, "payment_methods", "method_pages"),
	...by("SUBSCRIPTION:READ", ofCustomer, "subscriptions"),
	...by(
		...(["SUBSCRIPTION:READ", ofSubscription] as const),
		...["subscription_addons", "subscription_quantities", "subscription_entitlements", "subscription_coupons"],
		...["subscription_updates", "subscription_version_changes", "subscription_credits"],
		...["subscription_pauses", "subscription_dated_changes"],
		"subscription_unspent_minimums",
		"highest_totals",
	),
	...by("SUBSCRIPTION:READ", here, "checkouts"),
	...by("CONTRACT:READ", ofCustomer, "contracts"),
	...by(
		...(["CONTRACT:READ", ofContract] as const),
		...["contract_items", "contract_subscriptions", "contract_amendments"],
	),
	...by("SUBSCRIPTION:READ", owned("subscriptions"), "billing_charges"),
	...by("SUBSCRIPTION:READ", ofCharge("subscriptions"), "charge_periods", "charge_credits"),
	...by("CONTRACT:READ", owned("contracts"), "billing_charges"),
	...by("CONTRACT:READ", ofCharge("contracts"), "charge_periods", "charge_credits"),
	...by("INVOICE:READ", here, "disputes"),
	...by("INVOICE:READ", here, "attempts", "provider_refunds"),
	...by("INVOICE:READ", ofInvoice, "attempt_invoices"),
	...by("INVOICE:READ", here, "invoices", "credit_notes", "customer_balance_entries", "receipts", "bank_entries"),
	...by("INVOICE:READ", ofCustomer, "bank_payers"),
	...by("INVOICE:READ", here, "mandates", "direct_debits"),
	...by("INVOICE:READ", ofInvoice, "invoice_lines", "invoice_subscriptions"),
	...by("INVOICE:READ", ofInvoice, "consolidated_invoices"),
	...by("INVOICE:READ", ofReceipt, "allocations"),
	...by("INVOICE:READ", ofRefund, "receipt_refunds"),
	...by("INVOICE:READ", here, "customer_dunning", "dunning_cases", "dunning_mails"),
	...by("INVOICE:READ", ofCase, "dunning_steps"),
	...by("INVOICE:READ", ofCreditNote, "credit_note_lines"),
	...by("INVOICE:READ", ofDocument, "coupon_uses"),
	...by("CREDIT:READ", ofCustomer, "credit_wallets", "credit_grants", "credit_auto_recharges", "credit_consumptions"),
	...by("CREDIT:READ", ofCustomer, "credit_priced_units"),
	{ table: "credit_entries", scope: "CREDIT:READ", where: ofCustomer, order: ["sequence"] },
	{ table: "credit_event_draws", scope: "CREDIT:READ", where: ofCustomer, order: ["hour", "up_to", "id"] },
	...by("CREDIT:READ", ofWallet, "credit_usage", "credit_report_draws"),
	...by("USAGE:READ", series, "usage_report_series"),
	...by("USAGE:READ", ofSeries, "usage_reports", "usage_report_totals"),
	{ table: "usage_reservations", scope: "USAGE:READ", where: ofCustomer, order: ["id"] },
	...by("USAGE:READ", here, "usage_alerts"),
	...by("CUSTOMER:READ", ofCustomer, "entities", "budget_nodes", "budget_assignments", "budget_requests"),
	{ table: "budget_counters", scope: "USAGE:READ", where: ofCustomer, order: ["id"] },
	{ table: "budget_entries", scope: "USAGE:READ", where: ofCustomer, order: ["sequence"] },
	{ table: "budget_event_counts", scope: "USAGE:READ", where: ofCustomer, order: ["entry"] },
	{ table: "budget_tree", scope: "USAGE:READ", where: ofCustomer, order: ["assignment_id"] },
	...by("USAGE:READ", ofCustomer, "budget_holds"),
	...by("USAGE:READ", ofCustomer, "reached_alerts"),
];

const catalogue = "The catalogue and settings: no customer data.";
const access = "People who operate the service: no customer data.";
const counted = "Derived from the events, which are exported.";
const position = "Progress of jobs, and short-lived work.";
const sent = "Copies of other sections in webhook events; they expire after some weeks.";
const log = "The audit log: changes and their authors.";
const statements = "Statements of the operator's bank accounts. The entries of the customer are exported.";
const numbering = "Counters of document numbers.";
const events = "The log of events, exported as `events`.";

/** Tables that an export omits, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
	...Object.fromEntries(
		[
			...["products", "features", "meters", "feature_groups", "custom_currencies", "packages", "package_versions"],
			...[
				"charges",
				"package_entitlements",
				"coupons",
				"taxes",
				"legal_entities",
				"legal_entity_logos",
				"dunning_policies",
			],
			...["payment_accounts", "credit_event_pricings", "budget_event_meters", "portal_settings", "entity_types"],
			...["agreed_prices", "provider_connections"],
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
			...["usage_events_by_hour_next", "usage_rebuild", "usage_segments", "usage_subjects", "usage_totals"],
			...["usage_values", "usage_event_days", "credit_revenue", "invoice_days"],
		].map((table) => [table, counted]),
	),
	...Object.fromEntries(
		[
			...["usage_alert_cursor", "usage_alert_changes", "credit_alert_changes", "entitlement_changes", "outbox_notices"],
			...[
				"credit_event_cursor",
				"budget_event_cursor",
				"budget_tree_cursor",
				"spend_checks",
				"spend_check_cursor",
				"credit_events_left",
				"main_revision",
				"commit_marks",
				"folder_secret",
				"customer_counts",
				"provider_calls",
				"provider_events",
				"provider_disputes",
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
	...Object.fromEntries(
		["bank_accounts", "bank_imports", "bank_import_parts", "bank_statements"].map((table) => [table, statements]),
	),
	...Object.fromEntries(
		["direct_debit_creditors", "direct_debit_files"].map((table) => [
			...[table, "The operator's account. The mandates and debits of the customer are exported."],
		]),
	),
	customer_sessions: "Hashes of short-lived portal links.",
	invoice_renders: "PDFs of invoices, rendered from the invoices.",
	plan_simulations: "Results of a simulation, which the next one replaces.",
	plan_simulation_costs: "Results of a simulation, which the next one replaces.",
	plan_simulation_failures: "Results of a simulation, which the next one replaces.",
	idempotency_keys: "Stored answers, kept for a day under the key of the caller.",
	tasks: "Imports and other tasks, deleted some weeks after their end.",
	task_errors: "Imports and other tasks, deleted some weeks after their end.",
};
