import { expect, test } from "bun:test";
import { findCustomer, provisionCustomer } from "../../src/areas/customers/operations";
import { wallClock } from "../../src/kernel/clock";
import { dryRun } from "../../src/kernel/dry-run";
import { newUuidV7 } from "../../src/kernel/ids";
import { openTransactions } from "../../src/kernel/storage/transactions";
import type { Work } from "../../src/kernel/work";
import { world } from "../support/world";

const isRefused = new Error("refused");

/** A part of a transaction that is undone alone. */
const refused = (work: Work, body: () => void): void => {
	const part = () =>
		work.tx.transaction(() => {
			body();
			throw isRefused;
		});
	expect(part).toThrow(isRefused);
};

test.each(["at once", "in groups"] as const)("a dry run is rolled back whole, written %s", async (writes) => {
	const here = world();
	const transactions = openTransactions({ db: here.db, clock: wallClock, newId: newUuidV7, wake: () => {}, writes });
	const kept = transactions.write(here.actor, (work) => {
		const make = (id: string) => provisionCustomer(work, { id });
		make("before");
		const seen = dryRun(work, () => {
			make("one");
			dryRun(work, () => make("two"));
			refused(work, () => make("three"));
			make("four");
			return findCustomer(work, "one")?.refId;
		});
		refused(work, () => {
			make("five");
			dryRun(work, () => make("six"));
			make("seven");
		});
		make("after");
		const all = ["before", "one", "two", "three", "four", "five", "six", "seven", "after"];
		return [seen, ...all.filter((id) => findCustomer(work, id))];
	});
	await transactions.committed();
	expect(kept).toEqual(["one", "before", "after"]);
});
