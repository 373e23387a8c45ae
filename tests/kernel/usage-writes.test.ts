import { afterAll, expect, test } from "bun:test";
import { systemActor } from "../../src/areas/access/rules.actors";
import { provisionCustomer } from "../../src/areas/customers/operations";
import { wallClock } from "../../src/kernel/clock";
import { newUuidV7 } from "../../src/kernel/ids";
import { openFile } from "../../src/kernel/storage/db";
import { Epochs } from "../../src/kernel/storage/epochs";
import { openTransactions } from "../../src/kernel/storage/transactions";
import { type Work, writeDurably } from "../../src/kernel/work";
import { freshFolder } from "../support/world";

const folder = freshFolder();
const epochs = new Epochs();
const actor = systemActor("env");
const open = (writes: "in groups" | "never") => {
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
/** What it writes matters to nobody here: that it is said to be usage does. */
const ofUsage = (customerId: string) =>
	writeDurably({ write: writer.writeUsage, committed: writer.committed }, actor, (work) => {
		makeCustomer(work);
		work.usageChanged(customerId);
	});

test("a write of usage makes nobody forget the main file, and everybody the usage of its customer", async () => {
	const customerId = await ordinary();
	const state = () => [writer, reader].map(({ epoch, usageOf }) => [epoch(), usageOf(customerId)]);
	state();
	await Bun.sleep(5);
	const before = state();
	await ofUsage(customerId);
	await Bun.sleep(5);
	const after = state();
	expect(after.map(([epoch]) => epoch)).toEqual(before.map(([epoch]) => epoch));
	for (const [index, [, usage]] of after.entries()) expect(usage).not.toBe(before[index]?.[1]);
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
