import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChangeText } from "../../../src/areas/audit/rules.entry";
import { Subjects, storedSubjects, subjectsOfEntry } from "../../../src/areas/audit/rules.subjects";

const id = fc.constantFrom("id-1", "id-2", "acme");
const type = fc.constantFrom("Customer", "Subscription", "InvoiceLine");
const field = fc.record({ before: id, after: id }, { requiredKeys: [] });

const change: fc.Arbitrary<ChangeText> = fc.record(
	{
		entityType: type,
		entityId: id,
		entityRef: id,
		action: fc.constantFrom("created" as const, "updated" as const, "deleted" as const),
		fields: fc.record(
			{ customerId: field, subscriptionId: field, invoiceId: field, name: field },
			{ requiredKeys: [] },
		),
	},
	{ requiredKeys: ["entityType", "entityId", "action", "fields"] },
);

const listOf = (pairs: ReadonlyArray<readonly [string, string]>): Subjects => {
	const subjects = new Subjects();
	for (const [key, entityType] of pairs) subjects.add(key, entityType);
	return subjects;
};

test("an entry has the subjects that it was stored with, listed or named by its changes", () => {
	fc.assert(
		fc.property(fc.array(change), fc.array(fc.tuple(id, type)), (changes, pairs) => {
			const text = JSON.stringify(changes);
			const named = listOf(subjectsOfEntry({ subjects: "", changes: text }));
			for (const subjects of [named, listOf(pairs)]) {
				const stored = storedSubjects(subjects, text);
				expect(stored === "").toBe(subjects.equals(named));
				expect(subjectsOfEntry({ subjects: stored, changes: text }).toSorted()).toEqual(subjects.list.toSorted());
			}
		}),
	);
});

test("the changes name each entity by its id, the caller's id and its type, and its customer and owner", () => {
	const changes: ChangeText[] = [
		{
			...{ entityType: "Invoice", entityId: "id-1", entityRef: "INV-1", action: "created" },
			fields: { customerId: { after: "id-2" }, subscriptionId: { after: "id-3" }, contractId: { after: "id-4" } },
		},
		{ entityType: "InvoiceLine", entityId: "id-1/1", action: "deleted", fields: { invoiceId: { before: "id-1" } } },
	];
	expect(subjectsOfEntry({ subjects: "", changes: JSON.stringify(changes) }).toSorted()).toEqual([
		["INV-1", "Invoice"],
		["Invoice", "Invoice"],
		["InvoiceLine", "InvoiceLine"],
		["id-1", "Invoice"],
		["id-1/1", "InvoiceLine"],
		["id-2", "Customer"],
		["id-3", "Subscription"],
	]);
});
