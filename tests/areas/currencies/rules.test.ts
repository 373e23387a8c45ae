import { beforeAll, describe, expect, test } from "bun:test";
import { activeCurrenciesMax, createCurrency, getCurrency } from "../../../src/areas/currencies/operations";
import { type CurrencyAction, type CurrencyState, currencyTransitions } from "../../../src/areas/currencies/rules";
import { longText, type World, world } from "../../support/world";
import { catalogue, maker } from "../packages/catalogue";
import { guard, isRefusal } from "../packages/guards";
import { flat, monthly, paid, perUnit, usage, usd } from "../packages/prices";

const path = "/credits/custom-currencies";
const gold = `${path}/gold`;

guard(
	[
		{ method: "PATCH", path: gold, scope: "CATALOG:WRITE", body: { displayName: "Gold" } },
		{ method: "POST", path: `${gold}/archive`, scope: "CATALOG:WRITE" },
		{ method: "POST", path: `${gold}/unarchive`, scope: "CATALOG:WRITE" },
		{ method: "GET", path: `${gold}/associated-entities`, scope: "CATALOG:READ" },
	],
	async (ours) => {
		await maker(ours).currency("gold");
	},
);

describe("unknown ids", () => {
	let ours: World;
	beforeAll(async () => {
		ours = world();
		await maker(ours).currency("gold");
	});
	const routes = [
		["PATCH", "", { displayName: "Gold" }],
		["POST", "/archive", undefined],
		["POST", "/unarchive", undefined],
		["GET", "/associated-entities", undefined],
	] as const;
	test.each(routes)("%s …%s refuses unknown ids and ids of another environment", async (method, tail, body) => {
		const options = body && { body };
		const unknown = await ours.call(method, `${path}/silver${tail}`, { ...options });
		isRefusal(unknown, 404, "CustomCurrencyNotFound", "'silver'");
		const foreign = await ours.call(method, `${gold}${tail}`, { ...options, key: ours.foreignKey });
		isRefusal(foreign, 404, "CustomCurrencyNotFound", "'gold'");
		for (const id of ["-x", "a%20b", longText(256)])
			isRefusal(await ours.call(method, `${path}/${id}${tail}`, { ...options }), 400, "BadUserInput");
	});
});

const states: readonly CurrencyState[] = ["ACTIVE", "ARCHIVED", "REUSED"];
const actions: readonly CurrencyAction[] = ["use", "update", "archive", "unarchive"];

async function lead(ours: World, state: CurrencyState): Promise<void> {
	if (state === "ACTIVE") return;
	await ours.call("POST", `${gold}/archive`);
	if (state === "REUSED") await maker(ours).currency("gold");
}

const act = ({ call }: World, action: CurrencyAction) => {
	const entitlements = [{ type: "CREDIT", id: "gold", amount: 1, cadence: "MONTH" }];
	if (action === "use") return call("POST", "/plans/pro/entitlements", { body: { entitlements } });
	if (action === "update") return call("PATCH", gold, { body: { displayName: "Other" } });
	return call("POST", `${gold}/${action}`);
};

/** Returns the currencies of an id, as the API shows them. */
async function seen({ call }: World): Promise<CurrencyState | "NONE"> {
	const { data } = (await call("GET", `${path}?status=ACTIVE,ARCHIVED`)).body;
	const active = data.filter(({ archivedAt }: { archivedAt: string | null }) => archivedAt === null).length;
	if (active === 0) return data.length === 0 ? "NONE" : "ARCHIVED";
	return data.length > active ? "REUSED" : "ACTIVE";
}

describe("the states of an id", () => {
	for (const state of states)
		for (const action of actions) {
			const next = currencyTransitions[state][action];
			test(`${state}: ${action} ${typeof next === "string" ? `leads to ${next}` : "is refused"}`, async () => {
				const ours = await catalogue();
				await lead(ours, state);
				expect(await seen(ours)).toBe(state);
				const answer = await act(ours, action);
				if (typeof next === "string") expect(answer.status).toBeLessThan(300);
				else if (action === "use") isRefusal(answer, 404, next.code, "'gold'");
				else isRefusal(answer, next.code === "DuplicatedEntityNotAllowed" ? 409 : 400, next.code, next.because);
				expect(await seen(ours)).toBe(typeof next === "string" ? next : state);
			});
		}
});

describe("PATCH /credits/custom-currencies/{currencyId}", () => {
	test("changes only sent fields; null and the empty text clear", async () => {
		const ours = world();
		const described = { description: "Coins", symbol: "G", units: { singular: "coin", plural: "coins" } };
		await ours.call("POST", path, { body: { id: "gold", displayName: "Gold", metadata: { a: "1" }, ...described } });
		const patch = async (body: object) => (await ours.call("PATCH", gold, { body })).body.data;
		expect(await patch({ displayName: "Golden" })).toMatchObject({ displayName: "Golden", ...described });
		expect(await patch({ description: "", symbol: "" })).toMatchObject({ description: null, symbol: null });
		await patch(described);
		expect(await patch({ description: null, symbol: null, metadata: null })).toMatchObject({
			description: null,
			symbol: null,
			metadata: {},
			units: described.units,
		});
		const units = { singular: "bar", plural: "bars" };
		expect(await patch({ units })).toMatchObject({ units, displayName: "Golden" });
		expect(await patch({})).toMatchObject({ units });
	});

	test.each([
		["a name of null", { displayName: null }, "/displayName"],
		["one unit label alone", { units: { plural: "coins" } }, "/units"],
		["units of null", { units: null }, "/units"],
		["a long symbol", { symbol: longText(65) }, "/symbol"],
		["another id", { id: "silver" }, "id"],
	])("refuses %s", async (_, body, message) => {
		const ours = world();
		await maker(ours).currency("gold");
		isRefusal(await ours.call("PATCH", gold, { body }), 400, "BadUserInput", message);
	});
});

const credit = { type: "CREDIT", id: "gold", amount: 5, cadence: "MONTH" };
const uses: Array<[string, { id: string; type: string }, (ours: World) => Promise<unknown>]> = [
	["a plan grants it", { id: "pro", type: "Plan" }, (ours) => maker(ours).entitle("/plans/pro", credit)],
	["an addon grants it", { id: "extra", type: "Addon" }, (ours) => maker(ours).entitle("/addons/extra", credit)],
	[
		"usage costs it",
		{ id: "pro", type: "Plan" },
		(ours) =>
			maker(ours).charge(
				"/plans/pro",
				paid(usage({ billingModel: "CREDIT_BASED" }, { creditRate: { amount: 1, currencyId: "gold" } })),
			),
	],
	[
		"top-ups of it are sold",
		{ id: "pro", type: "Plan" },
		(ours) =>
			maker(ours).charge("/plans/pro", paid(flat(), perUnit({ featureId: undefined, topUpCustomCurrencyId: "gold" }))),
	],
	[
		"its overage is priced",
		{ id: "pro", type: "Plan" },
		(ours) =>
			maker(ours).charge("/plans/pro", {
				...paid(flat()),
				overagePricingModels: [
					{
						billingModel: "USAGE_BASED",
						currencyId: "gold",
						creditEntitlement: { amount: 1, cadence: "MONTH", customCurrencyId: "gold" },
						pricePeriods: [monthly({ price: usd(1) })],
					},
				],
			}),
	],
];

describe("a currency in use", () => {
	const entities = async ({ call }: World) => (await call("GET", `${gold}/associated-entities`)).body;

	test.each(uses)("%s: its users are listed, and it cannot be archived", async (_, user, use) => {
		const ours = await catalogue();
		expect(await entities(ours)).toEqual({ data: [] });
		await use(ours);
		expect(await entities(ours)).toEqual({ data: [{ ...user, displayName: user.id }] });
		isRefusal(await ours.call("POST", `${gold}/archive`), 400, "IntegrityViolation", `'${user.id}'`);
		expect(await seen(ours)).toBe("ACTIVE");
	});

	test("counts a package once, and no archived package or one of another environment", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		await make.entitle("/plans/pro", credit);
		await make.charge("/plans/pro", { pricingType: "FREE" });
		await make.publish("/plans/pro");
		await ours.call("POST", "/plans/pro/draft");
		expect((await entities(ours)).data).toHaveLength(1);
		await ours.call("DELETE", "/plans/pro/draft");
		await ours.call("POST", "/plans/pro/archive");
		expect(await entities(ours)).toEqual({ data: [] });
		expect((await ours.call("POST", `${gold}/archive`)).body.data.archivedAt).toBe("2026-01-31T00:00:00.000Z");
	});
});

test("unarchiving restores the last archived currency, and is refused in a full environment", async () => {
	const ours = world();
	for (const displayName of ["First", "Second"]) {
		await ours.call("POST", path, { body: { id: "gold", displayName } });
		await ours.call("POST", `${gold}/archive`);
		ours.clock.at = (ours.clock.at + 1000) as typeof ours.clock.at;
	}
	const back = await ours.call("POST", `${gold}/unarchive`);
	expect(back.body.data).toMatchObject({ displayName: "Second", archivedAt: null });
	expect(ours.transactions.read(ours.actor, (work) => getCurrency(work, "gold").displayName)).toBe("Second");
	await ours.call("POST", `${gold}/archive`);
	ours.transactions.write(ours.actor, (work) => {
		for (let at = 0; at < activeCurrenciesMax; at += 1) createCurrency(work, { id: `c${at}`, displayName: "C" });
	});
	isRefusal(await ours.call("POST", `${gold}/unarchive`), 400, "TooManyCustomCurrencies", `${activeCurrenciesMax}`);
});
