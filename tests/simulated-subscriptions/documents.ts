import type { world } from "../support/world";

/** A stored line of a document; amounts in major units. */
export interface StoredLine {
	readonly addon: string | null;
	readonly feature: string | null;
	readonly kind: string;
	readonly quantity: string | null;
	readonly unitPrice: string | null;
	readonly start: number | null;
	readonly end: number | null;
	readonly amount: string;
	readonly discount: string;
	readonly tax: string;
	readonly total: string;
	readonly taxPercentage: string | null;
}

export interface StoredDocument {
	readonly kind: "invoice" | "credit note";
	readonly id: string;
	/** The id of the subscription or contract. */
	readonly subscription: string;
	readonly sequence: number;
	readonly at: number;
	readonly dueAt: number | null;
	readonly reason: string;
	readonly currency: string;
	readonly subTotal: string;
	readonly discount: string;
	readonly tax: string;
	readonly total: string;
	readonly lines: StoredLine[];
}

type File = ReturnType<typeof world>["db"]["$client"];

const lineColumns = `l.addon_ref_id AS addon, l.feature_ref_id AS feature, l.kind, l.quantity, l.unit_price AS unitPrice,
	l.period_start AS start, l.period_end AS end, l.amount, l.discount, l.tax, l.total, l.tax_percentage AS taxPercentage`;
const documentColumns = `d.id, substr(COALESCE(s.ref_id, c.ref_id), ?1 + 1) AS subscription, d.sequence, d.issued_at AS at, d.currency,
	d.sub_total AS subTotal, d.discount, d.tax, d.total`;

/** Returns the documents of a customer in the order of issue. */
export function documentsOf(file: File, customerRow: string, prefixLength: number): StoredDocument[] {
	const read = (kind: StoredDocument["kind"], table: string, more: string, linesTable: string, key: string) => {
		const documents = file
			.query<Omit<StoredDocument, "kind" | "lines">, [number, string]>(
				`SELECT ${documentColumns}, ${more} FROM ${table} d LEFT JOIN subscriptions s ON s.id = d.subscription_id
				LEFT JOIN contracts c ON c.id = d.contract_id
				WHERE d.customer_id = ?2 AND d.sequence > 0 ORDER BY d.sequence`,
			)
			.all(prefixLength, customerRow);
		const lines = file.query<StoredLine, [string]>(
			`SELECT ${lineColumns} FROM ${linesTable} l WHERE l.${key} = ?1 ORDER BY l.position`,
		);
		return documents.map((document): StoredDocument => ({ ...document, kind, lines: lines.all(document.id) }));
	};
	return [
		...read("invoice", "invoices", "d.billing_reason AS reason, d.due_at AS dueAt", "invoice_lines", "invoice_id"),
		...read(
			"credit note",
			"credit_notes",
			"d.reason_code AS reason, NULL AS dueAt",
			"credit_note_lines",
			"credit_note_id",
		),
	];
}
