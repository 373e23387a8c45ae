/** Defines how the audit log names tables, columns and the objects that rows belong to. */

/** The columns with the id that people know; the first existing one is used. */
export const refColumns = ["ref_id", "number", "external_id"] as const;

/** Entity types that differ from the table's name. */
const entityTypes: Readonly<Record<string, string>> = {
	packages: "Package",
	package_versions: "PackageVersion",
	charges: "Charge",
	// The name of earlier releases, by which entries are found.
	allocations: "InvoicePayment",
};

/** `promotional_entitlements` is a PromotionalEntitlement. */
export const entityTypeOf = (table: string): string =>
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

/** The columns that name the object which a row belongs to. The first one of a table counts. */
export const owners: readonly Owner[] = [
	{ column: "subscription_id", entityType: "Subscription" },
	{ column: "invoice_id", entityType: "Invoice" },
	{ column: "credit_note_id", entityType: "CreditNote" },
	{ column: "contract_id", entityType: "Contract" },
	{ column: "version_id", entityType: "PackageVersion" },
	{ column: "package_id", entityType: "Package" },
	{ column: "legal_entity_id", entityType: "LegalEntity" },
	{ column: "user_id", entityType: "User" },
];

/** Whether the rows belong to no environment although they name neither an account nor a user. */
export const isOfAccounts = (table: string): boolean => /^(accounts|users|identit|scim_)/.test(table);

/** Whether the rows are parts of another row. If that row changed too, the entry is about that one. */
export const isPart = (table: string): boolean => parts.test(table);

const parts =
	/^(invoice_lines|credit_note_lines|charges|package_(versions|entitlements)|subscription_\w+|contract_(items|subscriptions|amendments)|meters|customer_(resources|balance_entries)|receipts|receipt_refunds|tasks)$/;
