import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { checkContracts } from "../../../src/areas/contracts/billing/operations.check";
import { checkInvoices } from "../../../src/areas/invoices/check/operations.sums";
import { runNextDue } from "../../../src/scheduler/sources";
import { withoutNotices } from "../../support/notices";
import { draftWorld, fee, items } from "../contracts/support";
import { flat, till, used } from "../subscriptions/billing";
import { draftsOf, findings, graceOf, listOf, pathOf, sold } from "./drafts/draft-invoices";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

describe("the invoice of a renewal", () => {
	test("is a draft first, without number and dates, and is issued when its grace period ends", async () => {
		const ours = await sold();
		await ours.buy("pro");
		expect(await draftsOf(ours)).toEqual([]);
		await ours.use("calls", 5);
		await ours.call("POST", "/customers/acme/balance/entries", {
			body: { amount: 4, currency: "usd", reason: "Goodwill" },
		});
		await ours.advance("2026-02-02T00:00:00Z");
		const [draft] = await draftsOf(ours);
		expect(draft).toMatchObject({
			invoiceNumber: null,
			issueDate: null,
			dueDate: null,
			state: "DRAFT",
			total: 35,
			lineItems: [{ amount: 30 }, { amount: 5 }],
		});
		expect((await listOf(ours)).map(({ state }: { state: string }) => state)).toEqual(["OPEN"]);
		expect((await ours.call("GET", pathOf(draft))).body.data).toEqual({
			...draft,
			cashDiscount: null,
			creditorReference: null,
			warnings: [
				{ code: "ISSUER_ADDRESS_MISSING", message: expect.any(String) },
				{ code: "ISSUER_TAX_ID_MISSING", message: expect.any(String) },
			],
		});
		const [booked] = (await ours.call("GET", "/invoices?stateIn=DRAFT")).body.data;
		expect(booked).toMatchObject({ amountDue: 0, balanceApplied: 0, finalizeDate: "2026-02-04T00:00:00.000Z" });
		expect(findings(ours)).toEqual([]);
		await ours.advance("2026-02-10T00:00:00Z");
		expect(await draftsOf(ours)).toEqual([]);
		const [, issued] = await listOf(ours);
		expect(issued).toMatchObject({
			invoiceId: draft.invoiceId,
			invoiceNumber: "INV-000002",
			issueDate: "2026-02-04T00:00:00.000Z",
			dueDate: "2026-02-14T00:00:00.000Z",
			state: "OPEN",
			total: 35,
		});
		expect((await ours.call("GET", "/invoices?number=INV-000002")).body.data[0]).toMatchObject({
			balanceApplied: 4,
			amountDue: 31,
			finalizeDate: null,
		});
		expect(findings(ours)).toEqual([]);
	});

	test("is issued once, however often and late the scheduler runs, in the order of due times", async () => {
		const ours = await till("2026-01-01T00:00:00Z", "wall");
		withoutNotices(ours);
		await ours.plan("pro", [flat({ month: 30 })]);
		await graceOf(ours, 40);
		await ours.buy("pro", { billingInformation: { invoiceDaysUntilDue: 14 } });
		ours.clock.at = Date.parse("2026-05-05T00:00:00Z") as typeof ours.clock.at;
		const run = () => {
			const steps = [];
			for (;;) {
				// Undone halfway, as when the process is killed: the next one carries it out whole.
				expect(() =>
					ours.transactions.write(ours.actor, (work) => {
						runNextDue(work, ours.clock.at);
						throw new Error("killed");
					}),
				).toThrow("killed");
				const step = ours.transactions.write(ours.actor, (work) => runNextDue(work, ours.clock.at));
				if (!step) return steps;
				steps.push(Object.keys(step.subject).join());
			}
		};
		const one = ["subscriptionId", "subscriptionId", "invoiceId"];
		expect(run()).toEqual([...one, "subscriptionId", "invoiceId", "subscriptionId"]);
		expect(run()).toEqual([]);
		expect(await ours.books()).toEqual([
			"2026-01-01: 30 = pro 30",
			"2026-03-13: 30 = pro 30",
			"2026-04-10: 30 = pro 30",
		]);
		const dues = (await listOf(ours)).map(({ dueDate }: { dueDate: string }) => dueDate.slice(0, 10));
		expect(dues).toEqual(["2026-01-15", "2026-03-27", "2026-04-24"]);
		expect(await draftsOf(ours)).toHaveLength(2);
		expect(findings(ours)).toEqual([]);
	});

	test("is issued at once where there is no grace period, as are invoices of calls always", async () => {
		const ours = await sold();
		await graceOf(ours, null);
		await ours.buy("pro");
		await ours.advance("2026-02-01T00:00:00Z");
		expect(await ours.books()).toHaveLength(2);
		await graceOf(ours, 5);
		await ours.customer("other");
		await ours.buy("pro", { customerId: "other" });
		expect(await ours.books("other")).toHaveLength(1);
		expect(await ours.insist("GET", "/customers/acme/invoices?stateIn=DRAFT")).toEqual([]);
	});

	test("equals the preview of the next invoice", async () => {
		const ours = await sold();
		const id = await ours.buy("pro");
		const preview = async () =>
			(
				await ours.call("POST", "/graphql", {
					body: {
						query: `mutation { previewNextInvoice(input: {subscriptionId: "${id}"}) { total { amount } issueDate } }`,
					},
				})
			).body;
		const before = await preview();
		expect(before.data.previewNextInvoice.total.amount).toBe(30);
		await ours.advance("2026-02-02T00:00:00Z");
		expect((await preview()).data.previewNextInvoice.total.amount).toBe(30);
		expect(await draftsOf(ours)).toHaveLength(1);
	});
});

describe("a contract's invoices", () => {
	const year = { activationStartDate: "2026-02-01T00:00:00.000Z", activationEndDate: "2027-02-01T00:00:00.000Z" };

	test("are drafts first, which the schedule shows, and issued each once", async () => {
		const here = await draftWorld();
		await graceOf(here, 10);
		await here.call("POST", items, { body: { items: [fee], ...year } });
		await here.call("POST", "/contracts/C-1/billing/publish");
		await here.advance("2026-03-05T00:00:00Z");
		const { body } = await here.call("GET", "/contracts/C-1/billing/invoice-schedule");
		expect(body.data).toMatchObject({ invoiceCount: 12, total: 1200 });
		const shown = body.data.invoices
			.slice(0, 3)
			.map((one: { state: string; invoiceNumber: string | null }) => [one.state, one.invoiceNumber]);
		expect(shown).toEqual([
			["OPEN", "INV-000001"],
			["DRAFT", null],
			["SCHEDULED", null],
		]);
		await here.advance("2027-06-01T00:00:00Z");
		const issued = await listOf(here);
		expect(issued).toHaveLength(12);
		expect(issued[0]).toMatchObject({
			issueDate: "2026-02-11T00:00:00.000Z",
			dueDate: "2026-03-13T00:00:00.000Z",
		});
		expect(here.transactions.read(here.actor, (work) => [...checkContracts(work), ...checkInvoices(work)])).toEqual([]);
	});

	test("are issued before an amendment credits them", async () => {
		const here = await draftWorld();
		await graceOf(here, 10);
		await here.call("POST", items, { body: { items: [fee], ...year } });
		await here.call("POST", "/contracts/C-1/billing/publish");
		await here.advance("2026-02-05T00:00:00Z");
		await here.call("POST", "/contracts/C-1/billing/edit-active", { body: { includeCurrentInvoice: true } });
		await here.call("PATCH", `${items}/fee`, { body: { rows: [{ price: 120 }] } });
		expect((await here.call("POST", "/contracts/C-1/billing/publish")).status).toBe(200);
		const totals = (await listOf(here, "&stateIn=DRAFT,OPEN,PAID")).map((one: { state: string; total: number }) => [
			one.state,
			one.total,
		]);
		expect(totals.toSorted()).toEqual([
			["DRAFT", 120],
			["PAID", 100],
		]);
		expect((await here.call("GET", "/customers/acme/credit-notes")).body.data[0].total).toBe(100);
		expect(here.transactions.read(here.actor, (work) => [...checkContracts(work), ...checkInvoices(work)])).toEqual([]);
	});
});

test("with a grace period everything totals the same as without", async () => {
	const act = fc.record({
		act: fc.constantFrom("pro", "max", "cancel", "use", "pay"),
		days: fc.integer({ min: 0, max: 25 }),
		prorates: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 6 }), fc.constantFrom(1, 9, 45), async (acts, days) => {
			const sums: number[][] = [];
			for (const grace of [null, days]) {
				const ours = await till("2026-01-31T00:00:00Z");
				for (const [id, price] of [
					["pro", 30],
					["max", 60],
				] as const)
					await ours.plan(id, [flat({ month: price }), used("calls", { month: 1 })]);
				await graceOf(ours, grace);
				await ours.buy("pro");
				let now = Date.parse("2026-01-31T00:00:00Z");
				for (const { act, days: later, prorates } of acts) {
					now += later * 86_400_000;
					await ours.advance(new Date(now).toISOString());
					const [running] = await ours.insist("GET", "/subscriptions?customerId=acme&status=ACTIVE");
					if (act === "use") await ours.use("calls", 3);
					else if (act === "pay" && running) await ours.call("POST", `/subscriptions/${running.id}/invoice/paid`);
					else if (act === "cancel" && running)
						await ours.cancel(running.id, { cancellationTime: "IMMEDIATE", prorate: prorates });
					else if (act === "pro" || act === "max") await ours.buy(act, { scheduleStrategy: "IMMEDIATE" });
				}
				await ours.advance("2026-12-15T00:00:00Z");
				for (const draft of await draftsOf(ours)) await ours.call("POST", `${pathOf(draft)}/finalize`);
				const total = (all: ReadonlyArray<{ total: number }>) =>
					all.reduce((sum, one) => sum + Math.round(one.total * 100), 0);
				const notes = (await ours.call("GET", "/customers/acme/credit-notes?limit=100")).body.data;
				sums.push([total(await listOf(ours)) - total(notes)]);
				expect(findings(ours)).toEqual([]);
				ours.db.$client.close();
			}
			expect(sums[1]).toEqual(sums[0] ?? []);
		}),
		{ numRuns: 6 },
	);
});
