import { describe, expect, test } from "bun:test";
import { chargesOf, getShownVersion } from "../../../src/areas/packages/operations";
import { catalogue } from "./catalogue";
import { isRefusal } from "./guards";
import { annually, blank, flat, graduated, listed, monthly, paid, perUnit, set, usage, usd } from "./prices";

describe("charges of a draft", () => {
	test("one row for each model and price period, with every field of the contract", async () => {
		const ours = await catalogue();
		const answer = await set(ours, {
			pricingType: "PAID",
			billingId: "provider-1",
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 50 } }],
			pricingModels: [
				flat(
					10,
					annually({ price: usd(100) }),
					monthly({ price: { amount: 9, currency: "eur" }, billingCountryCode: "DE" }),
				),
				perUnit({ minUnitQuantity: 1, maxUnitQuantity: 50, tiersMode: "GRADUATED" }, { tiers: graduated }),
				{
					billingModel: "CREDIT_BASED",
					featureId: "calls",
					pricePeriods: [
						monthly({
							creditRate: { amount: 0.5, currencyId: "gold", costFormula: "tokens / 1000" },
							creditGrantCadence: "MONTHLY",
						}),
					],
				},
				{
					billingModel: "PER_UNIT",
					billingCadence: "ONE_OFF",
					topUpCustomCurrencyId: "gold",
					pricePeriods: [monthly({ price: usd(0.01) })],
				},
			],
		});
		expect(answer).toMatchObject({ status: 200, body: { data: { pricingType: "PAID", billingId: "provider-1" } } });
		// The answer shows what was set, as the list does.
		const answered = answer.body.data.charges.map(({ id: _, ...charge }: { id: string }) => charge);
		expect(answered).toEqual(await listed(ours));
		const charge = (billingModel: string, terms: object) => ({
			...blank,
			billingPeriod: "MONTHLY",
			billingModel,
			...terms,
		});
		expect(await listed(ours)).toEqual([
			charge("FLAT_FEE", { price: usd(10) }),
			charge("FLAT_FEE", { price: usd(100), billingPeriod: "ANNUALLY" }),
			charge("FLAT_FEE", { price: { amount: 9, currency: "eur" }, billingCountryCode: "DE" }),
			charge("PER_UNIT", {
				featureId: "seats",
				minUnitQuantity: 1,
				maxUnitQuantity: 50,
				tiersMode: "GRADUATED",
				tiers: [
					{ upTo: 5, unitPrice: usd(20), flatPrice: usd(10) },
					{ upTo: 10, unitPrice: usd(15), flatPrice: null },
					{ upTo: null, unitPrice: null, flatPrice: usd(5) },
				],
			}),
			charge("CREDIT_BASED", {
				featureId: "calls",
				creditRate: { amount: 0.5, currencyId: "gold", costFormula: "tokens / 1000" },
				creditGrantCadence: "MONTHLY",
			}),
			charge("PER_UNIT", { billingCadence: "ONE_OFF", topUpCustomCurrencyId: "gold", price: usd(0.01) }),
			charge("MINIMUM_SPEND", { price: usd(50) }),
		]);
	});

	test("an update of anything answers the prices that the draft has, overage by itself", async () => {
		const ours = await catalogue();
		await set(ours, {
			...paid(flat(10)),
			overagePricingModels: [
				{
					billingModel: "USAGE_BASED",
					featureId: "calls",
					entitlement: { featureId: "calls", usageLimit: 100 },
					pricePeriods: [monthly({ price: usd(0.5) })],
				},
			],
		});
		const { data } = (await ours.call("PATCH", "/plans/pro", { body: { displayName: "Pro" } })).body;
		expect(data).toMatchObject({
			displayName: "Pro",
			charges: [{ billingModel: "FLAT_FEE", price: usd(10) }],
			overageCharges: [{ billingModel: "USAGE_BASED", featureId: "calls", price: usd(0.5) }],
		});
	});

	test("usage is priced in blocks, by the month", async () => {
		const ours = await catalogue();
		await set(ours, paid(flat(), usage({ resetPeriod: "MONTH" }, { price: usd(0.00025), blockSize: 1000 })));
		const terms = { billingPeriod: "MONTHLY", billingModel: "USAGE_BASED", featureId: "calls" };
		expect((await listed(ours)).at(1)).toEqual({ ...blank, ...terms, price: usd(0.00025), blockSize: 1000 });
	});

	test("prices are kept exactly as written", async () => {
		const ours = await catalogue();
		await set(ours, paid(flat(0.1), usage({}, { price: usd(0.00001) })));
		const prices = ours.transactions.read(ours.actor, (work) =>
			chargesOf(work, getShownVersion(work, "PLAN", "pro").id).map(({ price }) => price?.amount),
		);
		expect(prices as unknown[]).toEqual(["0.1", "0.00001"]);
	});

	test("the sent charges replace all existing ones, and release the features that those priced", async () => {
		const ours = await catalogue();
		await set(ours, paid(flat(10), perUnit({})));
		await set(ours, paid(flat(20)));
		expect(await listed(ours)).toMatchObject([{ price: usd(20) }]);
		await set(ours, { pricingType: "FREE" });
		expect(await listed(ours)).toEqual([]);
		expect((await ours.call("GET", "/plans/pro")).body.data.pricingType).toBe("FREE");
	});

	test("display data and charges change together or not at all", async () => {
		const ours = await catalogue();
		const body = { displayName: "Changed", charges: paid(perUnit({ featureId: "none" })) };
		isRefusal(await ours.call("PATCH", "/plans/pro", { body }), 404, "FeatureNotFound", "'none'");
		expect((await ours.call("GET", "/plans/pro")).body.data).toMatchObject({ displayName: "pro", pricingType: null });
	});

	test("pages both ways", async () => {
		const ours = await catalogue();
		await set(ours, paid(flat(1, annually({ price: usd(2) })), perUnit({})));
		const first = await ours.call("GET", "/plans/pro/charges?limit=2");
		expect(first.body.data).toMatchObject([{ billingModel: "PER_UNIT" }, { price: usd(2) }]);
		const second = await ours.call("GET", `/plans/pro/charges?limit=2&after=${first.body.pagination.next}`);
		expect(second.body.data).toMatchObject([{ price: usd(1) }]);
		const back = await ours.call("GET", `/plans/pro/charges?limit=2&before=${second.body.pagination.prev}`);
		expect(back.body.data).toEqual(first.body.data);
		isRefusal(
			await ours.call("GET", `/plans/pro/overage-charges?after=${first.body.pagination.next}`),
			400,
			"BadUserInput",
		);
	});
});
