import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { extract } from "tar";
import { schemas } from "../../src/files";
import { prepareFiles } from "../../src/kernel/storage/db";
import { runTollgate, startServer, temporaryFolder } from "../support/process";

const inOpen = "invoice_id = (SELECT id FROM invoices WHERE number = 'INV-000014')";

/** The folder of a release before receipts, with two payments and two refunds of an invoice of 25.50, and a seal that does not fit. */
async function formerFolder(): Promise<string> {
	const { folder } = temporaryFolder();
	await extract({ file: join(import.meta.dir, "0.2.0.tar.gz"), cwd: folder });
	const main = new Database(join(folder, "main.db"));
	const payment = main.query(
		`INSERT INTO invoice_payments (id, environment_id, invoice_id, kind, amount, balance_part, method, reference, note, paid_at, created_at)
		SELECT ?, environment_id, id, ?, ?, '0', 'CASH', ?, 'by hand', 1770076800000, 1770076800000 FROM invoices WHERE number = 'INV-000014'`,
	);
	payment.run("01a21a1e-5000-7000-8000-000000000001", "PAYMENT", "10.1", "one");
	payment.run("01a21a1e-5000-7000-8000-000000000002", "PAYMENT", "10.2", "two");
	payment.run("01a21a1e-5000-7000-8000-000000000003", "REFUND", "12", "one");
	payment.run("01a21a1e-5000-7000-8000-000000000004", "REFUND", "0.05", null);
	main.run("UPDATE invoices SET amount_paid = '8.25' WHERE number = 'INV-000014'");
	main.run("UPDATE invoice_payments SET seal = 'changed' WHERE amount = '17'");
	main.close();
	return folder;
}

/** Starts the server, which writes the files that the check expects. */
const serveOnce = async (folder: string) => expect(await (await startServer(folder)).stop()).toBe(0);

test("an upgrade turns payments into receipts and allocations with their ids, and refunds into parts of them", async () => {
	const folder = await formerFolder();
	prepareFiles(folder, schemas);
	const main = new Database(join(folder, "main.db"), { readonly: true });
	const rows = (sql: string) => main.query(sql).values();
	expect(
		rows(`SELECT id, receipt_id, kind, amount, balance_part FROM allocations WHERE ${inOpen} ORDER BY id`),
	).toEqual(
		[
			["01a21a1e-5000-7000-8000-000000000001", "PAYMENT", "10.1"],
			["01a21a1e-5000-7000-8000-000000000002", "PAYMENT", "10.2"],
			["01a21a1e-5000-7000-8000-000000000003", "REFUND", "12"],
			["01a21a1e-5000-7000-8000-000000000004", "REFUND", "0.05"],
		].map(([id = "", kind = "", amount = ""]) => [id, id, kind, amount, "0"]),
	);
	expect(
		rows(
			"SELECT kind, amount, unallocated, refunded, method, reference, note FROM receipts WHERE method = 'CASH' ORDER BY id",
		),
	).toEqual([
		["PAYMENT", "10.1", "0", "10.1", "CASH", "one", "by hand"],
		["PAYMENT", "10.2", "0", "1.95", "CASH", "two", "by hand"],
		["REFUND", "12", "0", "0", "CASH", "one", "by hand"],
		["REFUND", "0.05", "0", "0", "CASH", null, "by hand"],
	]);
	expect(
		rows("SELECT substr(refund_id, -1), substr(receipt_id, -1), amount FROM receipt_refunds ORDER BY 1, 2"),
	).toEqual([
		["3", "1", "10.1"],
		["3", "2", "1.9"],
		["4", "2", "0.05"],
	]);
	const legalEntity = "(SELECT legal_entity_id FROM invoices WHERE number = 'INV-000014')";
	expect(
		rows(`SELECT count(*), max(number_count), (SELECT last FROM number_sequences WHERE kind = 'RECEIPT'
		AND legal_entity_id = ${legalEntity}) FROM receipts WHERE legal_entity_id = ${legalEntity}`)[0],
	).toEqual([6, 6, 6]);
	expect(rows("SELECT count(*) FROM receipts WHERE seal IS NULL")).toEqual([[4]]);
	main.close();
	await serveOnce(folder);
	expect(await runTollgate(folder, ["check"])).toEqual({ status: 0, output: "sound\n", errors: "" });
}, 240_000);

test("a payment that was changed by hand before the upgrade is found after it", async () => {
	const { folder } = temporaryFolder();
	await extract({ file: join(import.meta.dir, "0.2.0.tar.gz"), cwd: folder });
	const main = new Database(join(folder, "main.db"));
	main.run("UPDATE invoice_payments SET method = 'CASH' WHERE amount = '17'");
	main.close();
	await serveOnce(folder);
	const { status, output, errors } = await runTollgate(folder, ["check", "--billing"]);
	expect({ status, text: output + errors }).toMatchObject({
		status: 1,
		text: expect.stringContaining("is not what Tollgate wrote:"),
	});
}, 240_000);
