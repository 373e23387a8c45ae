import { entityTypeOf, type Owner, owners, refColumns } from "./rules.names";

/**
 * Defines which tables of main.db the audit log follows, and which values it shows. A table that is not named here is
 * followed with all columns. A test requires each new table to be listed.
 */

/** Internal tables and tables that derive from usage. They record no decision of a person or of the service. */
export const unaudited: ReadonlyMap<string, string> = new Map(
	Object.entries({
		"the hash of the folder's secret": ["folder_secret"],
		"the log itself": ["audit_entries", "audit_chains", "audit_subjects", "audit_personal"],
		"events about changes": ["outbox_events", "outbox_notices", "entitlement_changes"],
		"stored answers of calls": ["idempotency_keys", "api_key_uses", "used_states"],
		"counts, numbers and totals that derive from other rows": [
			"main_revision",
			"agreed_prices",
			"customer_counts",
			"subscription_counts",
			"invoice_days",
			"invoice_subscriptions",
			"consolidated_invoices",
			"invoice_sequences",
			"credit_note_sequences",
			"number_prefixes",
			"number_sequences",
			"credit_revenue",
			"credit_wallets",
			"plan_simulation_costs",
			"plan_simulation_failures",
			"task_errors",
		],
		"events of payment providers, and when disputes are looked up": ["provider_events", "provider_disputes"],
		"calls to payment providers that a caller waits for": ["provider_calls"],
		"the invoices of attempts, which the attempts' rows and events name": ["attempt_invoices"],
		"usage, and its rendering and billing": [
			"usage_report_series",
			"usage_report_totals",
			"usage_reports",
			"usage_reservations",
			"credit_consumptions",
			"credit_entries",
			"credit_usage",
			"credit_priced_units",
			"credit_report_draws",
			"credit_event_draws",
			"credit_event_pricings",
			"credit_events_left",
			"subscription_unspent_minimums",
			"highest_totals",
			"coupon_uses",
			"billing_charges",
			"charge_periods",
			"charge_credits",
			"reached_alerts",
			"budget_counters",
			"budget_entries",
			"budget_holds",
			"budget_event_counts",
			"budget_event_meters",
			"budget_tree",
		],
		"steps of dunning cases, whose changes are in the log": ["dunning_steps"],
		"progress of jobs": [
			"bank_import_parts",
			"usage_alert_cursor",
			"usage_alert_changes",
			"credit_alert_changes",
			"credit_event_cursor",
			"budget_event_cursor",
			"budget_tree_cursor",
			"spend_checks",
			"spend_check_cursor",
		],
	}).flatMap(([reason, tables]) => tables.map((table) => [table, reason])),
);

/** Tables with decisions of people or of the service. Tables in neither list are followed too. */
export const audited: ReadonlySet<string> = new Set([
	...["accounts", "environments", "api_keys", "users", "memberships", "sessions"],
	...["roles", "environment_roles", "invitations", "password_resets", "recovery_codes", "second_factors"],
	...["provider_connections", "payment_methods", "method_pages", "attempts", "provider_refunds"],
	...["identity_providers", "identities", "scim_groups", "scim_group_members"],
	...["customer_sessions", "checkouts", "portal_settings"],
	...["webhooks", "webhook_replays", "tasks"],
	...["legal_entities", "legal_entity_logos", "payment_accounts"],
	...["products", "features", "feature_groups", "meters", "custom_currencies", "coupons", "taxes"],
	...["packages", "package_versions", "package_entitlements", "charges", "plan_simulations"],
	...[
		"customers",
		"customer_parents",
		"customer_resources",
		"customer_balance_entries",
		"promotional_entitlements",
		"usage_alerts",
	],
	...["credit_grants", "credit_auto_recharges", "erasures"],
	...["entity_types", "entities", "budget_nodes", "budget_assignments", "budget_requests"],
	...["subscriptions", "subscription_addons", "subscription_coupons", "subscription_entitlements"],
	...["subscription_quantities", "subscription_updates", "subscription_version_changes", "subscription_credits"],
	...["subscription_pauses", "subscription_dated_changes"],
	...["invoices", "invoice_lines", "credit_notes", "credit_note_lines"],
	...["receipts", "allocations", "receipt_refunds", "disputes"],
	...["dunning_policies", "customer_dunning", "dunning_cases", "dunning_mails"],
	...["bank_accounts", "bank_imports", "bank_statements", "bank_entries", "bank_payers"],
	...["direct_debit_creditors", "mandates", "direct_debits", "direct_debit_files"],
	...["contracts", "contract_items", "contract_subscriptions", "contract_amendments"],
]);

/** Columns of every table. The entry already has the environment and the time. */
const everywhere: ReadonlySet<string> = new Set(["environment_id", "created_at", "updated_at"]);

/** Columns that the service maintains itself, such as counters. Their changes are not a person's action. */
const machineColumns: Readonly<Record<string, readonly string[]>> = {
	subscriptions: [
		"billed_until",
		"usage_billed_from",
		"usage_billed_until",
		"usage_due_at",
		"charged_from",
		"charged_currency",
		"charged_minimum",
		"prorations",
		"terms_changed_at",
		"next_due_at",
		"next_update_at",
		"runs_until",
		"credits_due_at",
		"problem",
	],
	method_pages: ["url", "ref", "customer_ref", "due_at", "opened_at"],
	attempts: ["pending", "key_number", "key_since", "action_url", "started_at", "due_at"],
	provider_refunds: ["pending", "key_number", "key_since", "is_whole", "started_at", "due_at"],
	sessions: ["last_seen_at"],
	entities: ["next_due_at"],
	budget_requests: ["next_due_at", "counter_id"],
	second_factors: ["last_step"],
	contracts: ["next_due_at", "problem"],
	dunning_cases: ["next_due_at", "problem", "anchor_day"],
	invoices: ["next_due_at", "sequence", "revision", "total_hundredths", "lines_seal", "seal"],
	credit_notes: ["lines_seal", "seal"],
	receipts: ["seal", "reference_scope", "number_count"],
	allocations: ["seal"],
	bank_imports: [
		"known_count",
		"outgoing_count",
		"recorded_count",
		"proposed_count",
		"unmatched_count",
		"current",
		"ended_at",
	],
	direct_debits: ["is_open", "announcement", "sequence", "file_group", "ended_at"],
	direct_debit_files: ["debits_count", "total", "groups"],
	bank_statements: ["entries_count"],
	// The bank states them and they never change. They name people who may be no customer, so an erasure could not find them in the log.
	bank_entries: [
		"fingerprint",
		"bank_reference",
		"end_to_end_id",
		"mandate_id",
		"creditor_reference",
		"party_name",
		"party_iban",
		"text",
		"proposals",
	],
	customer_balance_entries: ["seal"],
	invoice_lines: ["basis", "wording"],
	credit_note_lines: ["basis", "wording"],
	credit_grants: ["consumed", "next_due_at", "expiry_rank", "is_open"],
	credit_auto_recharges: ["spent_month", "spent", "next_due_at", "pending_grant_id", "problem"],
	plan_simulations: ["after_id", "totals", "failures_count"],
	tasks: ["payload", "done_count", "attempts", "crashes", "due_at", "started_at", "ended_at"],
	// Image data.
	legal_entity_logos: ["bytes"],
	webhooks: ["from_position"],
	erasures: ["step", "place", "erased", "certificate"],
};

/** Columns whose values the log masks, in any table. */
const secret = /(^|_)(hash|token|secret|password|totp|recovery|salt|private_key|verifier|nonce)(_|$)/;

/** Columns that match that pattern and are not secret. */
const notSecret: ReadonlySet<string> = new Set(["webhooks.secret_version", "webhooks.sends_secret"]);

/**
 * Columns that may contain personal data, and the column that names their subject. An erasure of that customer, user or
 * object deletes the values, and the log still verifies.
 */
const personalColumns: Readonly<Record<string, { readonly subject: string; readonly columns: readonly string[] }>> = {
	customers: {
		subject: "id",
		columns: [
			...["name", "email", "metadata", "passthrough", "integrations", "billing_id", "language", "timezone"],
			...["default_payment_method", "payment_method_source"],
		],
	},
	payment_methods: { subject: "customer_id", columns: ["ref", "customer_ref", "brand", "last4", "country"] },
	attempts: { subject: "customer_id", columns: ["ref", "failure"] },
	provider_refunds: { subject: "customer_id", columns: ["ref", "payment_ref", "failure", "reason"] },
	users: { subject: "id", columns: ["email", "name"] },
	sessions: { subject: "user_id", columns: ["address", "user_agent"] },
	checkouts: { subject: "customer_id", columns: ["order", "options"] },
	identities: {
		subject: "user_id",
		columns: ["user_name", "user_name_key", "email", "given_name", "family_name", "display_name"],
	},
	invitations: { subject: "id", columns: ["email"] },
	subscriptions: { subject: "customer_id", columns: ["billing_details", "metadata", "salesforce_id"] },
	subscription_updates: { subject: "subscription_id", columns: ["changes", "error"] },
	invoices: { subject: "customer_id", columns: ["customer", "notes", "custom_fields", "po_number", "stated"] },
	receipts: { subject: "customer_id", columns: ["reference", "note"] },
	disputes: { subject: "customer_id", columns: ["reference", "reason", "note"] },
	bank_payers: { subject: "customer_id", columns: ["iban"] },
	mandates: { subject: "customer_id", columns: ["iban", "bic", "debtor_name", "debtor_address"] },
	credit_notes: { subject: "customer_id", columns: ["customer"] },
	dunning_cases: { subject: "customer_id", columns: ["note"] },
	dunning_mails: { subject: "customer_id", columns: ["recipient", "subject", "body"] },
	contracts: { subject: "customer_id", columns: ["name", "po_number", "note"] },
	contract_amendments: { subject: "contract_id", columns: ["note"] },
	credit_grants: { subject: "customer_id", columns: ["comment", "metadata"] },
	customer_balance_entries: { subject: "customer_id", columns: ["reason"] },
	entities: { subject: "customer_id", columns: ["display_name", "metadata", "approver"] },
	budget_requests: { subject: "customer_id", columns: ["reason", "requested_by"] },
	customer_sessions: { subject: "customer_id", columns: ["person_id"] },
};

/** The treatment of a column in the log. */
export interface AuditedColumn {
	readonly name: string;
	readonly isSecret: boolean;
	readonly isPersonal: boolean;
}

export interface AuditedTable {
	readonly name: string;
	readonly entityType: string;
	/** The columns of the primary key. */
	readonly key: readonly string[];
	/** The column with the caller's id or the number, if any. */
	readonly ref: string | undefined;
	/** The column that names the subject of the personal data. */
	readonly subject: string | undefined;
	readonly hasEnvironment: boolean;
	readonly hasAccount: boolean;
	readonly hasCustomer: boolean;
	/** The object that the row belongs to. The entry is also found by that object. */
	readonly owner: Owner | undefined;
	readonly columns: readonly AuditedColumn[];
}

/** A column of the file's schema. */
export interface FileColumn {
	readonly name: string;
	readonly type: string;
	/** The column's place in the primary key, from 1; 0 if it is not part of it. */
	readonly pk: number;
}

/** Returns undefined for a table that the log does not follow. */
export function auditedTable(name: string, columns: readonly FileColumn[]): AuditedTable | undefined {
	if (unaudited.has(name) && !audited.has(name)) return undefined;
	const names = columns.map((column) => column.name);
	const key = columns
		.filter(({ pk }) => pk > 0)
		.sort((one, other) => one.pk - other.pk)
		.map((column) => column.name);
	const isSecret = (column: string): boolean => secret.test(column) && !notSecret.has(`${name}.${column}`);
	const left = new Set([...everywhere, ...(machineColumns[name] ?? []), ...(key.join() === "id" ? key : [])]);
	const personal = personalColumns[name];
	return {
		name,
		entityType: entityTypeOf(name),
		// A secret column does not identify a row.
		key: key.some(isSecret) ? ["rowid"] : key,
		ref: refColumns.find((column) => names.includes(column)),
		subject: personal?.subject,
		hasEnvironment: names.includes("environment_id"),
		hasAccount: names.includes("account_id"),
		hasCustomer: names.includes("customer_id"),
		owner: owners.find(({ column }) => names.includes(column)),
		columns: columns
			.filter((column) => !left.has(column.name) && column.type.toLowerCase() !== "blob")
			.map((column) => ({
				name: column.name,
				isSecret: isSecret(column.name),
				isPersonal: personal?.columns.includes(column.name) ?? false,
			})),
	};
}

/** Returns the subject type of a table's personal data: the row itself, its customer, or its owner. */
export const subjectTypeOf = ({ subject, entityType }: AuditedTable): string =>
	subject === "customer_id" ? "Customer" : (owners.find(({ column }) => column === subject)?.entityType ?? entityType);
