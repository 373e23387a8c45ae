import { expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { perUnit, till, units, used } from "../billing";

/** A child with one seat at 30.00 a month from 1 April 2026, whose parent pays from 10 May on. The clock stands on 5 June. */
async function family() {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [perUnit("seats", { month: 30 }), used("calls", { month: 0.5 })]);
	await ours.customer("parent");
	await ours.customer("child", { parentCustomerId: "parent" });
	const id = await ours.buy("pro", { customerId: "child", ...units("seats", 1) });
	await ours.advance("2026-05-10T00:00:00Z");
	await ours.use("calls", 10, "2026-05-04T00:00:00Z", "child");
	await ours.insist("PATCH", "/customers/child", { billsTo: "PARENT" });
	await ours.advance("2026-06-05T00:00:00Z");
	const patch = async (effectiveDate: string) =>
		(await ours.call("PATCH", `/subscriptions/${id}`, { body: { effectiveDate, ...units("seats", 2) } })).body;
	return { ours, id, patch };
}

test("a change cannot be dated in a period that another customer paid (2.22, 2.24)", async () => {
	const { ours, id, patch } = await family();
	const before = [await ours.books("child"), await ours.books("parent")];
	const refused = {
		code: "InvalidArgumentError",
		message: expect.stringContaining(
			"before 2026-06-01T00:00:00.000Z, until when another customer than 'parent' has paid",
		),
	};
	// The child paid April and May, also the part of May after the change of the payer.
	for (const date of ["2026-04-11T00:00:00Z", "2026-05-11T00:00:00Z", "2026-05-31T23:59:59.999Z"])
		expect({ date, ...(await patch(date)) }).toMatchObject(refused);
	const end = { cancellationTime: "SPECIFIC_DATE", endDate: "2026-05-20T00:00:00Z", isBackdated: true };
	expect((await ours.call("POST", `/subscriptions/${id}/cancel`, { body: end })).body).toMatchObject(refused);
	expect([await ours.books("child"), await ours.books("parent")]).toEqual(before);
	// June is the parent's. 27 of 30 days of a second seat.
	expect((await patch("2026-06-04T00:00:00Z")).data).toMatchObject({ status: "ACTIVE" });
	expect(await ours.books("child")).toEqual(before[0] ?? []);
	expect((await ours.books("parent")).at(-1)).toBe("2026-06-05: 27 = Unused time: Seats (pro) -27 + 2 Seats (pro) 54");
	expect(ours.transactions.read(ours.actor, (work) => [...checkSubscriptionBills(work)])).toEqual([]);
});

test("in a running period that another customer paid, a change has no earlier date", async () => {
	const { ours, patch } = await family();
	await ours.insist("PATCH", "/customers/child", { billsTo: "SELF" });
	expect(await patch("2026-06-04T00:00:00Z")).toMatchObject({
		code: "InvalidArgumentError",
		message: expect.stringContaining("leave 'effectiveDate' out"),
	});
	expect(await ours.books("parent")).toHaveLength(1);
});
