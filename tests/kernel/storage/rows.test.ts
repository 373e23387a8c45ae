import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { environments } from "../../../src/areas/access/table";
import { customers } from "../../../src/areas/customers/table";
import { idempotencyKeys } from "../../../src/http/responses/table";
import { changeRow, insertRow, newRow, saveRow, writeColumns } from "../../../src/kernel/storage/rows";
import type { Work } from "../../../src/kernel/work";
import { world } from "../../support/world";

const customer = (work: Work, refId: string) => ({
	...newRow(work),
	refId,
	billingId: `billed-${refId}`,
	name: "Ada",
	integrations: [],
	metadata: { tier: "gold" },
	passthrough: null,
});

describe("a row that is written", () => {
	test("is answered as it is read back: with nulls, defaults and JSON", () => {
		const { transactions, actor } = world();
		transactions.write(actor, (work) => {
			const made = insertRow(work, customers, customer(work, "ada"));
			expect(work.tx.select().from(customers).where(eq(customers.id, made.id)).get()).toEqual(made);
			const { id } = insertRow(work, environments, {
				id: work.newId(),
				accountId: work.actor.accountId,
				name: "second",
				kind: "SANDBOX",
				createdAt: work.now,
			});
			const [read] = work.tx.select().from(environments).where(eq(environments.id, id)).all();
			expect(read).toMatchObject({ name: "second", clientHardening: false, allowedOrigins: [], clockAt: null });
		});
	});

	test("is changed in what is given only, and null is a value", () => {
		const { transactions, actor } = world();
		transactions.write(actor, (work) => {
			const made = insertRow(work, customers, customer(work, "ada"));
			const changed = changeRow(work, customers, made.id, { name: null, metadata: { tier: "silver" } });
			expect(changed).toEqual({ ...made, name: null, metadata: { tier: "silver" } });
			writeColumns(work, customers, made.id, { email: "ada@example.com" });
			expect(changeRow(work, customers, made.id, { name: "Ada" })).toEqual({
				...changed,
				name: "Ada",
				email: "ada@example.com",
			});
		});
	});

	test("is out of reach of another environment", () => {
		const { transactions, actor, foreignActor } = world();
		const { id } = transactions.write(actor, (work) => insertRow(work, customers, customer(work, "ada")));
		expect(() => transactions.write(foreignActor, (work) => changeRow(work, customers, id, { name: "Eve" }))).toThrow();
		transactions.write(foreignActor, (work) => writeColumns(work, customers, id, { name: "Eve" }));
		const names = transactions.read(actor, (work) => work.tx.select({ name: customers.name }).from(customers).all());
		expect(names).toEqual([{ name: "Ada" }]);
	});

	test("is given all of what is saved under the same key", () => {
		const { transactions, actor } = world();
		transactions.write(actor, (work) => {
			const { environmentId } = work.actor;
			const row = {
				environmentId,
				method: "POST",
				path: "/",
				key: "k",
				bodyHash: "a",
				status: 200,
				createdAt: work.now,
			};
			saveRow(work, idempotencyKeys, { ...row, callerId: "one", answer: { first: true } });
			saveRow(work, idempotencyKeys, { ...row, callerId: null, answer: [2] });
			expect(work.tx.select().from(idempotencyKeys).all()).toEqual([{ ...row, callerId: null, answer: [2] }]);
		});
	});
});
