import { afterAll, describe, expect, test } from "bun:test";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { provisionCustomer } from "../../../../src/areas/customers/operations";
import { customers } from "../../../../src/areas/customers/table";
import { wallClock } from "../../../../src/kernel/clock";
import { newUuidV7 } from "../../../../src/kernel/ids";
import { openFile } from "../../../../src/kernel/storage/db";
import { Epochs } from "../../../../src/kernel/storage/epochs";
import { openTransactions } from "../../../../src/kernel/storage/transactions";
import { type Work, writeDurably } from "../../../../src/kernel/work";
import { freshFolder } from "../../../support/world";

const folder = freshFolder();
const epochs = new Epochs();
const actor = systemActor("env");
const open = (writes: "at once" | "in groups" | "never") => {
	const db = openFile(folder, "main", ["usage"]);
	const options = { db, clock: wallClock, newId: newUuidV7, wake: () => {}, epochs, writes };
	return { db, ...openTransactions(options) };
};
const writer = open("in groups");
const reader = open("never");
afterAll(() => {
	for (const { db } of [writer, reader]) db.$client.close();
});

let made = 0;
const makeCustomer = (work: Work): string => {
	made += 1;
	return provisionCustomer(work, { id: `c${made}` }).id;
};
const ordinary = () => writeDurably(writer, actor, makeCustomer);
/** The written values do not matter here: only their marking as usage does. */
const ofUsage = (customerId: string) =>
	writeDurably({ write: writer.writeUsage, committed: writer.committed }, actor, (work) => {
		makeCustomer(work);
		work.usageChanged(customerId);
	});

test("a write of usage evicts nothing of the main file, and the usage of its customer everywhere", async () => {
	const customerId = await ordinary();
	const epochs = () => [writer, reader].map(({ epoch }) => epoch());
	epochs();
	await Bun.sleep(5);
	const before = epochs();
	const hasNewUsage = [writer, reader].map(({ read }) => read(actor, (work) => work.watchUsage(customerId)));
	expect(hasNewUsage.map((ask) => ask())).toEqual([false, false]);
	await ofUsage(customerId);
	await Bun.sleep(5);
	expect(epochs()).toEqual(before);
	expect(hasNewUsage.map((ask) => ask())).toEqual([true, true]);
});

test("a reader that sees such a commit before the writer knows that it is done evicts nothing either", async () => {
	const customerId = await ordinary();
	reader.epoch();
	await Bun.sleep(5);
	const before = reader.epoch();
	const seen: number[] = [];
	// The writer's connection itself: on its way through the group the commit is counted a little later than others see it.
	epochs.reporting(() => {
		writer.db.$client.run("UPDATE customers SET name = 'another' WHERE id = ?", [customerId]);
		const end = performance.now() + 5;
		while (performance.now() < end) seen.push(reader.epoch());
	});
	expect(new Set(seen)).toEqual(new Set([before]));
	await Bun.sleep(5);
	expect(reader.epoch()).toBe(before);
});

test("any other write does, alone or in a group with usage", async () => {
	const customerId = await ordinary();
	for (const write of [ordinary, () => Promise.all([ofUsage(customerId), ordinary(), ofUsage(customerId)])]) {
		const before = [writer.epoch(), reader.epoch()];
		await write();
		expect(writer.epoch()).not.toBe(before[0]);
		expect(reader.epoch()).not.toBe(before[1]);
	}
});

test("one that was refused in a group leaves the others' revision counted", async () => {
	const customerId = await ordinary();
	const before = reader.epoch();
	const refused = writeDurably(writer, actor, (): string => {
		throw new Error("refused");
	});
	await Promise.allSettled([refused, ordinary(), ofUsage(customerId)]);
	expect(reader.epoch()).not.toBe(before);
});

describe("a commit while a reading transaction is open", () => {
	// Its writes commit within the body that reads: no interleaving is left to chance.
	const meanwhile = open("at once");
	afterAll(() => meanwhile.db.$client.close());
	const customersIn = (work: Work): number => work.tx.select().from(customers).all().length;

	test("with usage makes the reader read again, though it watches only after the commit", async () => {
		const customerId = await ordinary();
		const hasNewUsage = reader.read(actor, (work) => {
			customersIn(work);
			meanwhile.writeUsage(actor, (other) => other.usageChanged(customerId));
			return work.watchUsage(customerId);
		});
		expect(hasNewUsage()).toBe(true);
		expect(reader.read(actor, (work) => work.watchUsage(customerId))()).toBe(false);
	});

	test("changes the epoch as soon as the transaction has ended, though the epoch was asked for within it", async () => {
		await ordinary();
		const before = reader.epoch();
		const shown = reader.read(actor, (work) => {
			const shown = customersIn(work);
			meanwhile.write(actor, makeCustomer);
			// The transaction still shows the former state, so what it reads belongs to the former epoch.
			expect(reader.epoch()).toBe(before);
			return shown;
		});
		expect(reader.epoch()).not.toBe(before);
		expect(reader.read(actor, customersIn)).toBe(shown + 1);
	});
});
