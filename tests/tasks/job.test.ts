import { beforeEach, expect, test } from "bun:test";
import { DomainError, fail } from "../../src/kernel/errors";
import { workThrough } from "../../src/tasks/job";
import { turnsOf } from "../support/turns";
import { type World, world } from "../support/world";

let ours: World;
beforeEach(async () => {
	ours = world();
	// The first write of a connection prepares its temporary tables, and removes earlier ones.
	ours.transactions.write(ours.actor, () => void ours.db.$client.run("CREATE TEMP TABLE done (item TEXT)"));
});

const done = (): string[] =>
	ours.db.$client
		.query<{ item: string }, []>("SELECT item FROM done")
		.all()
		.map(({ item }) => item);

/** Writes each item down; then "refused" is refused, and "broken" is a fault of ours. */
async function work(items: readonly string[], pieces: number) {
	const turns = turnsOf(pieces);
	await turns.next();
	return ours.transactions.write(ours.actor, (inner) =>
		workThrough(inner, turns, items, (item) => {
			ours.db.$client.run("INSERT INTO done VALUES (?)", [item]);
			if (item === "refused") throw fail("PlanNotFound", "There is no plan.");
			if (item === "broken") throw new Error("a fault");
		}),
	);
}

test("ends with its turn, and does one item at least", async () => {
	expect(await work(["a", "b", "c"], 2)).toMatchObject({ doneCount: 2, refused: [] });
	expect(await work(["c"], 0)).toMatchObject({ doneCount: 1 });
	expect(done()).toEqual(["a", "b", "c"]);
});

test("a refused item is undone alone, reported with its place, and the others go on", async () => {
	const { doneCount, refused, fault } = await work(["a", "refused", "b"], 10);
	expect({ doneCount, fault }).toEqual({ doneCount: 3, fault: undefined });
	expect(refused.map(({ item, at }) => [item, at])).toEqual([["refused", 1]]);
	expect(refused[0]?.refusal).toBeInstanceOf(DomainError);
	expect(done()).toEqual(["a", "b"]);
});

test("a fault undoes its own item and ends the turn; what came before stays", async () => {
	const { doneCount, fault } = await work(["a", "broken", "b"], 10);
	expect(doneCount).toBe(1);
	expect(fault?.error).toMatchObject({ message: "a fault" });
	expect(done()).toEqual(["a"]);
});

test("trouble of the disk keeps nothing of the turn", async () => {
	const turns = turnsOf(10);
	await turns.next();
	ours.db.$client.run("PRAGMA query_only = 0");
	const full = () =>
		ours.transactions.write(ours.actor, (inner) =>
			workThrough(inner, turns, ["a", "full"], (item) => {
				ours.db.$client.run("INSERT INTO done VALUES (?)", [item]);
				if (item === "full") {
					ours.db.$client.run("PRAGMA query_only = 1");
					ours.db.$client.run("INSERT INTO done VALUES ('more')");
				}
			}),
		);
	expect(full).toThrow("readonly");
	ours.db.$client.run("PRAGMA query_only = 0");
	expect(done()).toEqual([]);
});
