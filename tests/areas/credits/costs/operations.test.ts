import { expect, setDefaultTimeout, test } from "bun:test";
import { ResolvedCache } from "../../../../src/areas/entitlements/operations.remembered";
import { type EntitlementUpdate, Watched } from "../../../../src/areas/entitlements/stream/watched";
import type { Instant } from "../../../../src/kernel/clock";
import { data } from "../../../graphql/ask";
import { maker } from "../../packages/catalogue";
import { studio } from "../charging/studio";

setDefaultTimeout(60_000);

/** The studio, whose customer `acme` has 100 `gold` of its plan. */
async function ground() {
	const ours = await studio();
	const insist = async (method: string, path: string, body?: object) => {
		const answer = await ours.call(method, path, { ...(body && { body }) });
		if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
		return answer.body.data;
	};
	const { usageLimit } = await insist("GET", "/customers/acme/entitlements/check?currencyId=gold");
	expect(usageLimit).toBe(100);
	return {
		...ours,
		insist,
		check: (query: string, customer = "acme") =>
			insist("GET", `/customers/${customer}/entitlements/check?featureId=${query}`),
		spend: (amount: number, customerId = "acme") =>
			insist("POST", "/credits/consumption", {
				customerId,
				currencyId: "gold",
				amount,
				idempotencyKey: `${Math.random()}`,
			}),
		grant: (amount: number, more: object = {}) =>
			insist("POST", "/credits/grants", {
				customerId: "acme",
				currencyId: "gold",
				displayName: "Pack",
				grantType: "PROMOTIONAL",
				amount,
				...more,
			}),
	};
}

const denied = { isGranted: false, accessDeniedReason: "InsufficientCredits" };
const granted = { isGranted: true, accessDeniedReason: null };
const perImage = { amount: 2, currencyId: "gold", costFormula: null };

test("grants a use whose credits the balance covers, and shows the rate", async () => {
	const ours = await ground();
	await ours.insist("POST", "/usage", { usages: [{ customerId: "acme", featureId: "pages", value: 50 }] });
	// 97 are left. A started block of pages is paid, so 50 more cost nothing.
	for (const [query, answer] of [
		["images", granted],
		["images&requestedUsage=48", granted],
		["images&requestedUsage=49", denied],
		["pages&requestedUsage=50", granted],
		["pages&requestedUsage=3250", granted],
		["pages&requestedUsage=3251", denied],
		["calls&requestedUsage=194", granted],
		["calls&requestedUsage=195", denied],
		// The event decides what tokens cost.
		["tokens&requestedUsage=1000000", granted],
	] as const)
		expect({ query, answer: await ours.check(query) }).toMatchObject({ query, answer });
	expect(await ours.check("images")).toMatchObject({ creditRate: perImage });
	expect((await ours.check("tokens")).creditRate).toEqual({
		amount: 1,
		currencyId: "gold",
		costFormula: "(input + 4 * output) / 1000",
	});
	expect(await ours.check("free")).not.toHaveProperty("creditRate");
});

test("denies every use that costs credits when the balance is zero", async () => {
	const ours = await ground();
	await ours.spend(100);
	for (const query of ["images", "images&requestedUsage=0", "pages", "tokens", "calls", "bytes", "peak"])
		expect({ query, answer: await ours.check(query) }).toMatchObject({ query, answer: denied });
	expect(await ours.check("free")).toMatchObject(granted);
	expect(await ours.check("images")).toMatchObject({ creditRate: perImage, currentUsage: 0 });
	const { entitlements } = await ours.insist("GET", "/customers/acme/entitlements");
	const listed = entitlements.find(({ feature }: { feature?: { id: string } }) => feature?.id === "images");
	expect(listed).toMatchObject({ ...denied, creditRate: perImage });
});

test("a soft limit of the credits grants beyond the balance", async () => {
	const ours = await ground();
	const make = maker(ours);
	await make.plan("soft");
	await make.entitle(
		"/plans/soft",
		{ type: "CREDIT", id: "gold", amount: 1, cadence: "MONTH", hasSoftLimit: true },
		{ type: "FEATURE", id: "images" },
	);
	await make.charge("/plans/soft", {
		pricingType: "PAID",
		pricingModels: [
			{
				billingModel: "CREDIT_BASED",
				featureId: "images",
				pricePeriods: [{ billingPeriod: "MONTHLY", creditRate: { amount: 2, currencyId: "gold" } }],
			},
		],
	});
	await make.publish("/plans/soft");
	await ours.insist("POST", "/subscriptions", { customerId: "new", planId: "soft" });
	await ours.spend(5, "new");
	expect(await ours.check("images&requestedUsage=9", "new")).toMatchObject({ ...granted, creditRate: perImage });
	const { explanation } = await ours.check("images&explain=true", "new");
	expect(explanation.useCost).toEqual({ currencyId: "gold", cost: 2, balance: -4, hasSoftLimit: true });
	expect(explanation.text).toContain("The limit of the credits is soft");
});

test("a repeated check is decided again after a consumption, a grant, and the expiry of a grant", async () => {
	const ours = await ground();
	const twice = async () => {
		const answer = await ours.check("images");
		expect(await ours.check("images")).toEqual(answer);
		return answer;
	};
	expect(await twice()).toMatchObject(granted);
	await ours.spend(99);
	expect(await twice()).toMatchObject(denied);
	const expireAt = "2026-02-10T00:00:00.000Z";
	await ours.grant(10, { expireAt });
	expect(await twice()).toMatchObject({ ...granted, validUntil: expireAt });
	ours.clock.at = Date.parse(expireAt) as Instant;
	expect(await twice()).toMatchObject(denied);
});

test("a stream is notified after a consumption, a grant, and the expiry of a grant", async () => {
	const ours = await ground();
	const { environmentId, transactions } = ours;
	const watched = new Watched(
		{ environmentId, customerRef: "acme", resourceRef: null },
		transactions,
		new ResolvedCache(transactions).resolve,
	);
	const seen: EntitlementUpdate[] = [];
	watched.listeners.add((update) => seen.push(update));
	watched.refresh();
	const next = () => {
		expect(watched.isStale()).toBe(true);
		watched.refresh();
		const changed = seen.at(-1)?.entitlements ?? [];
		return changed.find((one) => one.type === "FEATURE" && one.feature?.id === "images");
	};
	await ours.spend(100);
	expect(next()).toMatchObject(denied);
	const expireAt = "2026-02-10T00:00:00.000Z";
	await ours.grant(10, { expireAt });
	expect(next()).toMatchObject(granted);
	ours.clock.at = Date.parse(expireAt) as Instant;
	expect(next()).toMatchObject(denied);
});

test("an explanation names the cost and the balance", async () => {
	const ours = await ground();
	await ours.spend(99);
	const { explanation } = await ours.check("images&requestedUsage=3&explain=true");
	expect(explanation).toMatchObject({
		decision: { ...denied, decidedBy: "TOO_FEW_CREDITS", requestedUsage: 3 },
		sources: [{ isShown: true, outcome: "TOO_FEW_CREDITS" }],
		useCost: { currencyId: "gold", cost: 6, balance: 1, hasSoftLimit: false },
	});
	expect(explanation.text).toContain("there are not enough credits");
	expect(explanation.text).toContain("The use costs 6 credits, in the currency 'gold'. The balance is 1.");
	const unknown = (await ours.check("tokens&explain=true")).explanation;
	expect(unknown.useCost).toMatchObject({ cost: null, balance: 1 });
	expect(unknown.text).toContain("The event decides how many credits the use costs");
});

test("consume and reserve deny what the balance does not cover, and record nothing", async () => {
	const ours = await ground();
	const of = (featureId: string) => `/customers/acme/entitlements/${featureId}`;
	// Credits of reserved usage are not available to another use of the feature.
	const held = await ours.insist("POST", `${of("images")}/reservations`, { amount: 40 });
	expect(held).toMatchObject(granted);
	expect(await ours.insist("POST", `${of("images")}/consume`, { amount: 11 })).toMatchObject({
		...denied,
		usage: null,
	});
	expect(await ours.insist("POST", `${of("images")}/reservations`, { amount: 11 })).toMatchObject({
		...denied,
		reservation: null,
	});
	expect(await ours.check("images&requestedUsage=11")).toMatchObject({ ...denied, reservedUsage: 40 });
	expect(await ours.insist("POST", `${of("images")}/consume`, { amount: 10 })).toMatchObject({
		...granted,
		usage: { credit: { consumed: 20 } },
	});
	const commit = `/reservations/${held.reservation.id}/commit`;
	const beyond = await ours.call("POST", commit, { body: { amount: 41 } });
	expect(beyond.body).toMatchObject({ code: "EntitlementLimitExceededError" });
	await ours.insist("POST", commit, { amount: 30 });
	// 20 are left; the dimensions of the use decide its cost.
	const write = (output: number) => ours.insist("POST", `${of("tokens")}/consume`, { dimensions: { output } });
	expect(await write(5_001)).toMatchObject(denied);
	expect(await write(5_000)).toMatchObject({ ...granted, usage: { credit: { consumed: 20, currentUsage: 100 } } });
	expect(await ours.insist("POST", `${of("tokens")}/reservations`, {})).toMatchObject(denied);
});

test("credits of the customer do not cover a use that consumes from the balance of a resource", async () => {
	const ours = await ground();
	await ours.insist("POST", "/subscriptions", { customerId: "new", planId: "ai", resourceId: "site" });
	await ours.grant(1_000, { customerId: "new" });
	expect(await ours.check("images&resourceId=site&requestedUsage=50", "new")).toMatchObject(granted);
	expect(await ours.check("images&resourceId=site&requestedUsage=51", "new")).toMatchObject(denied);
});

test("GraphQL denies with the same reason, and lists no feature without credits", async () => {
	const ours = await ground();
	await ours.spend(100);
	const query = `{
		one: entitlement(query: { customerId: "acme", featureId: "images" }) { isGranted accessDeniedReason creditRate { amount currencyId costFormula } }
		list: cachedEntitlements(query: { customerId: "acme" }) { feature { refId } }
		state: entitlementsState(query: { customerId: "acme" }) { entitlements { ... on FeatureEntitlement { isGranted accessDeniedReason feature { refId } } } }
	}`;
	const { one, list, state } = await data(ours, query);
	expect(one).toEqual({ ...denied, creditRate: perImage });
	expect(list).toEqual([{ feature: { refId: "free" } }]);
	expect(state.entitlements).toContainEqual({ ...denied, feature: { refId: "images" } });
	await ours.grant(10);
	expect((await data(ours, query)).one).toEqual({ ...granted, creditRate: perImage });
});

test("the edge decides again after a consumption, a grant, and the expiry of a grant", async () => {
	const ours = await ground();
	const read = async (path: string) => (await ours.call("GET", `/v1/c/acme/${path}`)).body.data.entitlements;
	const one = async () => (await read("entitlements.json?featureId=images&requestedUsage=3"))[0];
	const listed = async () =>
		(await read("entitlements.json")).map(({ feature }: { feature: { refId: string } }) => feature.refId);
	expect(await one()).toMatchObject({ ...granted, creditRate: perImage });
	expect(await listed()).toContain("images");
	await ours.spend(95);
	expect(await one()).toMatchObject({ ...denied, creditRate: perImage });
	await ours.spend(5);
	expect(await listed()).toEqual(["free"]);
	const expireAt = "2026-02-10T00:00:00.000Z";
	await ours.grant(10, { expireAt });
	expect(await one()).toMatchObject(granted);
	expect(await listed()).toContain("images");
	ours.clock.at = Date.parse(expireAt) as Instant;
	expect(await one()).toMatchObject(denied);
	expect(await listed()).toEqual(["free"]);
});
