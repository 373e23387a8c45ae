import { flat, perUnit, type Till, till } from "../../billing";

/** `pro`, 30 a month and 3 a seat, is bought on the 1st of April; on the 16th half of the month is left, on the 22nd 0.3. */
export async function april(more: { behavior?: string } = {}): Promise<Till & { id: string }> {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 30, year: 300 }), perUnit("seats", { month: 3, year: 30 })]);
	await ours.plan("basic", [flat({ month: 12, year: 120 })]);
	await ours.plan("max", [flat({ month: 60, year: 600 })]);
	await ours.plan("free", []);
	await ours.addon("extra", flat({ month: 6, year: 60 }));
	await ours.addon("other", flat({ month: 9, year: 90 }));
	await ours.addon("setup", flat({ month: 50, year: 50 }, { billingCadence: "ONE_OFF" }));
	const id = await ours.buy("pro", {
		billingPeriod: "MONTHLY",
		...(more.behavior && { billingInformation: { prorationBehavior: more.behavior } }),
	});
	return { ...ours, id };
}

export const purchased = "2026-04-01: 33 = pro 30 + Seats (pro) 3";
