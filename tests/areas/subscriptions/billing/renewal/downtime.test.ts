import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Instant, toIso } from "../../../../../src/kernel/clock";
import type { DueStep } from "../../../../../src/kernel/due";
import { runNextDue } from "../../../../../src/scheduler/sources";
import { withoutNotices } from "../../../../support/notices";
import { flat, type Till, till, used } from "../../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

/** Runs all due steps by the machine's time, one transaction each, as the scheduler's thread does. */
function runDue({ transactions, actor, clock }: Till): DueStep[] {
	const steps: DueStep[] = [];
	for (;;) {
		const step = transactions.write(actor, (work) => runNextDue(work, clock.at));
		if (!step) return steps;
		steps.push(step);
	}
}

const stepsOf = (steps: readonly DueStep[]) =>
	steps.map(
		({ at, subject, failure }) => `${toIso(at).slice(0, 10)} ${Object.values(subject).join()}${failure ? "!" : ""}`,
	);

/** Two customers, monthly from the 31st of January and from the 10th of February; then the server is off. */
async function offSince(february: string): Promise<Till> {
	const ours = await till("2026-01-31T00:00:00Z", "wall");
	withoutNotices(ours);
	await ours.plan("pro", [flat({ month: 10 }), used("calls", { month: 1 })]);
	await ours.customer("b");
	await ours.buy("pro", { id: "first", billingInformation: { invoiceDaysUntilDue: 14 } });
	ours.clock.at = Date.parse("2026-02-10T00:00:00Z") as Instant;
	await ours.buy("pro", { id: "second", customerId: "b" });
	ours.clock.at = Date.parse(february) as Instant;
	await ours.use("calls", 3, "2026-02-11T00:00:00Z");
	return ours;
}

test("a call is rejected during a backlog of years, and can be repeated; the steps run in the background", async () => {
	const ours = await till("2026-01-31T00:00:00Z", "wall");
	withoutNotices(ours);
	await ours.plan("pro", [flat({ month: 10 })]);
	const id = await ours.buy("pro", { id: "first" });
	ours.clock.at = Date.parse("2035-01-31T00:00:00Z") as Instant;
	const rename = () => ours.call("PATCH", `/subscriptions/${id}`, { body: { metadata: { a: "b" } } });
	const refused = await rename();
	expect(refused).toMatchObject({ status: 503, body: { code: null, message: expect.stringContaining("repeat") } });
	expect(refused.headers.get("retry-after")).toBe("1");
	expect(await ours.books()).toHaveLength(1);
	expect(runDue(ours)).toHaveLength(9 * 12);
	expect((await rename()).status).toBe(200);
});

const ofAcme = [
	"2026-01-31: 10 = pro 10",
	"2026-02-28: 13 = pro 10 + 3 Calls (pro) 3",
	"2026-03-31: 14 = pro 10 + 4 Calls (pro) 4",
	"2026-04-30: 10 = pro 10",
];

describe("a server that was off for three months", () => {
	test("bills each period once, in order, with correct dates, and nothing on the next run", async () => {
		const ours = await offSince("2026-02-11T00:00:00Z");
		ours.clock.at = Date.parse("2026-05-09T23:59:59.999Z") as Instant;
		await ours.use("calls", 4, "2026-03-30T23:59:59.999Z");
		expect(stepsOf(runDue(ours))).toEqual([
			"2026-02-28 first",
			"2026-03-10 second",
			"2026-03-31 first",
			"2026-04-10 second",
			"2026-04-30 first",
		]);
		expect(await ours.books()).toEqual(ofAcme);
		expect(await ours.books("b")).toEqual([
			"2026-02-10: 10 = pro 10",
			"2026-03-10: 10 = pro 10",
			"2026-04-10: 10 = pro 10",
		]);
		const invoices = await ours.insist("GET", "/customers/acme/invoices");
		expect(invoices.map(({ dueDate }: { dueDate: string }) => dueDate.slice(0, 10))).toEqual([
			"2026-02-14",
			"2026-03-14",
			"2026-04-14",
			"2026-05-14",
		]);
		expect(numbersOf(ours)).toEqual([1, 2, 3, 4, 5, 6, 7]);
		expect(runDue(ours)).toEqual([]);
		expect(numbersOf(ours)).toEqual([1, 2, 3, 4, 5, 6, 7]);
	});

	test("brings a customer up to date when its call comes first", async () => {
		const ours = await offSince("2026-02-11T00:00:00Z");
		ours.clock.at = Date.parse("2026-05-09T23:59:59.999Z") as Instant;
		await ours.use("calls", 4, "2026-03-30T23:59:59.999Z");
		await ours.change("first", { metadata: { a: "b" } });
		expect(await ours.books()).toEqual(ofAcme);
		expect(await ours.books("b")).toHaveLength(1);
		expect(stepsOf(runDue(ours))).toEqual(["2026-03-10 second", "2026-04-10 second"]);
	});

	test("ends subscriptions at their time, and bills usage until then", async () => {
		const ours = await offSince("2026-02-11T00:00:00Z");
		await ours.cancel("first", { cancellationTime: "SPECIFIC_DATE", endDate: "2026-03-31T12:00:00Z" });
		ours.clock.at = Date.parse("2026-05-09T00:00:00Z") as Instant;
		await ours.use("calls", 4, "2026-03-31T11:59:59.999Z");
		await ours.use("calls", 99, "2026-03-31T12:00:00Z");
		runDue(ours);
		expect(await ours.books()).toEqual([
			"2026-01-31: 10 = pro 10",
			"2026-02-28: 13 = pro 10 + 3 Calls (pro) 3",
			"2026-03-31: 10 = pro 10",
			"2026-03-31T12:00: 4 = 4 Calls (pro) 4",
		]);
	});
});

test("a failing step blocks no other, and is tried again a minute after the attempt at its own time", async () => {
	const ours = await offSince("2026-02-11T00:00:00Z");
	const set = (billingPeriod: string | null) =>
		ours.db.$client.run("UPDATE subscriptions SET billing_period = ? WHERE ref_id = 'first'", [billingPeriod]);
	set(null);
	ours.clock.at = Date.parse("2026-03-10T12:00:00Z") as Instant;
	expect(stepsOf(runDue(ours))).toEqual(["2026-02-28 first!", "2026-03-10 second"]);
	expect(await ours.books()).toEqual(ofAcme.slice(0, 1));
	expect(numbersOf(ours)).toEqual([1, 2, 3]);
	set("MONTHLY");
	expect(runDue(ours)).toEqual([]);
	ours.clock.at = Date.parse("2026-03-10T12:01:00Z") as Instant;
	expect(stepsOf(runDue(ours))).toEqual(["2026-03-10 first"]);
	// Its number and date come after those of the steps that succeeded meanwhile.
	expect(await ours.books()).toEqual(ofAcme.slice(0, 2).map((bill) => bill.replace("2026-02-28", "2026-03-10")));
	expect(numbersOf(ours)).toEqual([1, 2, 3, 4]);
});

const numbersOf = ({ db }: Till) =>
	db.$client
		.query<{ sequence: number }, []>("SELECT sequence FROM invoices ORDER BY rowid")
		.all()
		.map(({ sequence }) => sequence);
