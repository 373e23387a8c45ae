import { describe, expect, test } from "bun:test";
import { flat, till } from "../../billing";
import { found, selling, termShown } from "./agreed";

const term = (more: object = {}) => ({ months: 12, ...more });

describe("the term of a draft", () => {
	const cases: readonly [string, object, number, string][] = [
		["the greatest values", { term: term({ months: 120, noticePeriodDays: 365, upliftPercentage: 100 }) }, 200, ""],
		["no months", { term: { upliftPercentage: 5 } }, 400, "BadUserInput"],
		["0 months", { term: term({ months: 0 }) }, 400, "BadUserInput"],
		["121 months", { term: term({ months: 121 }) }, 400, "BadUserInput"],
		["a part of a month", { term: term({ months: 1.5 }) }, 400, "BadUserInput"],
		["a text", { term: "12" }, 400, "BadUserInput"],
		["an unknown key", { term: term({ years: 1 }) }, 400, "BadUserInput"],
		["an unknown early cancellation", { term: term({ earlyCancellation: "NEVER" }) }, 400, "BadUserInput"],
		["more than 100 percent", { term: term({ upliftPercentage: 100.1 }) }, 400, "BadUserInput"],
		["a price decrease", { term: term({ upliftPercentage: -1 }) }, 400, "BadUserInput"],
		["more than a year of notice", { term: term({ noticePeriodDays: 366 }) }, 400, "BadUserInput"],
		["notice longer than a term", { term: { months: 1, noticePeriodDays: 32 } }, 400, "BadUserInput"],
		["notice longer than a renewal", { term: term({ renewalMonths: 1, noticePeriodDays: 60 }) }, 400, "BadUserInput"],
		["an increase that never comes", { term: term({ autoRenew: false, upliftPercentage: 5 }) }, 400, "BadUserInput"],
		["notice without a renewal", { term: term({ autoRenew: false, noticePeriodDays: 5 }) }, 400, "BadUserInput"],
		["a FREE plan", { pricingType: "FREE", pricingModels: [], term: term() }, 400, "BadUserInput"],
		["a CUSTOM plan", { pricingType: "CUSTOM", pricingModels: [], term: term() }, 400, "UnsupportedParameter"],
	];
	for (const [name, charges, status, code] of cases)
		test(`${name}: ${status}`, async () => {
			const ours = await till("2026-01-01T00:00:00Z");
			await ours.insist("POST", "/plans", { id: "pro", productId: "app", displayName: "pro" });
			const body = { charges: { pricingType: "PAID", pricingModels: [flat({ month: 40 })], ...charges } };
			const answer = await ours.call("PATCH", "/plans/pro", { body });
			expect([answer.status, answer.body.code ?? ""]).toEqual([status, code]);
			const kept = (await ours.call("GET", "/plans/pro")).body.data.term;
			expect(kept?.months).toBe(status === 200 ? 120 : undefined);
		});

	test("an addon has none", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.insist("POST", "/addons", { id: "support", productId: "app", displayName: "support" });
		const body = { charges: { pricingType: "PAID", pricingModels: [flat({ month: 4 })], term: term() } };
		expect((await ours.call("PATCH", "/addons/support", { body })).body).toMatchObject({
			code: "BadUserInput",
			message: "charges.term: an addon has no term; set it on the plan.",
		});
	});

	test("a published version keeps its term, and its next draft starts with it", async () => {
		const { ours } = await selling("2026-01-01T00:00:00Z", term());
		const charges = { pricingType: "PAID", pricingModels: [flat({ month: 40 })] };
		expect((await ours.call("PATCH", "/plans/pro", { body: { charges } })).body.code).toBe(
			"CannotEditPackageInNonDraftMode",
		);
		const draft = await ours.insist("POST", "/plans/pro/draft");
		expect(draft.term.months).toBe(12);
	});
});

describe("the term of a subscription", () => {
	test("is refused where Tollgate charges no periods, and leaves no trace", async () => {
		const ours = await till("2026-01-01T00:00:00Z");
		await ours.plan("free", []);
		const sale = { customerId: "acme", planId: "free", term: term() };
		expect((await ours.call("POST", "/subscriptions", { body: sale })).body).toMatchObject({
			code: "UnsupportedParameter",
			message: "body/term: a FREE plan charges nothing; leave it out.",
		});
		await ours.plan("pro", [flat({ month: 40 })], { term: term() });
		const body = { customerId: "acme", planId: "pro", paymentCollectionMethod: "NONE" };
		expect((await ours.call("POST", "/subscriptions", { body: { ...body, term: term() } })).body).toMatchObject({
			code: "UnsupportedParameter",
			message: "body/term: a contract bills this subscription; leave it out.",
		});
		expect((await ours.call("GET", "/subscriptions")).body.data).toEqual([]);
		// The terms of the contract apply, so the plan's term does not.
		const { id } = await ours.insist("POST", "/subscriptions", body);
		expect(await termShown(ours, id)).toBe("none");
		await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
		expect(found(ours)).toEqual([]);
	});

	test("names its place, and is not changed together with an end", async () => {
		const { ours, id } = await selling("2026-01-01T00:00:00Z", undefined);
		const path = `/subscriptions/${id}`;
		const late = { term: { months: 1, noticePeriodDays: 40 } };
		expect((await ours.call("PATCH", path, { body: late })).body).toMatchObject({
			code: "BadUserInput",
			message:
				"body.term.noticePeriodDays: 40 days are longer than a term of 1 month; give fewer days, or a longer term.",
		});
		const both = { term: term(), cancellationDate: "2026-03-01T00:00:00Z" };
		expect((await ours.call("PATCH", path, { body: both })).body.code).toBe("BadUserInput");
		expect(await termShown(ours, id)).toBe("none");
	});
});
