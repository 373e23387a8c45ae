import { describe, expect, test } from "bun:test";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, type Till, till, used } from "../../billing";

const found = ({ transactions, actor }: Till) => transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

/** A plan of 30.00 a month from 1 April 2026. */
async function selling(body: object = {}, models: readonly object[] = [flat({ month: 30 })]) {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", models);
	const id = await ours.buy("pro", body);
	const cancel = async (more: object = {}) =>
		(
			await ours.call("POST", `/subscriptions/${id}/cancel`, {
				body: { cancellationTime: "SPECIFIC_DATE", endDate: "2026-04-11T00:00:00Z", isBackdated: true, ...more },
			})
		).body;
	return { ours, id, cancel };
}

// Each invoice has a credit note of its own.
const may = "2026-05-05: -30 = Unused time: pro -30";
const april = "2026-05-05: -20 = Unused time: pro -20";

describe("a cancellation dated in the past (1.4)", () => {
	for (const [at, body, books] of [
		["2026-04-21T00:00:00Z", {}, ["2026-04-21: -20 = Unused time: pro -20"]],
		["2026-05-05T00:00:00Z", {}, [may, april]],
		["2026-05-05T00:00:00Z", { prorationMode: "NONE" }, [may]],
		["2026-05-05T00:00:00Z", { prorationMode: "BY_DAY" }, [may, april]],
	] as const)
		test(`credits the time since its date: ${at} ${JSON.stringify(body)}`, async () => {
			const { ours, id, cancel } = await selling(body);
			await ours.advance(at);
			expect((await cancel()).data).toMatchObject({
				status: "CANCELED",
				cancellationDate: "2026-04-11T00:00:00.000Z",
				effectiveEndDate: "2026-04-11T00:00:00.000Z",
			});
			expect((await ours.books()).filter((line) => line.includes(": -")).toSorted()).toEqual([...books].toSorted());
			expect(found(ours)).toEqual([]);
			await ours.advance("2026-07-01T00:00:00Z");
			expect(await ours.books()).toHaveLength(books.length + (at < "2026-05" ? 1 : 2));
			expect((await ours.insist("GET", `/subscriptions/${id}`)).status).toBe("CANCELED");
			expect(found(ours)).toEqual([]);
		});

	test("credits nothing without proration", async () => {
		const { ours, cancel } = await selling();
		await ours.advance("2026-05-05T00:00:00Z");
		await cancel({ prorate: false });
		expect(await ours.books()).toHaveLength(2);
		expect(found(ours)).toEqual([]);
	});

	test("bills usage until its date, and none after it", async () => {
		const { ours, cancel } = await selling({}, [flat({ month: 30 }), used("calls", { month: 0.5 })]);
		await ours.advance("2026-04-21T00:00:00Z");
		await ours.use("calls", 10, "2026-04-05T00:00:00Z");
		await ours.use("calls", 20, "2026-04-15T00:00:00Z");
		await cancel();
		expect((await ours.books()).at(-1)).toBe("2026-04-21: -15 = Unused time: pro -20 + 10 Calls (pro) 5");
		await ours.use("calls", 4, "2026-04-06T00:00:00Z");
		await ours.use("calls", 4, "2026-04-16T00:00:00Z");
		await ours.advance("2026-07-01T00:00:00Z");
		expect((await ours.books()).at(-1)).toContain("4 Calls (pro) 2");
		expect(found(ours)).toEqual([]);
	});

	test("is refused without `isBackdated`, with another time, and before its bounds", async () => {
		const { ours, cancel } = await selling({}, [flat({ month: 30 }), used("calls", { month: 0.5 })]);
		await ours.advance("2026-05-05T00:00:00Z");
		for (const [body, code, said] of [
			[{ isBackdated: false }, "InvalidCancellationDate", "isBackdated"],
			[{ isBackdated: undefined }, "InvalidCancellationDate", "isBackdated"],
			[{ endDate: undefined }, "InvalidCancellationDate", "endDate"],
			[{ cancellationTime: "IMMEDIATE", endDate: undefined }, "InvalidCancellationDate", "SPECIFIC_DATE"],
			[{ endDate: "2026-03-31T00:00:00Z" }, "InvalidArgumentError", "2026-04-01T00:00:00.000Z"],
			[{ isBackdated: "yes" }, "BadUserInput", "isBackdated"],
			[{ prorate: false }, "UnsupportedParameter", "billed until 2026-05-01T00:00:00.000Z"],
		] as const)
			expect({ body, ...(await cancel(body)) }).toMatchObject({ code, message: expect.stringContaining(said) });
		await ours.insist("PATCH", "/environments/current", { booksClosedUntil: "2026-05-03T00:00:00Z" });
		expect(await cancel({ endDate: "2026-05-02T00:00:00Z" })).toMatchObject({
			code: "InvalidArgumentError",
			message: expect.stringContaining("2026-05-03T00:00:00.000Z, until when the books are closed"),
		});
		expect(await ours.books()).toHaveLength(2);
		expect((await cancel({ endDate: "2026-05-03T00:00:00Z" })).data).toMatchObject({ status: "CANCELED" });
		expect(found(ours)).toEqual([]);
	});
});
