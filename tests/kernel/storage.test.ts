import { SQLiteError } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { systemActor } from "../../src/areas/access/rules.actors";
import { invoiceRenders } from "../../src/areas/invoices/table.renders";
import { products } from "../../src/areas/products/table";
import { wallClock } from "../../src/kernel/clock";
import { newUuidV7 } from "../../src/kernel/ids";
import { type FileName, filePath, openFile } from "../../src/kernel/storage/db";
import {
	type Awaiting,
	carriedOutInTime,
	FileNotHere,
	FileUnreadable,
	onceHere,
	StorageError,
	step,
} from "../../src/kernel/storage/failures";
import { openTransactions } from "../../src/kernel/storage/transactions";
import { type Work, writeDurably } from "../../src/kernel/work";
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
	const db = openFile(folder, "main", ["usage", "renders", "events", "deliveries"]);
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
	] as const)("%s.db is named for the log, and the caller learns nothing internal", (file, table, body) => {
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

describe("requests that need a missing file", () => {
	const missing = (arrival: Promise<void>) => new FileNotHere("not here", arrival);

	test("run at once where the file is here, without a promise", () => {
		expect(onceHere(() => 7)).toBe(7);
	});

	test.each([
		["a synchronous body", <T>(body: () => T) => body()],
		["an asynchronous one", async <T>(body: () => T) => body()],
	])("run again for each file that arrives: %s", async (_, run) => {
		const arrived: number[] = [];
		const body = () => {
			if (arrived.length < 3) throw missing(Bun.sleep(1).then(() => void arrived.push(arrived.length)));
			return arrived;
		};
		expect(await onceHere(() => run(body))).toEqual([0, 1, 2]);
	});

	test("fails with why it cannot come, with what the body says of itself, and with what is missing when it does not come", async () => {
		const away = new FileUnreadable("away");
		const fail = (error: unknown) => async () =>
			onceHere(() => {
				throw error;
			}, 5);
		await expect(fail(missing(Promise.reject(away)))()).rejects.toBe(away);
		await expect(fail(away)()).rejects.toBe(away);
		const never = missing(new Promise(() => {}));
		await expect(fail(never)()).rejects.toBe(never);
		await expect(fail(missing(Promise.resolve()))()).rejects.toBeInstanceOf(FileNotHere);
	});

	test("write once: a write that began before the file arrived is undone", async () => {
		const db = openFile(freshFolder(), "main", ["usage", "renders", "events", "deliveries"]);
		const transactions = openTransactions({ db, clock: wallClock, newId: newUuidV7, wake: () => {} });
		db.$client.run("CREATE TABLE written (attempt INTEGER)");
		let attempts = 0;
		const answer = await writeDurably(transactions, systemActor("env"), () => {
			attempts += 1;
			db.$client.run("INSERT INTO written VALUES (?)", [attempts]);
			if (attempts < 3) throw missing(Promise.resolve());
			return attempts;
		});
		expect(answer).toBe(3);
		expect(db.$client.query<{ attempt: number }, []>("SELECT attempt FROM written").all()).toEqual([{ attempt: 3 }]);
		db.$client.close();
	});

	test("wait between two steps of a longer task", async () => {
		const done: string[] = [];
		const come = { isHere: false };
		function* work(): Awaiting<string> {
			done.push("first");
			const second = yield* step(() => {
				if (come.isHere) return "second";
				const comes = async () => {
					come.isHere = true;
				};
				throw missing(comes());
			});
			return second;
		}
		expect(await carriedOutInTime(work())).toBe("second");
		expect(done).toEqual(["first"]);
	});
});
