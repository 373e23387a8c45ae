import { expect, test } from "bun:test";
import { scriptedWorld } from "../../collection/charging";
import { accepting } from "../../collection/scripted";

test.each([
	["UPDATE attempts SET amount = '1'", "it charges 1, its invoices need 9.99"],
	["UPDATE attempt_invoices SET is_open = 1", "it is SUCCEEDED, and its invoices still wait for it"],
	["UPDATE attempts SET receipt_id = NULL", "it is SUCCEEDED, and has no receipt"],
	["UPDATE attempts SET state = 'FAILED'", "it is FAILED, and has a receipt"],
	["UPDATE attempts SET received = '5'", "is not its money"],
	["UPDATE receipts SET reference_scope = 'another'", "is not its money"],
])("finds what Tollgate did not write: %s", async (sql, finds) => {
	const w = await scriptedWorld(accepting());
	await w.provision();
	await w.collect();
	expect(w.check()).toEqual([]);
	w.db.$client.run(sql);
	expect(w.check().join("\n")).toContain(finds);
});
