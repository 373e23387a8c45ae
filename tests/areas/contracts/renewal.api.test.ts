import { describe, expect, test } from "bun:test";
import { checkContracts } from "../../../src/areas/contracts/billing/operations.check";
import { contractOf, contractWorld, fee, items } from "./support";

const term = { activationStartDate: "2026-02-01T00:00:00Z", activationEndDate: "2026-08-01T00:00:00Z" };
const quarterly = { ...fee, billingCycleUnit: "quarterly" };
const setup = { ...fee, name: "Setup", externalId: "setup", billingCycleUnit: "one_time", rows: [{ price: 500 }] };

async function published(renewal: object | undefined, lines: object[] = [quarterly]) {
	const here = await contractWorld();
	await here.call("POST", "/contracts", { body: contractOf({ ...term, ...(renewal && { renewal }) }) });
	await here.call("POST", items, { body: { items: lines } });
	const { status, body } = await here.call("POST", "/contracts/C-1/billing/publish");
	if (status !== 200) throw new Error(JSON.stringify(body));
	const schedule = async (): Promise<string[]> =>
		(await here.call("GET", "/contracts/C-1/billing/invoice-schedule")).body.data.invoices.map(
			({ issueDate, total }: { issueDate: string; total: number }) => `${issueDate.slice(0, 10)} ${total}`,
		);
	return { ...here, schedule };
}

describe("renewal", () => {
	test("is off by default", async () => {
		const { call, advance, schedule } = await published(undefined, [quarterly, setup]);
		await advance("2028-01-01T00:00:00Z");
		expect(await schedule()).toEqual(["2026-02-01 100", "2026-02-01 500", "2026-05-01 100"]);
		expect((await call("GET", "/contracts/C-1")).body.data).not.toHaveProperty("renewal");
	});

	test("goes on term after term, at prices that rise, from so many days before each end; one-time items do not", async () => {
		const renewal = { autoRenew: true, months: 6, noticePeriodDays: 30, upliftPercentage: 5 };
		const { call, advance, schedule, transactions, actor } = await published(renewal, [quarterly, setup]);
		const before = ["2026-02-01 100", "2026-02-01 500", "2026-05-01 100"];
		await advance("2026-07-01T23:59:59Z");
		expect(await schedule()).toEqual(before);
		await advance("2026-07-02T00:00:00Z");
		expect(await schedule()).toEqual([...before, "2026-08-01 105", "2026-11-01 105"]);
		expect((await call("GET", "/contracts/C-1")).body.data).toMatchObject({
			activationEndDate: "2027-02-01T00:00:00.000Z",
			renewal: { months: 6, noticePeriodDays: 30, upliftPercentage: 5 },
		});
		await advance("2027-03-01T00:00:00Z");
		expect(await schedule()).toEqual([
			...before,
			...["2026-08-01 105", "2026-11-01 105", "2027-02-01 110.25", "2027-05-01 110.25"],
		]);
		expect(transactions.read(actor, checkContracts)).toEqual([]);
		const rows = [{ price: 1 }];
		expect((await call("PATCH", `${items}/fee@2027-02-01`, { body: { rows } })).body.reason).toBe("CONTRACT_NOT_DRAFT");
	});

	test("can be called off until the notice period begins, and agreed later; what is renewed stays so", async () => {
		const { call, advance, schedule } = await published({ autoRenew: true, months: 3, noticePeriodDays: 10 });
		await call("PATCH", "/contracts/C-1", { body: { renewal: { autoRenew: false } } });
		await advance("2026-07-25T00:00:00Z");
		expect(await schedule()).toHaveLength(2);
		await call("PATCH", "/contracts/C-1", { body: { renewal: { autoRenew: true, months: 3 } } });
		await advance("2026-08-01T00:00:00Z");
		expect(await schedule()).toHaveLength(3);
		await call("PATCH", "/contracts/C-1", { body: { renewal: { autoRenew: false } } });
		await advance("2027-08-01T00:00:00Z");
		expect(await schedule()).toEqual(["2026-02-01 100", "2026-05-01 100", "2026-08-01 100"]);
		expect((await call("GET", "/contracts/C-1")).body.data.billingState).toBe("END_BILLING");
		const late = await call("PATCH", "/contracts/C-1", { body: { renewal: { autoRenew: true } } });
		expect(late).toMatchObject({ status: 400, body: { reason: "BILLING_ENDED" } });
	});

	test.each([
		["no word on whether", {}, "autoRenew"],
		["a word for a boolean", { autoRenew: "yes" }, "autoRenew"],
		["a term of nothing", { autoRenew: true, months: 0 }, "months"],
		["a notice too long", { autoRenew: true, noticePeriodDays: 366 }, "noticePeriodDays"],
		["prices that fall", { autoRenew: true, upliftPercentage: -1 }, "upliftPercentage"],
		["an unknown key", { autoRenew: true, price: 1 }, "price"],
	])("%s is refused", async (_, renewal, message) => {
		const { call } = await contractWorld();
		expect(await call("POST", "/contracts", { body: contractOf({ renewal }) })).toMatchObject({
			status: 400,
			body: { code: "BadUserInput", message: expect.stringContaining(message) },
		});
	});

	test("needs a billing half", async () => {
		const { call } = await contractWorld();
		const body = contractOf({ setupBilling: false, renewal: { autoRenew: true } });
		expect((await call("POST", "/contracts", { body })).body.reason).toBe("BILLING_NOT_SET_UP");
		expect((await call("GET", "/contracts/C-1")).status).toBe(404);
	});
});
