import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import {
	findCounter,
	openCounter,
	saveReserved,
	saveUsed,
	selectCounter,
} from "../../../src/areas/governance/store.counters";
import { type BudgetCounterRow, budgetAssignments, budgetCounters } from "../../../src/areas/governance/table";
import { type Instant, wallClock } from "../../../src/kernel/clock";
import { toDecimal } from "../../../src/kernel/decimal";
import { newUuidV7 } from "../../../src/kernel/ids";
import { openFile } from "../../../src/kernel/storage/db";
import { openTransactions } from "../../../src/kernel/storage/transactions";
import type { Transactions, Work } from "../../../src/kernel/work";
import { site } from "./site";

const isUndone = new Error("undone");

const change = fc.record({
	kind: fc.constantFrom("use" as const, "reserve" as const, "undo" as const, "look" as const),
	level: fc.nat(2),
	day: fc.nat(1),
	amount: fc.nat(9),
});
const transaction = fc.record({
	by: fc.nat(1),
	isUsage: fc.boolean(),
	changes: fc.array(change, { maxLength: 4 }),
	isKept: fc.boolean(),
	looks: fc.boolean(),
});

type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

for (const writes of ["at once", "in groups"] as const)
	test(`counters are those of the file, whichever connection writes them and whatever is rolled back, written ${writes}`, async () => {
		const { folder, actor, budget, db } = await site();
		await budget(...["research", "drafter", "reviewer"].map((entityId) => ({ entityId, usageLimit: 9 })));
		const budgets = db.select().from(budgetAssignments).all();
		const windowOf = (day: number) => ({ start: (day * 10) as Instant, end: (day * 10 + 10) as Instant });
		const counterOf = (work: Work, { level, day }: Pick<Change, "level" | "day">): BudgetCounterRow => {
			const one = budgets[level] ?? budgets[0];
			if (!one) throw new Error("there are three budgets");
			return openCounter(work, one.customerId, one, windowOf(day));
		};
		const assertFresh = (work: Work): void => {
			for (const row of work.tx.select().from(budgetCounters).where(sql`true`).all()) {
				expect(selectCounter(work, row.id)).toEqual(row);
				const window = { start: row.windowStart, end: row.windowEnd };
				expect(findCounter(work, { id: row.assignmentId, cadence: row.cadence }, window)).toEqual(row);
			}
		};
		const take = (work: Work, one: Change): void => {
			const amount = toDecimal(one.amount);
			if (one.kind === "use") saveUsed(work, counterOf(work, one).id, amount);
			if (one.kind === "reserve") saveReserved(work, counterOf(work, one).id, amount);
			if (one.kind === "look") assertFresh(work);
			if (one.kind !== "undo") return;
			try {
				work.tx.transaction(() => {
					saveUsed(work, counterOf(work, one).id, amount);
					throw isUndone;
				});
			} catch (error) {
				if (error !== isUndone) throw error;
			}
		};
		const open = (): Transactions =>
			openTransactions({
				...{ db: openFile(folder, "main"), clock: wallClock, newId: newUuidV7, wake: () => {}, writes },
			});
		const both = [open(), open()] as const;
		await fc.assert(
			fc.asyncProperty(fc.array(transaction, { maxLength: 8 }), async (history) => {
				for (const { by, isUsage, changes, isKept, looks } of history) {
					const transactions = both[by === 0 ? 0 : 1];
					try {
						transactions[isUsage ? "writeUsage" : "write"](actor, (work) => {
							for (const one of changes) take(work, one);
							if (!isKept) throw isUndone;
						});
					} catch (error) {
						if (error !== isUndone) throw error;
					}
					if (looks) transactions.read(actor, assertFresh);
					await transactions.committed();
					for (const one of both) one.read(actor, assertFresh);
				}
			}),
			{ numRuns: 40 },
		);
	});
