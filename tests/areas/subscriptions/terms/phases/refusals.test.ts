import { describe, expect, test } from "bun:test";
import { flat, till } from "../../billing";
import { found, month, ramp, selling } from "./shop";

const phase = (more: object = {}) => ({ id: "half", duration: month(1), percentOff: 50, ...more });
const many = (count: number) => Array.from({ length: count }, (_, at) => phase({ id: `p${at}` }));

describe("phases of a draft", () => {
	const cases: readonly [string, object, number, string][] = [
		["60 phases", { phases: many(60) }, 200, ""],
		["61 phases", { phases: many(61) }, 400, "BadUserInput"],
		["an id twice", { phases: [phase(), phase()] }, 400, "BadUserInput"],
		["more than ten years", { phases: [phase({ duration: { unit: "YEAR", count: 11 } })] }, 400, "BadUserInput"],
		["more than 100 percent", { phases: [phase({ percentOff: 100.5 })] }, 400, "BadUserInput"],
		["no percentage", { phases: [{ id: "half", duration: month(1) }] }, 400, "BadUserInput"],
		["charges of a phase", { phases: [phase({ charges: [] })] }, 400, "BadUserInput"],
		["a FREE plan", { pricingType: "FREE", pricingModels: [], phases: [phase()] }, 400, "BadUserInput"],
		["a CUSTOM plan", { pricingType: "CUSTOM", pricingModels: [], phases: [phase()] }, 400, "UnsupportedParameter"],
	];
	for (const [name, charges, status, code] of cases)
		test(`${name}: ${status}`, async () => {
			const ours = await till("2026-01-01T00:00:00Z");
			await ours.insist("POST", "/plans", { id: "pro", productId: "app", displayName: "pro" });
			const body = { charges: { pricingType: "PAID", pricingModels: [flat({ month: 40 })], ...charges } };
			const answer = await ours.call("PATCH", "/plans/pro", { body });
			expect([answer.status, answer.body.code ?? ""]).toEqual([status, code]);
			const kept = (await ours.call("GET", "/plans/pro")).body.data.phases;
			expect(kept?.length).toBe(status === 200 ? 60 : undefined);
		});

	test("an addon has none", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.insist("POST", "/addons", { id: "support", productId: "app", displayName: "support" });
		const body = { charges: { pricingType: "PAID", pricingModels: [flat({ month: 4 })], phases: [phase()] } };
		expect((await ours.call("PATCH", "/addons/support", { body })).body).toMatchObject({
			code: "BadUserInput",
			message: "charges.phases: an addon has no phases; set them on the plan.",
		});
	});

	test("a published version keeps its phases, and its next draft starts with them", async () => {
		const { ours } = await selling("2026-01-01T00:00:00Z");
		const charges = { pricingType: "PAID", pricingModels: [flat({ month: 40 })], phases: [] };
		expect((await ours.call("PATCH", "/plans/pro", { body: { charges } })).body.code).toBe(
			"CannotEditPackageInNonDraftMode",
		);
		const draft = await ours.insist("POST", "/plans/pro/draft");
		expect(draft.phases.map(({ id }: { id: string }) => id)).toEqual(["start", "growth"]);
		await ours.insist("PATCH", "/plans/pro", { charges });
		const { impact } = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "NEW_CUSTOMERS" });
		expect(impact.phases).toEqual({ before: ramp, after: [] });
	});
});

describe("phases of a subscription", () => {
	test("are refused where Tollgate charges no periods, and leave no trace", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("free", []);
		const sale = { customerId: "acme", planId: "free" };
		expect((await ours.call("POST", "/subscriptions", { body: { ...sale, phases: [phase()] } })).body).toMatchObject({
			code: "UnsupportedParameter",
			message: "body/phases: a FREE plan charges nothing; leave it out.",
		});
		await ours.plan("pro", [flat({ month: 40 })], { phases: [phase()] });
		const body = { ...sale, planId: "pro", paymentCollectionMethod: "NONE" };
		expect((await ours.call("POST", "/subscriptions", { body: { ...body, phases: [phase()] } })).body).toMatchObject({
			code: "UnsupportedParameter",
			message: "body/phases: a contract bills this subscription; leave it out.",
		});
		const twice = { ...sale, planId: "pro", phases: [phase(), phase()] };
		expect((await ours.call("POST", "/subscriptions", { body: twice })).body).toMatchObject({
			code: "BadUserInput",
			message: "body.phases[1].id: 'half' is the id of an earlier phase too; choose another id.",
		});
		expect((await ours.call("GET", "/subscriptions")).body.data).toEqual([]);
		// The terms of the contract apply, so the plan's phases do not.
		const created = await ours.insist("POST", "/subscriptions", body);
		const shown = (await ours.call("GET", `/subscriptions/${created.id}`)).body.data;
		expect([shown.phase, shown.scheduledPhases, shown.prices[0].amount]).toEqual([undefined, undefined, 40]);
		expect(found(ours)).toEqual([]);
	});
});
