import type { Database } from "bun:sqlite";
import Big from "big.js";

/** A payment or a refund of an invoice, as earlier releases stored it. */
interface Payment {
	readonly id: string;
	readonly environment_id: string;
	readonly invoice_id: string;
	readonly customer_id: string;
	readonly legal_entity_id: string;
	readonly number_count: number;
	readonly currency: string;
	readonly kind: string;
	readonly amount: string;
	readonly balance_part: string;
	readonly method: string;
	readonly paid_at: number;
	readonly created_at: number;
	readonly seal: string | null;
}

const rowsAtOnce = 500;

const hashOf = (values: readonly unknown[]): string =>
	Bun.CryptoHasher.hash("sha256", JSON.stringify(values), "hex").slice(0, 32);

/**
 * Turns each payment of an invoice into a receipt and its allocation, which keep its id. A refund refunds the
 * payments of its invoice, oldest first. A seal that was right is written again for the new rows; another one stays, and does not fit.
 */
export function move(sqlite: Database): void {
	sqlite.run(`INSERT INTO receipts (id, environment_id, customer_id, legal_entity_id, number_count, kind, currency, amount,
		unallocated, refunded, method, reference, reference_scope, note, received_at, seal, created_at)
		SELECT payment.id, payment.environment_id, invoice.customer_id, invoice.legal_entity_id,
			row_number() OVER (PARTITION BY payment.environment_id, invoice.legal_entity_id ORDER BY payment.id),
			payment.kind, invoice.currency, payment.amount, '0', '0', method, reference, invoice_id, note, payment.paid_at,
			payment.seal, payment.created_at
		FROM invoice_payments AS payment JOIN invoices AS invoice ON invoice.id = payment.invoice_id`);
	sqlite.run(`INSERT INTO allocations (id, environment_id, receipt_id, invoice_id, kind, amount, balance_part, seal, created_at)
		SELECT id, environment_id, id, invoice_id, kind, amount, balance_part, seal, created_at FROM invoice_payments`);
	sqlite.run(`INSERT INTO number_sequences (environment_id, legal_entity_id, kind, year, last, last_issued_at)
		SELECT environment_id, legal_entity_id, 'RECEIPT', 0, max(number_count), max(created_at) FROM receipts GROUP BY 1, 2`);
	attributeRefunds(sqlite);
	sealAgain(sqlite);
}

function attributeRefunds(sqlite: Database): void {
	const refunds = sqlite
		.query<Pick<Payment, "id" | "environment_id" | "invoice_id" | "amount">, []>(
			"SELECT id, environment_id, invoice_id, amount FROM invoice_payments WHERE kind = 'REFUND' ORDER BY id",
		)
		.all();
	const paymentsOf = sqlite.query<{ id: string; amount: string; refunded: string }, [string]>(
		`SELECT receipts.id, receipts.amount, refunded FROM allocations JOIN receipts ON receipts.id = receipt_id
		WHERE invoice_id = ? AND receipts.kind = 'PAYMENT' ORDER BY receipts.id`,
	);
	const insert = sqlite.query("INSERT INTO receipt_refunds VALUES (?, ?, ?, ?, '0')");
	const change = sqlite.query("UPDATE receipts SET refunded = ? WHERE id = ?");
	for (const { id, environment_id, invoice_id, amount } of refunds) {
		let left = new Big(amount);
		for (const payment of paymentsOf.all(invoice_id)) {
			const kept = new Big(payment.amount).minus(payment.refunded);
			const part = kept.lt(left) ? kept : left;
			if (part.lte(0)) continue;
			left = left.minus(part);
			insert.run(environment_id, id, payment.id, part.toFixed());
			change.run(new Big(payment.refunded).plus(part).toFixed(), payment.id);
		}
	}
}

function sealAgain(sqlite: Database): void {
	const next = sqlite.query<Payment, [string, number]>(
		`SELECT payment.id, payment.environment_id, invoice_id, customer_id, legal_entity_id, number_count, currency, payment.kind,
			payment.amount, balance_part, payment.method, paid_at, payment.created_at, payment.seal
		FROM invoice_payments AS payment JOIN receipts USING (id) WHERE payment.seal IS NOT NULL AND payment.id > ?
		ORDER BY payment.id LIMIT ?`,
	);
	const ofReceipt = sqlite.query("UPDATE receipts SET seal = ? WHERE id = ?");
	const ofAllocation = sqlite.query("UPDATE allocations SET seal = ? WHERE id = ?");
	for (let after = ""; ; ) {
		const rows = next.all(after, rowsAtOnce);
		const last = rows.at(-1);
		if (!last) return;
		for (const row of rows) {
			const { id, environment_id, invoice_id, kind, amount, balance_part, method, paid_at, created_at } = row;
			const former = [id, environment_id, invoice_id, kind, amount, balance_part, method, paid_at, created_at];
			if (row.seal !== hashOf(former)) continue;
			const { customer_id, legal_entity_id, number_count, currency } = row;
			const receipt = [id, environment_id, customer_id, legal_entity_id, number_count, kind, currency, null];
			ofReceipt.run(hashOf([...receipt, amount, method, paid_at, created_at]), id);
			const allocation = [id, environment_id, id, invoice_id, kind, amount, balance_part, null, null, created_at];
			ofAllocation.run(hashOf(allocation), id);
		}
		after = last.id;
	}
}
