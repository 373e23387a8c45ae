import { expect, setDefaultTimeout, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { invoiceLines } from "../../../../../../src/areas/invoices/table";
import { applied, shop } from "../../../../coupons/operations/shop";
import { flat, used } from "../../../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

/** Two bills of one window: 300 of 500 units are free, then 200. */
async function billedTwice() {
	const ours = await shop();
	await ours.createCoupon("gift", { freeUnits: [{ featureId: "calls", quantity: 500 }] });
	await ours.plan("pro", [flat({ month: 10 }), used("calls", { month: 1 })]);
	const id = await ours.buy("pro", applied("gift"));
	for (const [at, n] of [300, 250].entries()) {
		await ours.use("calls", n);
		await ours.advance(`2026-04-${10 + at}T00:00:00Z`);
		await ours.chargeUsage(id);
	}
	return ours;
}

type Shop = Awaited<ReturnType<typeof billedTwice>>;

/** Plants other free units in the line that has used so many of them. */
const inLines = (free: string, changed: object | undefined) => (ours: Shop) => {
	for (const { basis, invoiceId, position } of ours.db.select().from(invoiceLines).all()) {
		const [own] = basis?.freeUnits ?? [];
		if (!basis || own?.used !== free) continue;
		const { freeUnits: _, ...rest } = basis;
		const planted = changed ? { ...rest, freeUnits: [{ ...own, ...changed }] } : rest;
		const line = and(eq(invoiceLines.invoiceId, invoiceId), eq(invoiceLines.position, position));
		ours.db.update(invoiceLines).set({ basis: planted }).where(line).run();
	}
};
const run = (statement: string) => (ours: Shop) => ours.db.$client.run(statement);
const ofWindow = (path: string, value: string) =>
	run(`UPDATE charge_periods SET usage_state = json_set(usage_state, '$.freeUnits[0].${path}', '${value}')
		WHERE usage_state LIKE '%freeUnits%' AND revision = 1`);

test.each([
	["a window that counts other free units as used", ofWindow("used", "400"), "gift 400 free units count as used"],
	["a window with more than its coupon gives", ofWindow("quantity", "900"), "900 free units"],
	["free units that no window counts", run("UPDATE charge_periods SET usage_state = NULL"), "no free units count"],
	["a coupon with other terms", run("UPDATE coupons SET free_units = NULL"), "the coupon gift gives 0"],
	["a line that makes more units free", inLines("300", { used: "350" }), "makes gift 0 to 350 of 500 units free"],
	["a line that counts units free twice", inLines("500", { before: "0" }), "makes gift 0 to 500 of 500 units free"],
	["a line without its free units", inLines("500", undefined), "makes no units free"],
	[
		"a coupon that gave less",
		run(`UPDATE coupons SET free_units = '[{"featureId":"calls","quantity":"400"}]'`),
		"gives 400",
	],
])("the check finds %s", async (_, plant, finding) => {
	const ours = await billedTwice();
	expect(ours.faults()).toEqual([]);
	plant(ours);
	expect(ours.faults().join("\n")).toContain(finding);
});
