import { expect, test } from "bun:test";
import fc from "fast-check";
import { customers } from "../../../src/areas/customers/table";
import { wallClock } from "../../../src/kernel/clock";
import { newUuidV7 } from "../../../src/kernel/ids";
import { openFile } from "../../../src/kernel/storage/db";
import { insertRow, newRow, writeColumns } from "../../../src/kernel/storage/rows";
import { openTransactions } from "../../../src/kernel/storage/transactions";
import type { Transaction, Transactions, Work } from "../../../src/kernel/work";
import { freshFolder, world } from "../../support/world";

const named = (tx: Transaction) =>
	tx.select({ id: customers.id, name: customers.name }).from(customers).orderBy(customers.id).prepare();
const namedAgain = (tx: Transaction) =>
	tx.select({ id: customers.id, name: customers.name }).from(customers).orderBy(customers.id).prepare();

const assertFresh = (work: Work): void => {
	expect(work.remembered(named).all()).toEqual(work.prepared(namedAgain).all());
};

const isUndone = new Error("undone");

const customer = (work: Work, name: string) => {
	const row = newRow(work);
	return { ...row, refId: row.id, billingId: row.id, name, integrations: [], metadata: {} };
};

/** The events of one transaction: a customer is added, or renamed, or a part of it is undone, or all of it. */
const step = fc.oneof(
	fc.record({ kind: fc.constant("add" as const), name: fc.string({ maxLength: 3 }) }),
	fc.record({
		kind: fc.constant("rename" as const),
		name: fc.string({ maxLength: 3 }),
		by: fc.constantFrom("rows", "text"),
	}),
	fc.record({ kind: fc.constant("undo" as const), name: fc.string({ maxLength: 3 }) }),
	fc.record({ kind: fc.constant("look" as const) }),
);
const transaction = fc.record({
	by: fc.constantFrom(0, 1),
	steps: fc.array(step, { maxLength: 4 }),
	isKept: fc.boolean(),
	looks: fc.boolean(),
});

function take(work: Work, done: typeof step extends fc.Arbitrary<infer Step> ? Step : never): void {
	const [first] = work.prepared(namedAgain).all();
	switch (done.kind) {
		case "add":
			insertRow(work, customers, customer(work, done.name));
			break;
		case "rename":
			if (!first) break;
			if (done.by === "rows") writeColumns(work, customers, first.id, { name: done.name });
			else work.tx.update(customers).set({ name: done.name }).run();
			break;
		case "undo":
			try {
				work.tx.transaction(() => {
					insertRow(work, customers, customer(work, done.name));
					assertFresh(work);
					throw isUndone;
				});
			} catch (error) {
				if (error !== isUndone) throw error;
			}
			break;
		case "look":
			assertFresh(work);
	}
}

for (const writes of ["at once", "in groups"] as const)
	test(`the cache equals the stored rows, whichever process writes them and whatever is undone, written ${writes}`, async () => {
		const { actor } = world();
		await fc.assert(
			fc.asyncProperty(fc.array(transaction, { maxLength: 8 }), async (history) => {
				const folder = freshFolder();
				const open = (): Transactions =>
					openTransactions({
						db: openFile(folder, "main"),
						clock: wallClock,
						newId: newUuidV7,
						wake: () => {},
						writes,
					});
				const both = [open(), open()] as const;
				for (const { by, steps, isKept, looks } of history) {
					const transactions = both[by === 0 ? 0 : 1];
					try {
						transactions.write(actor, (work) => {
							for (const done of steps) take(work, done);
							if (!isKept) throw isUndone;
						});
					} catch (error) {
						if (error !== isUndone) throw error;
					}
					// Within the group that is still open, too.
					if (looks) transactions.read(actor, assertFresh);
					await transactions.committed();
					for (const one of both) one.read(actor, assertFresh);
				}
			}),
			{ numRuns: 60 },
		);
	});

test("cached reads are not repeated while other tables are written", () => {
	const { transactions, actor, db } = world();
	let asked = 0;
	const counting = (tx: Transaction) => {
		const statement = named(tx);
		return {
			get: (values?: Record<string, unknown>) => statement.get(values),
			all: (values?: Record<string, unknown>) => {
				asked += 1;
				return statement.all(values);
			},
			getQuery: () => statement.getQuery(),
		};
	};
	for (let times = 0; times < 3; times += 1)
		transactions.write(actor, (work) => {
			work.remembered(counting).all();
			work.tx.run("with one as (select 1) update customers set name = name");
			work.remembered(counting).all();
		});
	expect(db.$client.inTransaction).toBe(false);
	// A statement with an unknown effect makes all be read again.
	expect(asked).toBe(4);
	asked = 0;
	for (let times = 0; times < 3; times += 1) transactions.write(actor, (work) => void work.remembered(counting).all());
	expect(asked).toBe(0);
});
