import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { runMigration } from "../../../../../src/areas/subscriptions/versions/migrate";
import { claimTask } from "../../../../../src/tasks/operations";
import { flat, perUnit, till, units } from "../../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

const daysOf = (books: readonly string[]) => books.map((text) => text.slice(0, 10));

describe("periods are counted from the anchor", () => {
	test("from the 29th to 31st clamp to the month's last day, through a leap February, without drift", async () => {
		const ours = await till("2027-01-29T00:00:00Z");
		await ours.plan("flat", [flat({ month: 10 })]);
		for (const day of [29, 30, 31]) {
			await ours.advance(`2027-01-${day}T00:00:00Z`);
			await ours.customer(`c${day}`);
			await ours.buy("flat", { customerId: `c${day}` });
		}
		await ours.advance("2029-03-01T00:00:00Z");
		const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
		for (const day of [29, 30, 31]) {
			const expected = [2027, 2028, 2029].flatMap((year) =>
				lengths.map((length, month) => {
					const last = year === 2028 && month === 1 ? 29 : length;
					return `${year}-${String(month + 1).padStart(2, "0")}-${Math.min(day, last)}`;
				}),
			);
			expect(daysOf(await ours.books(`c${day}`))).toEqual(expected.slice(0, 26));
		}
	});

	test("yearly periods return to a 29th of February", async () => {
		const ours = await till("2028-02-29T00:00:00Z");
		await ours.plan("yearly", [flat({ year: 100 })]);
		await ours.buy("yearly");
		await ours.advance("2032-03-01T00:00:00Z");
		expect(daysOf(await ours.books())).toEqual(["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]);
	});

	test("exclude their end: a change in the first millisecond is prorated fully, in the last for a millisecond", async () => {
		const ours = await till("2026-03-01T00:00:00Z");
		// A cent for each of March's 2,678,400,000 milliseconds, and of April's 2,592,000,000.
		await ours.plan("dear", [perUnit("seats", { month: 26_784_000 })]);
		const id = await ours.buy("dear");
		await ours.change(id, units("seats", 2));
		await ours.advance("2026-03-31T23:59:59.999Z");
		await ours.change(id, units("seats", 3));
		await ours.advance("2026-04-01T00:00:00Z");
		await ours.change(id, units("seats", 1));
		expect(await ours.books()).toEqual([
			"2026-03-01: 26784000 = Seats (dear) 26784000",
			"2026-03-01: 26784000 = Unused time: Seats (dear) -26784000 + 2 Seats (dear) 53568000",
			"2026-03-31T23:59:59.999Z: 0.01 = 2 Unused time: Seats (dear) -0.02 + 3 Seats (dear) 0.03",
			"2026-04-01: 80352000 = 3 Seats (dear) 80352000",
			"2026-04-01: -53568000 = 3 Unused time: Seats (dear) -80352000 + Seats (dear) 26784000",
		]);
	});
});

describe("an environment that bills from the first of the month", () => {
	const fromTheFirst = async (start: string) => {
		const ours = await till(start);
		ours.db.$client.run("UPDATE environments SET billing_anchor = 'START_OF_THE_MONTH' WHERE id = ?", [
			ours.environmentId,
		]);
		return ours;
	};

	test("charges and credits a partial first period by its part of the month", async () => {
		const ours = await fromTheFirst("2026-01-16T12:00:00Z");
		await ours.plan("pro", [flat({ month: 31 }), flat({ month: 7 }, { billingCadence: "ONE_OFF" })]);
		const id = await ours.buy("pro");
		await ours.advance("2026-02-15T00:00:00Z");
		await ours.cancel(id);
		await ours.advance("2026-04-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-01-16T12:00: 22.5 = pro 15.5 + pro 7",
			"2026-02-01: 31 = pro 31",
			"2026-02-15: -15.5 = Unused time: pro -15.5",
		]);
	});

	test("counts another billing period from the first too, with a partial first period", async () => {
		const ours = await fromTheFirst("2026-03-01T00:00:00Z");
		await ours.plan("pro", [flat({ month: 31, year: 365 })]);
		const id = await ours.buy("pro", { billingPeriod: "MONTHLY" });
		await ours.advance("2026-03-11T00:00:00Z");
		const { data } = (await ours.call("PATCH", `/subscriptions/${id}`, { body: { billingPeriod: "ANNUALLY" } })).body;
		expect([data.currentBillingPeriodStart, data.currentBillingPeriodEnd]).toEqual([
			"2026-03-01T00:00:00.000Z",
			"2027-03-01T00:00:00.000Z",
		]);
		await ours.advance("2027-03-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-03-01: 31 = pro 31",
			"2026-03-11: 334 = Unused time: pro -21 + pro 355",
			"2027-03-01: 365 = pro 365",
		]);
	});

	test("counts from the first when a publication starts to charge", async () => {
		const ours = await fromTheFirst("2026-04-01T00:00:00Z");
		await ours.plan("grows", []);
		await ours.buy("grows");
		await ours.advance("2026-04-16T00:00:00Z");
		const charges = { pricingType: "PAID", pricingModels: [flat({ month: 30 })] };
		await ours.insist("POST", "/plans/grows/draft");
		await ours.insist("PATCH", "/plans/grows", { charges });
		await ours.insist("POST", "/plans/grows/publish", { migrationType: "ALL_CUSTOMERS" });
		const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["MIGRATE_SUBSCRIPTIONS"]));
		if (!task) throw new Error("there is a task");
		await runMigration(ours.thread, task);
		await ours.advance("2026-05-02T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-04-16: 15 = grows 15", "2026-05-01: 30 = grows 30"]);
	});

	test("prorates a change in the first period by the whole month", async () => {
		const ours = await fromTheFirst("2026-04-11T00:00:00Z");
		await ours.plan("pro", [perUnit("seats", { month: 30 })]);
		const id = await ours.buy("pro");
		await ours.advance("2026-04-21T00:00:00Z");
		await ours.change(id, units("seats", 2));
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-11: 20 = Seats (pro) 20",
			"2026-04-21: 10 = Unused time: Seats (pro) -10 + 2 Seats (pro) 20",
			"2026-05-01: 60 = 2 Seats (pro) 60",
		]);
	});
});

test("a trial is charged from its end, which anchors its periods", async () => {
	const ours = await till("2026-01-17T00:00:00Z");
	await ours.plan("pro", [flat({ month: 20 })]);
	await ours.buy("pro", { trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-01-31T00:00:00Z" } });
	await ours.advance("2026-03-31T00:00:00Z");
	expect(await ours.books()).toEqual(["2026-01-31: 20 = pro 20", "2026-02-28: 20 = pro 20", "2026-03-31: 20 = pro 20"]);
});

describe("a start in the past", () => {
	test("is charged from the next period on, and a change before then for its difference", async () => {
		const ours = await till("2026-04-11T00:00:00Z");
		await ours.plan("pro", [flat({ month: 30 }), perUnit("seats", { month: 3 })]);
		const id = await ours.buy("pro", { startDate: "2026-03-01T00:00:00Z" });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, units("seats", 3));
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-16: 3 = Unused time: Seats (pro) -1.5 + 3 Seats (pro) 4.5",
			"2026-05-01: 39 = pro 30 + 3 Seats (pro) 9",
		]);
	});

	test("credits nothing that was not charged, neither at an end nor for a free plan", async () => {
		const ours = await till("2026-04-11T00:00:00Z");
		await ours.plan("pro", [flat({ month: 30 })]);
		await ours.plan("free", []);
		await ours.customer("ends");
		await ours.buy("pro", { startDate: "2026-04-01T00:00:00Z" });
		const id = await ours.buy("pro", { startDate: "2026-04-01T00:00:00Z", customerId: "ends" });
		await ours.buy("free");
		await ours.cancel(id);
		await ours.advance("2026-06-01T00:00:00Z");
		expect(await ours.books()).toEqual([]);
		expect(await ours.books("ends")).toEqual([]);
	});

	test("is charged for the running period if the caller backdates it", async () => {
		const ours = await till("2026-04-11T00:00:00Z");
		await ours.plan("pro", [flat({ month: 30 })]);
		await ours.buy("pro", { startDate: "2026-03-05T00:00:00Z", billingInformation: { isBackdated: true } });
		await ours.advance("2026-05-05T00:00:00Z");
		expect(await ours.books()).toEqual(["2026-04-11: 30 = pro 30", "2026-05-05: 30 = pro 30"]);
	});
});
