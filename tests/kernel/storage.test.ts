import { SQLiteError } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { systemActor } from "../../src/areas/access/rules.actors";
import { invoiceRenders } from "../../src/areas/invoices/table.renders";
import { products } from "../../src/areas/products/table";
import { wallClock } from "../../src/kernel/clock";
import { type FileName, filePath, openFile } from "../../src/kernel/db";
import { newUuidV7 } from "../../src/kernel/ids";
import { StorageError } from "../../src/kernel/storage";
import { openTransactions } from "../../src/kernel/transactions";
import type { Work } from "../../src/kernel/work";
import { freshFolder } from "../support/world";

/** A folder in which the first page of a table is overwritten, as a failing disk might. */
function damaged(file: FileName, table: string): string {
	const folder = freshFolder();
	const sqlite = openFile(folder, file).$client;
	const root = sqlite
		.query<{ rootpage: number }, [string]>("SELECT rootpage FROM sqlite_master WHERE name = ?")
		.get(table);
	sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
	sqlite.close();
	const path = filePath(folder, file);
	const pageBytes = readFileSync(path).readUInt16BE(16);
	const opened = openSync(path, "r+");
	writeSync(opened, Buffer.alloc(pageBytes, 0xff), 0, pageBytes, ((root?.rootpage ?? 1) - 1) * pageBytes);
	closeSync(opened);
	return folder;
}

function failureOf(folder: string, body: (work: Work) => unknown): unknown {
	const db = openFile(folder, "main", ["usage", "renders", "events"]);
	const transactions = openTransactions({ db, clock: wallClock, newId: newUuidV7, wake: () => {} });
	try {
		transactions.read(systemActor("env"), (work) => void body(work));
		return undefined;
	} catch (error) {
		return error;
	} finally {
		db.$client.close();
	}
}

describe("a damaged file", () => {
	test.each([
		["main", "products", (work: Work) => work.tx.select().from(products).all()],
		["renders", "invoice_renders", (work: Work) => work.tx.select().from(invoiceRenders).all()],
	] as const)("%s.db is named for the log, and the caller is told nothing internal", (file, table, body) => {
		const failure = failureOf(damaged(file, table), body);
		expect(failure).toBeInstanceOf(StorageError);
		expect(String(failure)).not.toContain(file);
		const { cause } = failure as StorageError;
		expect(String(cause)).toContain(`Error: ${file}.db could not be read (SQLITE_CORRUPT`);
		expect((cause as Error).cause).toBeInstanceOf(SQLiteError);
	});

	test("does not hurt what is read from another", () => {
		expect(failureOf(damaged("renders", "invoice_renders"), (work) => work.tx.select().from(products).all())).toBe(
			undefined,
		);
	});
});
