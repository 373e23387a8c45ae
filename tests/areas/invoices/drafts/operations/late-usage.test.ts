import { expect, setDefaultTimeout, test } from "bun:test";
import { checkContractBills } from "../../../../../src/areas/contracts/billing/operations.check-cycles";
import { checkRates } from "../../../../../src/areas/invoices/check/operations.rates";
import { checkInvoices } from "../../../../../src/areas/invoices/check/operations.sums";
import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { draftWorld } from "../../../contracts/support";
import { flat, type Till, tiered, till, used } from "../../../subscriptions/billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

async function graceOf(ours: Pick<Till, "call">, days: number): Promise<void> {
	const { body } = await ours.call("GET", "/legal-entities");
	const path = `/legal-entities/${body.data[0].id}`;
	const { status } = await ours.call("PATCH", path, { body: { invoiceGracePeriodDays: days } });
	expect(status).toBe(200);
}

const listOf = async ({ call }: Pick<Till, "call">, query = "") =>
	(await call("GET", `/customers/acme/invoices?limit=100${query}`)).body.data;
const drift = (ours: Pick<Till, "transactions" | "actor">) =>
	ours.transactions.read(ours.actor, (work) => [
		...checkInvoices(work),
		...checkRates(work),
		...checkSubscriptionBills(work),
		...checkContractBills(work),
	]);
const amountsOf = ({ lineItems }: { lineItems: ReadonlyArray<{ amount: number }> }) =>
	lineItems.map(({ amount }) => amount);

async function drafted(price: object, before: number) {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 30 }), price]);
	await graceOf(ours, 3);
	await ours.buy("pro");
	if (before > 0) await ours.use("calls", before);
	await ours.advance("2026-02-02T00:00:00Z");
	const [draft] = await listOf(ours, "&stateIn=DRAFT");
	return { ...ours, draft };
}

test("usage that is reported while it is a draft stands on it when it is issued, and on no other", async () => {
	const ours = await drafted(used("calls", { month: 1 }), 5);
	expect(amountsOf(ours.draft)).toEqual([30, 5]);
	await ours.use("calls", 3, "2026-01-20T00:00:00Z");
	// Usage of the current period.
	await ours.use("calls", 7, "2026-02-01T12:00:00Z");
	await ours.advance("2026-02-05T00:00:00Z");
	const issued = (await listOf(ours)).at(-1);
	expect(issued).toMatchObject({ invoiceId: ours.draft.invoiceId, state: "OPEN", total: 38 });
	expect(amountsOf(issued)).toEqual([30, 5, 3]);
	const explained = await ours.insist("GET", `/customers/acme/invoices/${issued.invoiceId}/lines/3/explain`);
	expect(explained).toMatchObject({ periodStart: "2026-01-01T00:00:00.000Z", periodEnd: "2026-02-01T00:00:00.000Z" });
	expect(explained.steps.at(-1)).toMatchObject({ of: "total", value: 3 });
	expect(drift(ours)).toEqual([]);
	// Later reports are late usage, as ever.
	await ours.use("calls", 2, "2026-01-21T00:00:00Z");
	await ours.advance("2026-03-10T00:00:00Z");
	expect(amountsOf((await listOf(ours)).at(-1)).toSorted((a, b) => a - b)).toEqual([2, 7, 30]);
	expect(drift(ours)).toEqual([]);
});

test("bills the same as if the usage had been there before: tiers continue where they stood, and no earlier usage is needed", async () => {
	const price = tiered("calls", "GRADUATED", [
		[4, 2],
		[null, 1],
	]);
	for (const before of [0, 3, 6]) {
		const ours = await drafted(price, before);
		await ours.use("calls", 9 - before, "2026-01-20T00:00:00Z");
		const path = `/customers/acme/invoices/${ours.draft.invoiceId}/finalize`;
		expect((await ours.call("POST", path)).body.data).toMatchObject({ state: "OPEN", total: 30 + 4 * 2 + 5 });
		expect(drift(ours)).toEqual([]);
		ours.db.$client.close();
	}
});

test("draws on the minimum spend of its own time", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 30 }), used("calls", { month: 1 })]);
	await graceOf(ours, 3);
	await ours.buy("pro", { minimumSpend: { amount: 10, currency: "usd" } });
	await ours.use("calls", 4);
	await ours.advance("2026-02-02T00:00:00Z");
	await ours.use("calls", 8, "2026-01-20T00:00:00Z");
	await ours.advance("2026-02-05T00:00:00Z");
	// 12 were used, 10 of which the minimum of January pays.
	expect((await listOf(ours)).at(-1)).toMatchObject({ state: "OPEN", total: 30 + 10 + 2 });
	expect(drift(ours)).toEqual([]);
});

test("leaves usage of a limit's running year to the next bill, also where new prices and a new term begin together", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	const charges = (price: number) => ({
		pricingModels: [flat({ month: 30 })],
		overagePricingModels: [
			{
				...used("calls", { month: price }),
				entitlement: {
					featureId: "calls",
					usageLimit: 12,
					resetPeriod: "YEAR",
					yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
				},
			},
		],
		term: { months: 1, autoRenew: true, upliftPercentage: 0, upliftsUsage: true },
	});
	const { pricingModels, ...more } = charges(2);
	await ours.plan("pro", pricingModels, more);
	await graceOf(ours, 40);
	const id = await ours.buy("pro");
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.insist("POST", "/plans/pro/draft");
	await ours.insist("PATCH", "/plans/pro", { charges: { pricingType: "PAID", ...charges(3) } });
	await ours.insist("POST", "/plans/pro/publish", { migrationType: "NEW_CUSTOMERS" });
	await ours.insist("POST", `/subscriptions/${id}/migrate`, { subscriptionMigrationTime: "END_OF_BILLING_PERIOD" });
	await ours.advance("2026-03-01T00:00:00Z");
	await ours.use("calls", 23, "2026-02-28T23:59:59.999Z");
	// The draft of 1 February is issued on 13 March, that of 1 April on 11 May.
	await ours.advance("2026-05-12T00:00:00Z");
	expect((await listOf(ours)).map(amountsOf)).toEqual([[30], [30], [30], [30, 33]]);
	expect(drift(ours)).toEqual([]);
});

test("and so on a contract's invoice, which its schedule shows", async () => {
	const here = await draftWorld();
	const feature = { featureType: "NUMBER", meterType: "INCREMENTAL" };
	for (const [method, path, body] of [
		["POST", "/features", { id: "calls", displayName: "Calls", ...feature }],
		[
			"PATCH",
			"/features/calls",
			{
				meter: {
					aggregation: { function: "SUM", field: "n" },
					filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "calls" }] }],
				},
			},
		],
	] as const)
		expect((await here.call(method, path, { body })).status).toBeLessThan(202);
	await graceOf(here, 10);
	const item = {
		name: "Calls",
		externalId: "calls",
		itemName: "calls",
		pricingModelId: "usage-tiered",
		netTerms: 10,
		rows: [{ price: 2 }],
		billingCycleUnit: "monthly",
	};
	const year = { activationStartDate: "2026-02-01T00:00:00.000Z", activationEndDate: "2027-02-01T00:00:00.000Z" };
	const added = await here.call("POST", "/contracts/C-1/billing/items", { body: { items: [item], ...year } });
	expect(added.status).toBe(201);
	expect((await here.call("POST", "/contracts/C-1/billing/publish")).status).toBe(200);
	let events = 0;
	const use = async (n: number, timestamp: string) => {
		events += 1;
		const event = {
			eventName: "calls",
			customerId: "acme",
			idempotencyKey: `e${events}`,
			dimensions: { n },
			timestamp,
		};
		expect((await here.call("POST", "/events", { body: { events: [event] } })).status).toBeLessThan(203);
		here.countUsage();
	};
	await here.advance("2026-02-20T00:00:00Z");
	await use(5, "2026-02-10T00:00:00.000Z");
	await here.advance("2026-03-02T00:00:00Z");
	expect((await listOf(here, "&stateIn=DRAFT"))[0].total).toBe(10);
	await use(4, "2026-02-11T00:00:00.000Z");
	await here.advance("2026-03-12T00:00:00Z");
	const [issued] = await listOf(here);
	expect(issued).toMatchObject({ state: "OPEN", total: 18 });
	expect(amountsOf(issued)).toEqual([10, 8]);
	const { body } = await here.call("GET", "/contracts/C-1/billing/invoice-schedule");
	expect(body.data.invoices[0]).toMatchObject({ state: "OPEN", total: 18 });
	expect(drift(here)).toEqual([]);
	await here.advance("2026-04-20T00:00:00Z");
	expect(await listOf(here)).toHaveLength(1);
	expect(drift(here)).toEqual([]);
});
