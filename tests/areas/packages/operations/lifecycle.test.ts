import { beforeAll, describe, expect, test } from "bun:test";
import {
	entitlementsOf,
	getPublishedVersion,
	inheritedEntitlementsOf,
} from "../../../../src/areas/packages/operations";
import { type PackageAction, type PackageState, transitions } from "../../../../src/areas/packages/rules";
import type { World } from "../../../support/world";
import { catalogue, maker, metered } from "../catalogue";
import { isRefusal } from "../guards";

const states: readonly PackageState[] = ["DRAFT", "PUBLISHED", "PUBLISHED_WITH_DRAFT", "ARCHIVED"];
const actions: readonly PackageAction[] = ["update", "entitle", "publish", "createDraft", "removeDraft", "archive"];
const kinds = [
	["PLAN", "plan", "/plans"],
	["ADDON", "addon", "/addons"],
] as const;

const publishBody = { body: { migrationType: "NEW_CUSTOMERS" } };

/** Leads a package into a state by the API alone. */
async function lead(ours: World, path: string, state: PackageState): Promise<void> {
	await maker(ours).charge(path, { pricingType: "FREE" });
	if (state === "DRAFT") return;
	await maker(ours).publish(path);
	if (state === "PUBLISHED_WITH_DRAFT") await ours.call("POST", `${path}/draft`);
	if (state === "ARCHIVED") await ours.call("POST", `${path}/archive`);
}

const act = ({ call }: World, path: string, action: PackageAction) => {
	switch (action) {
		case "update":
			return call("PATCH", path, { body: { displayName: "Changed" } });
		case "entitle":
			return call("POST", `${path}/entitlements`, { body: { entitlements: [{ type: "FEATURE", id: "sso" }] } });
		case "publish":
			return call("POST", `${path}/publish`, publishBody);
		case "createDraft":
			return call("POST", `${path}/draft`);
		case "removeDraft":
			return call("DELETE", `${path}/draft`);
		case "archive":
			return call("POST", `${path}/archive`);
	}
};

/** The visible part of a state: the published version, and whether there is a draft in addition. */
async function seen({ call }: World, path: string): Promise<PackageState | "GONE"> {
	const shown = await call("GET", path);
	if (shown.status === 404) return "GONE";
	const list = path.split("/")[1];
	const drafts = (await call("GET", `/${list}?status=DRAFT&limit=100`)).body.data.map(
		({ id }: { id: string }) => `/${list}/${id}`,
	);
	if (shown.body.data.status !== "PUBLISHED") return shown.body.data.status;
	return drafts.includes(path) ? "PUBLISHED_WITH_DRAFT" : "PUBLISHED";
}

describe.each(kinds)("the life of a %s", (kind, noun, list) => {
	let ours: World;
	beforeAll(async () => {
		ours = await catalogue();
	});
	for (const state of states)
		for (const action of actions) {
			const next = transitions[state][action];
			test(`${state}: ${action} ${typeof next === "string" ? `leads to ${next}` : "is refused"}`, async () => {
				const id = `${state}-${action}`;
				const path = `${list}/${id}`;
				await maker(ours)[noun](id);
				await lead(ours, path, state);
				expect(await seen(ours, path)).toBe(state);
				const answer = await act(ours, path, action);
				if (typeof next === "string") {
					expect(answer.status).toBeLessThan(300);
					expect(await seen(ours, path)).toBe(next);
				} else {
					isRefusal(answer, 400, typeof next.code === "string" ? next.code : next.code[kind], next.because);
					expect(await seen(ours, path)).toBe(state);
				}
			});
		}
});

describe("versions", () => {
	test("a new draft is a copy, and what is published never changes with it", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		await make.entitle(
			"/plans/pro",
			{ type: "FEATURE", id: "calls", usageLimit: 10, resetPeriod: "MONTH" },
			{ type: "CREDIT", id: "gold", amount: 5, cadence: "MONTH", dependencyFeatureId: "calls" },
		);
		const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 9.99, currency: "eur" } }];
		await make.charge("/plans/pro", {
			pricingType: "PAID",
			pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods }],
			overagePricingModels: [{ billingModel: "USAGE_BASED", featureId: "calls", pricePeriods }],
		});
		await make.publish("/plans/pro");
		const read = async (path: string) => (await ours.call("GET", path)).body.data;
		const paths = ["/plans/pro", "/plans/pro/charges", "/plans/pro/overage-charges", "/plans/pro/entitlements"];
		const before = await Promise.all(paths.map(read));

		const draft = (await ours.call("POST", "/plans/pro/draft")).body.data;
		expect(draft).toMatchObject({ status: "DRAFT", versionNumber: 2, isLatest: false, pricingType: "PAID" });
		expect(draft.entitlements).toEqual(before[0].entitlements);
		await ours.call("PATCH", "/plans/pro", { body: { displayName: "Second" } });
		await make.charge("/plans/pro", { pricingType: "FREE" });
		await ours.call("DELETE", "/plans/pro/entitlements/gold");
		expect(await Promise.all(paths.map(read))).toEqual(before);

		await make.publish("/plans/pro");
		expect(await read("/plans/pro")).toMatchObject({
			displayName: "Second",
			versionNumber: 2,
			isLatest: true,
			pricingType: "FREE",
			entitlements: [{ id: "calls", type: "FEATURE" }],
		});
		expect(await read("/plans/pro/charges")).toEqual([]);
		expect((await ours.call("POST", "/plans/pro/draft")).body.data.versionNumber).toBe(3);
	});

	test("a copied draft keeps charges and entitlements in order, and may be thrown away", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		await make.entitle("/plans/pro", { type: "FEATURE", id: "sso" }, { type: "FEATURE", id: "depth", usageLimit: 3 });
		const price = (amount: number, billingPeriod: string) => ({ billingPeriod, price: { amount } });
		await make.charge("/plans/pro", {
			pricingType: "PAID",
			pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods: [price(1, "MONTHLY"), price(10, "ANNUALLY")] }],
		});
		await make.publish("/plans/pro");
		const shape = async () => ({
			charges: (await ours.call("GET", "/plans/pro/charges")).body.data.map((charge: object) => ({
				...charge,
				id: "",
			})),
			entitlements: (await ours.call("GET", "/plans/pro")).body.data.entitlements,
		});
		const first = await shape();
		await ours.call("POST", "/plans/pro/draft");
		await make.publish("/plans/pro");
		expect(await shape()).toEqual(first);
		await ours.call("POST", "/plans/pro/draft");
		expect((await ours.call("DELETE", "/plans/pro/draft")).body).toEqual({ data: { id: "pro" } });
		expect(await shape()).toEqual(first);
	});

	test("new subscriptions take the published version; a draft or an archived one is refused", async () => {
		const ours = await catalogue();
		const take = (kind: "PLAN" | "ADDON", id: string) =>
			ours.transactions.read(ours.actor, (work) => getPublishedVersion(work, kind, id).versionNumber);
		expect(() => take("PLAN", "none")).toThrow("no plan 'none'");
		expect(() => take("ADDON", "none")).toThrow("no addon 'none'");
		expect(() => take("PLAN", "pro")).toThrow("still a draft");
		await lead(ours, "/plans/pro", "PUBLISHED_WITH_DRAFT");
		expect(take("PLAN", "pro")).toBe(1);
		await ours.call("DELETE", "/plans/pro/draft");
		await ours.call("POST", "/plans/pro/archive");
		expect(() => take("PLAN", "pro")).toThrow("archived");
		expect(() =>
			ours.transactions.read(ours.foreignActor, (work) => getPublishedVersion(work, "PLAN", "pro").versionNumber),
		).toThrow("no plan 'pro'");
	});
});

test("a plan inherits from the nearest base that grants something, as published", async () => {
	const ours = await catalogue();
	const make = maker(ours);
	await make.feature("mails", metered);
	await make.entitle(
		"/plans/pro",
		{ type: "FEATURE", id: "calls", usageLimit: 1 },
		{ type: "FEATURE", id: "mails", usageLimit: 1 },
	);
	await make.charge("/plans/pro", { pricingType: "FREE" });
	await make.publish("/plans/pro");
	await make.plan("middle", { parentPlanId: "pro", pricingType: "FREE" });
	await make.entitle("/plans/middle", { type: "FEATURE", id: "calls", usageLimit: 2 });
	await make.publish("/plans/middle");
	await make.plan("top", { parentPlanId: "middle", pricingType: "FREE" });
	await make.entitle("/plans/top", { type: "FEATURE", id: "sso" });
	await make.publish("/plans/top");
	// A change that is not published is not inherited.
	await ours.call("POST", "/plans/middle/draft");
	await ours.call("PATCH", "/plans/middle/entitlements/calls", { body: { type: "FEATURE", usageLimit: 99 } });
	const limits = ours.transactions.read(ours.actor, (work) => {
		const top = getPublishedVersion(work, "PLAN", "top");
		return {
			own: entitlementsOf(work, top.id).length,
			inherited: inheritedEntitlementsOf(work, top).map(({ usageLimit }) => usageLimit),
		};
	});
	expect(limits as { own: number; inherited: unknown[] }).toEqual({ own: 1, inherited: ["2", "1"] });
});
