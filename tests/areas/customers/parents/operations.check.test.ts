import { expect, test } from "bun:test";
import { checkParents } from "../../../../src/areas/customers/parents/operations.check";
import { whilePlanted } from "../../../support/planted";
import { world } from "../../../support/world";

async function family() {
	const ours = world();
	for (const body of [{ id: "group" }, { id: "other" }, { id: "north", parentCustomerId: "group", billsTo: "PARENT" }])
		await ours.call("POST", "/customers", { body });
	await ours.call("PATCH", "/customers/north", { body: { parentCustomerId: "other" } });
	const check = () => ours.transactions.read(ours.actor, (work) => [...checkParents(work)]);
	return { ...ours, check };
}

const idOf = (refId: string) => `(SELECT id FROM customers WHERE ref_id = '${refId}')`;
const north = "ref_id = 'north'";

test("finds no difference where all is well", async () => {
	expect((await family()).check()).toEqual([]);
});

test.each([
	["no parent", `UPDATE customers SET parent_customer_id = NULL WHERE ${north}`, "bills to its parent, and has none"],
	["an unknown parent", `UPDATE customers SET parent_customer_id = 'x' WHERE ${north}`, "its parent does not exist"],
	["another parent", `UPDATE customers SET parent_customer_id = ${idOf("group")} WHERE ${north}`, "does not end with"],
	[
		"a second level",
		`UPDATE customers SET parent_customer_id = ${idOf("group")} WHERE ref_id = 'other'`,
		"has a parent itself",
	],
	["an archived parent", "UPDATE customers SET archived_at = 1 WHERE ref_id = 'other'", "is archived"],
	["a parent that lasts", "UPDATE customer_parents SET ends_at = NULL", "does not end with its parent"],
	[
		"an overlap",
		"UPDATE customer_parents SET starts_at = 5 WHERE ends_at IS NULL",
		"it belonged to two parents at 1970-01-01T00:00:00.005Z",
	],
	[
		"an end before the start",
		"UPDATE customer_parents SET starts_at = ends_at + 1 WHERE ends_at IS NOT NULL",
		"left a parent before it belonged to it",
	],
])("finds %s", async (_, statement, finding) => {
	const ours = await family();
	expect(whilePlanted(ours.db.$client, statement, ours.check).join("\n")).toContain(finding);
});
