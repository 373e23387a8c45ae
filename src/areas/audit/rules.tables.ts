/**
 * Which tables of the main file the audit log follows, and what it shows of their rows. A table that is named nowhere here is
 * followed, with all its columns: what is new is in the log unless somebody says why not (a test asks for it).
 */

/** What the machine keeps for itself, or what comes of usage: no decision of a person, nor of the service in its place. */
export const unaudited: ReadonlyMap<string, string> = new Map(
	Object.entries({
		"which secret the folder has": ["folder_secret"],
		"the log itself": ["audit_entries", "audit_chains", "audit_subjects", "audit_personal"],
		"what is told of changes": ["outbox_events", "outbox_notices", "entitlement_changes"],
		"what is kept of calls": ["idempotency_keys", "api_key_uses", "used_states"],
		"counts, numbers and totals that follow from other rows": [
			"main_revision",
			"customer_counts",
			"subscription_counts",
			"invoice_days",
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
		"usage, and what was drawn and billed for it": [
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
			"subscription_usage_bills",
			"subscription_usage_marks",
			"subscription_usage_prices",
			"subscription_unspent_minimums",
			"reached_alerts",
		],
		"how far a job is": ["usage_alert_cursor", "usage_alert_changes", "credit_alert_changes", "credit_event_cursor"],
	}).flatMap(([reason, tables]) => tables.map((table) => [table, reason])),
);

/** What people decide on, or the service for them. Followed; so is a table that stands in neither list, until it does. */
export const audited: ReadonlySet<string> = new Set([
	...["accounts", "environments", "api_keys", "users", "memberships", "sessions"],
	...["roles", "environment_roles", "invitations", "password_resets", "recovery_codes", "second_factors"],
	...["identity_providers", "identities", "scim_groups", "scim_group_members"],
	...["customer_sessions", "checkouts", "portal_settings"],
	...["webhooks", "webhook_replays", "tasks"],
	...["legal_entities", "legal_entity_logos", "payment_accounts"],
	...["products", "features", "feature_groups", "meters", "custom_currencies", "coupons"],
	...["packages", "package_versions", "package_entitlements", "charges", "plan_simulations"],
	...["customers", "customer_resources", "customer_balance_entries", "promotional_entitlements", "usage_alerts"],
	...["credit_grants", "credit_auto_recharges", "erasures"],
	...["subscriptions", "subscription_addons", "subscription_coupons", "subscription_entitlements"],
	...["subscription_quantities", "subscription_updates", "subscription_version_changes", "subscription_credits"],
	...["invoices", "invoice_lines", "invoice_payments", "credit_notes", "credit_note_lines"],
	...["contracts", "contract_items", "contract_subscriptions", "contract_amendments", "contract_billed_cycles"],
]);

/** Of every table: the row and the entry say when and where it was. */
const everywhere: ReadonlySet<string> = new Set(["environment_id", "created_at", "updated_at"]);

/** Columns by which the service steers itself, or that it counts along: they change without anybody's doing. */
const machineColumns: Readonly<Record<string, readonly string[]>> = {
	subscriptions: [
		"billed_until",
		"usage_billed_from",
		"usage_billed_until",
		"usage_due_at",
		"charged",
		"prorations",
		"next_due_at",
		"next_update_at",
		"runs_until",
		"credits_due_at",
		"problem",
	],
	sessions: ["last_seen_at"],
	second_factors: ["last_step"],
	contracts: ["next_due_at", "problem"],
	contract_items: ["billed_until", "billed", "usage_events"],
	invoices: ["next_due_at", "sequence", "revision", "total_hundredths", "lines_seal", "seal"],
	credit_notes: ["lines_seal", "seal"],
	invoice_payments: ["seal"],
	customer_balance_entries: ["seal"],
	invoice_lines: ["basis", "wording"],
	credit_note_lines: ["basis", "wording"],
	credit_grants: ["consumed", "next_due_at", "expiry_rank", "is_open"],
	credit_auto_recharges: ["spent_month", "spent", "next_due_at", "pending_grant_id", "problem"],
	plan_simulations: ["after_id", "totals", "failures_count"],
	tasks: ["payload", "done_count", "attempts", "crashes", "due_at", "started_at", "ended_at"],
	// A picture.
	legal_entity_logos: ["bytes"],
	webhooks: ["from_position"],
	erasures: ["step", "place", "erased", "certificate"],
};

/** Columns that the log shows no value of, whichever table they are in. */
const secret = /(^|_)(hash|token|secret|password|totp|recovery|salt|private_key|verifier|nonce)(_|$)/;

/** What such a name also matches, and anybody may know. */
const notSecret: ReadonlySet<string> = new Set(["webhooks.secret_version", "webhooks.sends_secret"]);

/** Columns that may hold personal data, and whose, by a column of the row: erased with that customer or user, or with what belongs to it, and the log still verifies. */
const personalColumns: Readonly<Record<string, { readonly subject: string; readonly columns: readonly string[] }>> = {
	customers: {
		subject: "id",
		columns: [
			...["name", "email", "metadata", "passthrough", "integrations", "billing_id", "language", "timezone"],
			...["default_payment_method", "payment_method_source"],
		],
	},
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
	invoice_payments: { subject: "invoice_id", columns: ["reference", "note"] },
	credit_notes: { subject: "customer_id", columns: ["customer"] },
	contracts: { subject: "customer_id", columns: ["name", "po_number", "note"] },
	contract_amendments: { subject: "contract_id", columns: ["note"] },
	credit_grants: { subject: "customer_id", columns: ["comment", "metadata"] },
	customer_balance_entries: { subject: "customer_id", columns: ["reason"] },
};

/** What a column is to the log. */
export interface AuditedColumn {
	readonly name: string;
	readonly isSecret: boolean;
	readonly isPersonal: boolean;
}

export interface AuditedTable {
	readonly name: string;
	readonly entityType: string;
	/** The columns that name a row. */
	readonly key: readonly string[];
	/** The caller's id of it or its number, where it has one. */
	readonly ref: string | undefined;
	/** Whose personal data it holds. */
	readonly subject: string | undefined;
	readonly hasEnvironment: boolean;
	readonly hasAccount: boolean;
	readonly hasCustomer: boolean;
	/** What it is a part of, or belongs to: such an entry is found by that as well. */
	readonly owner: Owner | undefined;
	readonly columns: readonly AuditedColumn[];
}

/** A column as the file says it. */
export interface FileColumn {
	readonly name: string;
	readonly type: string;
	/** Its place in the primary key, from 1; 0 for none. */
	readonly pk: number;
}

/** Undefined for a table that the log does not follow. */
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
		// What is secret names nothing.
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

/** By which people know a row, the first that it has. */
const refColumns = ["ref_id", "number", "external_id"] as const;

/** Names that differ from their table's. */
const entityTypes: Readonly<Record<string, string>> = {
	packages: "Package",
	package_versions: "PackageVersion",
	charges: "Charge",
};

/** `promotional_entitlements` is a PromotionalEntitlement. */
const entityTypeOf = (table: string): string =>
	entityTypes[table] ??
	singular(table)
		.split("_")
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.join("");

function singular(plural: string): string {
	if (plural.endsWith("ies")) return `${plural.slice(0, -3)}y`;
	return plural.endsWith("s") && !plural.endsWith("ss") ? plural.slice(0, -1) : plural;
}

/** `display_name` is `displayName`, as on the wire. */
export const fieldName = (column: string): string =>
	column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export interface Owner {
	readonly column: string;
	readonly entityType: string;
}

const owners: readonly Owner[] = [
	{ column: "subscription_id", entityType: "Subscription" },
	{ column: "invoice_id", entityType: "Invoice" },
	{ column: "credit_note_id", entityType: "CreditNote" },
	{ column: "contract_id", entityType: "Contract" },
	{ column: "version_id", entityType: "PackageVersion" },
	{ column: "package_id", entityType: "Package" },
	{ column: "legal_entity_id", entityType: "LegalEntity" },
	{ column: "user_id", entityType: "User" },
];

/** Whether its rows belong to no environment, though they name neither an account nor a user. */
export const isOfAccounts = (table: string): boolean => /^(accounts|users|identit|scim_)/.test(table);

/** Of what the personal data of a table's rows is: the row itself, its customer, or what it is a part of. */
export const subjectTypeOf = ({ subject, entityType }: AuditedTable): string =>
	subject === "customer_id" ? "Customer" : (owners.find(({ column }) => column === subject)?.entityType ?? entityType);

/** Rows that are a part of another one: an entry is not about them where something else was changed too. */
export const isPart = (table: string): boolean => parts.test(table);

const parts =
	/^(invoice_lines|credit_note_lines|charges|package_(versions|entitlements)|subscription_\w+|contract_(items|subscriptions|amendments|billed_cycles)|meters|customer_(resources|balance_entries)|tasks)$/;
