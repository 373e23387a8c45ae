import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { consumeFromWallets } from "../../../../src/areas/credits/operations.consume";
import { creditWallets } from "../../../../src/areas/credits/table";
import { importItem, salesOf } from "../../../../src/areas/subscriptions/import/item";
import { openLog } from "../../../../src/http/log";
import type { Instant } from "../../../../src/kernel/clock";
import type { Decimal } from "../../../../src/kernel/decimal";
import { CatchUp } from "../../../../src/scheduler/catch-up";
import { type World, world } from "../../../support/world";
import { maker, seats } from "../../packages/catalogue";
import { provision } from "../shop";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

const usd = (amount: number) => ({ amount, currency: "usd" });
const flat = (monthly: number) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: [
		{ billingPeriod: "MONTHLY", price: usd(monthly) },
		{ billingPeriod: "ANNUALLY", price: usd(monthly * 10) },
	],
});
const perUnit = (of: object, creditGrantCadence?: string) => ({
	billingModel: "PER_UNIT",
	...of,
	pricePeriods: ["MONTHLY", "ANNUALLY"].map((billingPeriod) => ({
		billingPeriod,
		price: usd(1),
		...(creditGrantCadence && { creditGrantCadence }),
	})),
});
const tokens = (amount: number, more: object = {}) => ({
	type: "CREDIT",
	id: "tokens",
	amount,
	cadence: "MONTH",
	...more,
});

/**
 * The plans `basic` (100 tokens a month), `pro` (1000), `none`, `yearly` (500 a year), `team` (10 a month for each seat) and
 * `shop` (tokens are bought by the unit: with each billing period, or `monthly`, or once); the addons `extra` (30 a month) and
 * `instead` (7 a month in place of the plan's); the customer `acme`.
 */
async function sold(): Promise<World> {
	const w = world();
	const make = maker(w);
	await make.product();
	await make.feature("seats", seats);
	await make.currency("tokens");
	await make.currency("coins");
	await make.currency("gems");
	for (const [id, entitlement] of [
		["extra", tokens(30)],
		["instead", tokens(7, { behavior: "Override" })],
	] as const) {
		await make.addon(id);
		await make.entitle(`/addons/${id}`, entitlement);
		await make.charge(`/addons/${id}`, { pricingType: "PAID", pricingModels: [flat(1)] });
		await make.publish(`/addons/${id}`);
	}
	const plan = async (id: string, models: object[], ...entitlements: object[]) => {
		await make.plan(id);
		if (entitlements.length > 0) await make.entitle(`/plans/${id}`, ...entitlements);
		await make.charge(`/plans/${id}`, { pricingType: "PAID", pricingModels: models });
		await w.call("PATCH", `/plans/${id}`, { body: { compatibleAddonIds: ["extra", "instead"] } });
		await make.publish(`/plans/${id}`);
	};
	await plan("none", [flat(5)]);
	await plan("basic", [flat(10)], tokens(100));
	await plan("pro", [flat(20)], tokens(1000));
	await plan("yearly", [flat(20)], tokens(500, { cadence: "YEAR" }));
	await plan(
		"team",
		[flat(20), perUnit({ featureId: "seats" })],
		{ type: "FEATURE", id: "seats", usageLimit: 1 },
		tokens(10, { dependencyFeatureId: "seats" }),
	);
	await plan("shop", [
		flat(1),
		perUnit({ topUpCustomCurrencyId: "tokens" }),
		perUnit({ topUpCustomCurrencyId: "coins" }, "MONTHLY"),
		perUnit({ topUpCustomCurrencyId: "gems", billingCadence: "ONE_OFF" }),
	]);
	await w.call("POST", "/customers", { body: { id: "acme" } });
	return w;
}

/** The grants in order: `amount currency source from till`, with the days of the period. */
const granted = ({ db }: World): string[] =>
	db.$client
		.query<Record<"amount" | "currency" | "source" | "start" | "end" | "resource", string>, []>(
			`SELECT g.amount, c.ref_id AS currency, coalesce(g.source_type, g.grant_type) AS source, g.resource_ref AS resource,
				strftime('%Y-%m-%d', g.effective_at / 1000, 'unixepoch') AS start,
				coalesce(strftime('%Y-%m-%d', g.expire_at / 1000, 'unixepoch'), 'for good') AS end
			FROM credit_grants g JOIN credit_wallets w ON w.id = g.wallet_id JOIN custom_currencies c ON c.id = w.currency_id
			WHERE g.grant_type = 'RECURRING' ORDER BY g.effective_at, g.rowid`,
		)
		.all()
		.map(({ amount, currency, source, start, end, resource }) =>
			`${amount} ${currency} ${source.replace("_ENTITLEMENT", "").toLowerCase()} ${start} ${end} ${resource}`.trim(),
		);

/** The wallet of one currency: the credits of its active grants. */
const balance = ({ db }: World, currency = "tokens", resource = ""): string =>
	db.$client
		.query<{ active: string }, [string, string]>(
			"SELECT w.active_amount AS active FROM credit_wallets w JOIN custom_currencies c ON c.id = w.currency_id WHERE c.ref_id = ? AND w.resource_ref = ?",
		)
		.get(currency, resource)?.active ?? "none";

const change = async (w: World, id: string, body: object) => {
	const answer = await w.call("PATCH", `/subscriptions/${id}`, { body });
	if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
};

describe("credits that a plan grants", () => {
	test("come for three years, each month once, from the 31st to each month's last day; none is carried over", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, { planId: "basic", billingPeriod: "MONTHLY" });
		expect(granted(w)).toEqual(["100 tokens plan 2026-01-31 2026-02-28"]);
		expect(balance(w)).toBe("100");
		const { failures } = await w.advance("P3Y");
		expect(failures).toBeUndefined();
		const periods = granted(w).map((line) => line.split(" "));
		expect(periods).toHaveLength(37);
		expect(periods.map(([amount]) => amount)).toEqual(Array.from({ length: 37 }, () => "100"));
		expect(periods.slice(0, 4).map(([, , , start, end]) => `${start} ${end}`)).toEqual([
			"2026-01-31 2026-02-28",
			"2026-02-28 2026-03-31",
			"2026-03-31 2026-04-30",
			"2026-04-30 2026-05-31",
		]);
		expect(periods.find(([, , , start]) => start === "2028-02-29")?.[4]).toBe("2028-03-31");
		for (const [at, [, , , , end]] of periods.entries()) expect(periods[at + 1]?.[3] ?? end).toBe(end ?? "");
		expect(balance(w)).toBe("100");
	});

	test("come the same in one leap as in many small ones, and after a downtime each at its own time", async () => {
		const leap = await sold();
		const small = await sold();
		const off = await sold();
		for (const w of [leap, small]) await w.advance("2026-01-31T00:00:00Z");
		for (const w of [leap, small, off]) await provision(w, { planId: "basic", billingPeriod: "ANNUALLY" });
		await leap.advance("2026-06-20T00:00:00Z");
		for (let day = 9; day < 141; day += 9) await small.advance("P9D");
		await small.advance("2026-06-20T00:00:00Z");
		off.clock.at = Date.UTC(2026, 5, 20) as Instant;
		for (let times = 0; times < 2; times += 1) await new CatchUp({ ...off.thread, log: openLog("silent") }).run();
		// Each month, though it is billed by the year.
		expect(granted(leap)).toHaveLength(5);
		expect(granted(small)).toEqual(granted(leap));
		expect(granted(off)).toEqual(granted(leap));
	});

	test("come each year where they are by the year, also when it is billed by the month", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, { planId: "yearly", billingPeriod: "MONTHLY" });
		await w.advance("P14M");
		expect(granted(w)).toEqual(["500 tokens plan 2026-01-31 2027-01-31", "500 tokens plan 2027-01-31 2028-01-31"]);
	});

	test("come in a trial, and with the period that is paid for from its end", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, {
			planId: "basic",
			billingPeriod: "MONTHLY",
			trialOverrideConfiguration: {
				isTrial: true,
				trialEndDate: "2026-02-10T00:00:00Z",
				trialEndBehavior: "CONVERT_TO_PAID",
			},
		});
		expect(granted(w)).toEqual(["100 tokens plan 2026-01-31 2026-02-28"]);
		await w.advance("2026-03-11T00:00:00Z");
		expect(granted(w)).toEqual([
			"100 tokens plan 2026-01-31 2026-02-28",
			"100 tokens plan 2026-02-10 2026-03-10",
			"100 tokens plan 2026-03-10 2026-04-10",
		]);
	});

	test("begin with a subscription that begins later, or when it is paid", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, { planId: "basic", billingPeriod: "MONTHLY", startDate: "2026-02-15T00:00:00Z" });
		expect(granted(w)).toEqual([]);
		await w.advance("2026-02-15T00:00:00Z");
		expect(granted(w)).toEqual(["100 tokens plan 2026-02-15 2026-03-15"]);
		await w.call("POST", "/customers", { body: { id: "other" } });
		await provision(w, {
			id: "unpaid",
			customerId: "other",
			planId: "pro",
			billingPeriod: "MONTHLY",
			awaitPaymentConfirmation: true,
		});
		expect(granted(w)).toHaveLength(1);
		expect((await w.call("POST", "/subscriptions/unpaid/invoice/paid")).status).toBe(200);
		expect(granted(w).slice(1)).toEqual(["1000 tokens plan 2026-02-15 2026-03-15"]);
	});

	test("stay to the end of their period when it ends, and none follow", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, { id: "sub", planId: "basic", billingPeriod: "MONTHLY" });
		await w.advance("2026-02-10T00:00:00Z");
		await w.call("POST", "/subscriptions/sub/cancel", { body: { cancellationTime: "IMMEDIATE" } });
		expect(balance(w)).toBe("100");
		await w.advance("2026-02-28T00:00:00Z");
		expect(balance(w)).toBe("0");
		await w.advance("P1Y");
		expect(granted(w)).toHaveLength(1);
	});

	test("end with the period at whose end it is cancelled", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, { id: "sub", planId: "basic", billingPeriod: "MONTHLY" });
		await w.call("POST", "/subscriptions/sub/cancel", { body: { cancellationTime: "END_OF_BILLING_PERIOD" } });
		await w.advance("P1Y");
		expect(granted(w)).toHaveLength(1);
	});
});

describe("credits of a subscription that changes", () => {
	test("a larger plan adds the difference at once; a smaller one takes nothing back, and going to and fro gives nothing", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		const sell = (planId: string) => provision(w, { planId, billingPeriod: "MONTHLY", scheduleStrategy: "IMMEDIATE" });
		await sell("basic");
		await w.advance("2026-02-10T00:00:00Z");
		await sell("pro");
		const upgraded = ["100 tokens plan 2026-01-31 2026-02-28", "900 tokens plan 2026-02-10 2026-02-28"];
		expect(granted(w)).toEqual(upgraded);
		for (const planId of ["none", "pro", "basic", "pro"]) await sell(planId);
		expect(granted(w)).toEqual(upgraded);
		expect(balance(w)).toBe("1000");
		await sell("basic");
		await w.advance("2026-03-01T00:00:00Z");
		expect(granted(w)).toEqual([...upgraded, "100 tokens plan 2026-02-28 2026-03-31"]);
		expect(balance(w)).toBe("100");
	});

	test("an addon grants times its quantity; more of it adds the difference, and none takes nothing back", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, {
			id: "sub",
			planId: "basic",
			billingPeriod: "MONTHLY",
			addons: [{ id: "extra", quantity: 2 }],
		});
		const first = ["100 tokens plan 2026-01-31 2026-02-28", "60 tokens addon 2026-01-31 2026-02-28"];
		expect(granted(w)).toEqual(first);
		await w.advance("2026-02-10T00:00:00Z");
		await change(w, "sub", { addons: [{ id: "extra", quantity: 3 }] });
		expect(granted(w).slice(2)).toEqual(["30 tokens addon 2026-02-10 2026-02-28"]);
		await change(w, "sub", { addons: [] });
		await change(w, "sub", { addons: [{ id: "extra", quantity: 3 }] });
		await change(w, "sub", { addons: [] });
		expect(granted(w)).toHaveLength(3);
		expect(balance(w)).toBe("190");
		await w.advance("2026-02-28T00:00:00Z");
		expect(granted(w).slice(3)).toEqual(["100 tokens plan 2026-02-28 2026-03-31"]);
	});

	test("an addon that overrides takes the place of what the plan grants", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, {
			planId: "basic",
			billingPeriod: "MONTHLY",
			addons: [
				{ id: "extra", quantity: 2 },
				{ id: "instead", quantity: 1 },
			],
		});
		expect(granted(w)).toEqual(["7 tokens addon 2026-01-31 2026-02-28"]);
	});

	test("pooled seats grant for each seat: a new one at once, one less from the next period on", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		const units = (quantity: number) => ({ charges: [{ type: "FEATURE", id: "seats", quantity }] });
		await provision(w, { id: "sub", planId: "team", billingPeriod: "MONTHLY", ...units(3) });
		await w.advance("2026-02-10T00:00:00Z");
		await change(w, "sub", units(5));
		await change(w, "sub", { ...units(2), scheduleStrategy: "IMMEDIATE" });
		await w.advance("2026-02-28T00:00:00Z");
		expect(granted(w)).toEqual([
			"30 tokens plan 2026-01-31 2026-02-28",
			"20 tokens plan 2026-02-10 2026-02-28",
			"20 tokens plan 2026-02-28 2026-03-31",
		]);
	});

	test("the subscription's own grants are added", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, {
			planId: "basic",
			billingPeriod: "MONTHLY",
			entitlements: [{ type: "CREDIT", id: "tokens", amount: 5, cadence: "MONTH" }],
		});
		expect(granted(w)).toEqual(["105 tokens plan 2026-01-31 2026-02-28"]);
	});

	test("a newer version adds its difference when it is migrated to", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, { id: "sub", planId: "basic", billingPeriod: "MONTHLY" });
		await w.call("POST", "/plans/basic/draft");
		const edited = await w.call("PATCH", "/plans/basic/entitlements/tokens", { body: { type: "CREDIT", amount: 150 } });
		expect(edited.status).toBe(200);
		await maker(w).publish("/plans/basic");
		expect(granted(w)).toHaveLength(1);
		await w.call("POST", "/subscriptions/sub/migrate", { body: { subscriptionMigrationTime: "IMMEDIATE" } });
		expect(granted(w).slice(1)).toEqual(["50 tokens plan 2026-01-31 2026-02-28"]);
	});

	test("an import grants the period that runs, and done twice nothing more", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		const item = {
			id: "old",
			customerId: "acme",
			planId: "basic",
			billingPeriod: "MONTHLY",
			startDate: "2025-06-20T00:00:00Z",
		} as const;
		for (let times = 0; times < 2; times += 1)
			w.transactions.write(w.actor, (work) => importItem(work, item, salesOf(work)));
		expect(granted(w)).toEqual(["100 tokens plan 2026-01-31 2026-02-20"]);
		await w.advance("2026-02-20T00:00:00Z");
		expect(granted(w).slice(1)).toEqual(["100 tokens plan 2026-02-20 2026-03-20"]);
	});
});

describe("credits of a subscription of one resource", () => {
	test("are that resource's; what is left of them goes along when it is moved, and the next come there", async () => {
		const w = await sold();
		expect((await w.call("PATCH", "/products/app", { body: { multipleSubscriptions: true } })).status).toBe(200);
		await w.advance("2026-01-31T00:00:00Z");
		await provision(w, { id: "sub", planId: "basic", billingPeriod: "MONTHLY", resourceId: "a" });
		const [wallet] = w.transactions.read(w.actor, (work) => work.tx.select().from(creditWallets).all());
		if (!wallet) throw new Error("There is no wallet.");
		w.transactions.write(w.actor, (work) =>
			consumeFromWallets(work, [
				{
					wallet,
					amount: "30" as Decimal,
					at: work.now,
					featureId: null,
					eventId: "once",
					dimensions: null,
				},
			]),
		);
		for (const destinationResourceId of ["b", "b"])
			expect((await w.call("POST", "/subscriptions/sub/transfer", { body: { destinationResourceId } })).status).toBe(
				200,
			);
		expect([balance(w, "tokens", "a"), balance(w, "tokens", "b")]).toEqual(["0", "70"]);
		await w.advance("2026-03-01T00:00:00Z");
		expect(granted(w)).toEqual([
			"100 tokens plan 2026-01-31 2026-02-28 a",
			"70 tokens plan 2026-01-31 2026-02-28 b",
			"100 tokens plan 2026-02-28 2026-03-31 b",
		]);
	});
});

describe("credits that are bought by the unit", () => {
	const bought = (of: Record<string, number>) => ({
		charges: Object.entries(of).map(([id, quantity]) => ({ type: "CREDIT", id, quantity })),
	});

	test("come with each billing period, or each month where their price says so, or once; the whole quantity each time", async () => {
		const w = await sold();
		await w.advance("2026-01-31T00:00:00Z");
		const body = { id: "sub", planId: "shop", billingPeriod: "ANNUALLY", ...bought({ tokens: 40, coins: 3, gems: 9 }) };
		await provision(w, body);
		await w.advance("2027-01-31T00:00:00Z");
		const of = (currency: string) => granted(w).filter((line) => line.includes(` ${currency} `));
		expect(of("tokens")).toEqual(["40 tokens price 2026-01-31 2027-01-31", "40 tokens price 2027-01-31 2028-01-31"]);
		expect(of("gems")).toEqual(["9 gems price 2026-01-31 for good"]);
		expect(of("coins")).toHaveLength(13);
		expect(of("coins")[1]).toBe("3 coins price 2026-02-28 2026-03-31");
		await change(w, "sub", { ...bought({ tokens: 45, coins: 3, gems: 11 }), scheduleStrategy: "IMMEDIATE" });
		expect(of("tokens").at(-1)).toBe("5 tokens price 2027-01-31 2028-01-31");
		expect(of("gems").at(-1)).toBe("2 gems price 2027-01-31 for good");
		expect(of("coins")).toHaveLength(13);
	});
});
