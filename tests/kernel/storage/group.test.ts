import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { wallClock } from "../../../src/kernel/clock";
import { fail } from "../../../src/kernel/errors";
import { newUuidV7 } from "../../../src/kernel/ids";
import { openFile } from "../../../src/kernel/storage/db";
import { Epochs } from "../../../src/kernel/storage/epochs";
import { openTransactions, type TransactionsOptions } from "../../../src/kernel/storage/transactions";
import { type Database, type Transactions, type Work, type WorkerName, writeDurably } from "../../../src/kernel/work";
import { freshFolder } from "../../support/world";

const actor = systemActor("env");
const woken: WorkerName[] = [];
let folder: string;
let db: Database;
let transactions: Transactions;
let epochs: Epochs;
/** Another connection, which sees what is committed and nothing else. */
let other: Database;

const open = (file: Database, writes: NonNullable<TransactionsOptions["writes"]>) =>
	openTransactions({
		db: file,
		clock: wallClock,
		newId: newUuidV7,
		wake: (worker) => woken.push(worker),
		epochs,
		writes,
	});

beforeEach(() => {
	woken.length = 0;
	folder = freshFolder();
	epochs = new Epochs();
	db = openFile(folder, "main");
	db.$client.run("CREATE TABLE notes (text TEXT)");
	transactions = open(db, "in groups");
	other = openFile(folder, "main");
});
afterEach(() => {
	db.$client.close();
	other.$client.close();
});

const note = (text: string) => (work: Work) => {
	db.$client.prepare("INSERT INTO notes VALUES (?)").run(text);
	work.wake("renderer");
	return text;
};
const notes = (of = other): unknown[] => of.$client.prepare("SELECT text FROM notes ORDER BY rowid").values().flat();
const writing = (text: string) => writeDurably(transactions, actor, note(text));
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** SQLite answers a file that may not grow as it answers a disk that is full. */
const noRoom = () => db.$client.run("PRAGMA max_page_count = 1");
const room = () => db.$client.run("PRAGMA max_page_count = 1073741823");
const large = "x".repeat(3_000_000);

describe("writes of one turn", () => {
	test("share one commit; nothing of them is seen, nobody is woken or notified before", async () => {
		const notified: string[] = [];
		const all = ["a", "b", "c"].map((text) => writing(text).then((answer) => notified.push(answer)));
		await Promise.resolve();
		expect(notes(db)).toEqual(["a", "b", "c"]);
		expect([notes(), notified, woken, epochs.of("main")]).toEqual([[], [], [], 0]);
		await Promise.all(all);
		expect([notes(), notified, woken]).toEqual([
			["a", "b", "c"],
			["a", "b", "c"],
			["renderer", "renderer", "renderer"],
		]);
		expect(epochs.of("main")).toBe(1);
	});

	test("are undone one by one: what is refused leaves the others, and wakes nobody", async () => {
		const refused = writeDurably(transactions, actor, (work) => {
			note("refused")(work);
			throw fail("CustomerNotFound", "There is none.");
		});
		const all = await Promise.allSettled([writing("before"), refused, writing("after")]);
		expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
		expect(notes()).toEqual(["before", "after"]);
		expect(woken).toEqual(["renderer", "renderer"]);
	});

	test("in the next turn are another group", async () => {
		await writing("one");
		await turn();
		await writing("two");
		expect(epochs.of("main")).toBe(2);
	});

	test("without any, what was written is on disk at once", async () => {
		await transactions.committed();
		expect(epochs.of("main")).toBe(0);
	});
});

describe("a group that cannot be kept", () => {
	test("is reported to all its callers, also to the refused ones; nothing of it is stored, and the next one is", async () => {
		const refused = writeDurably(transactions, actor, (): string => {
			throw fail("DuplicatedEntityNotAllowed", "There is one already.");
		});
		const others = [writing("a"), refused];
		noRoom();
		const all = await Promise.allSettled([...others, writing(large), writing("b")]);
		for (const one of all) expect(String((one as PromiseRejectedResult).reason)).toContain("full");
		expect([notes(db), notes(), woken]).toEqual([[], [], []]);
		room();
		await writing("later");
		expect(notes()).toEqual(["later"]);
	});

	test("leaves no cache with what it had written", async () => {
		const before = transactions.epoch();
		const one = writing("a");
		noRoom();
		const two = writing(large);
		const during = transactions.epoch();
		await Promise.allSettled([one, two]);
		expect(new Set([before, during, transactions.epoch()]).size).toBe(3);
	});
});

describe("a thread that only reads", () => {
	test("sees a commit of this process at once, and of another within moments; without one it looks no more", async () => {
		const reading = open(other, "never");
		const first = reading.epoch();
		expect(reading.epoch()).toBe(first);
		await writing("ours");
		const second = reading.epoch();
		expect(second).not.toBe(first);
		const stranger = openFile(folder, "main");
		stranger.$client.run("INSERT INTO notes VALUES ('theirs')");
		await Bun.sleep(5);
		expect(reading.epoch()).not.toBe(second);
		stranger.$client.close();
	});

	test("has no way to write, and a connection that could not", () => {
		other.$client.run("PRAGMA query_only = ON");
		const reading = open(other, "never");
		expect(() => reading.write(actor, () => 1)).toThrow("only the writer's thread");
		expect(() => other.$client.run("DELETE FROM notes")).toThrow("readonly");
	});
});
