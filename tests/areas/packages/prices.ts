import { expect } from "bun:test";
import type { World } from "../../support/world";

/** Short words for price lists, so that a test shows only what it is about. */
export const set = ({ call }: World, charges: object) => call("PATCH", "/plans/pro", { body: { charges } });
export const usd = (amount: number) => ({ amount, currency: "usd" });
export const monthly = (terms: object) => ({ billingPeriod: "MONTHLY", ...terms });
export const annually = (terms: object) => ({ billingPeriod: "ANNUALLY", ...terms });
export const flat = (amount = 10, ...more: object[]) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: [monthly({ price: usd(amount) }), ...more],
});
export const perUnit = (terms: object, period: object = { price: usd(5) }) => ({
	billingModel: "PER_UNIT",
	featureId: "seats",
	pricePeriods: [monthly(period)],
	...terms,
});
export const usage = (terms: object, period: object = { price: usd(0.00025) }) =>
	perUnit({ billingModel: "USAGE_BASED", featureId: "calls", ...terms }, period);
export const paid = (...pricingModels: object[]) => ({ pricingType: "PAID", pricingModels });
export const graduated = [
	{ upTo: 5, unitPrice: usd(20), flatPrice: usd(10) },
	{ upTo: 10, unitPrice: usd(15) },
	{ flatPrice: usd(5) },
];

export const blank = {
	billingCadence: "RECURRING",
	billingCountryCode: null,
	featureId: null,
	price: null,
	tiersMode: null,
	tiers: null,
	blockSize: null,
	minUnitQuantity: null,
	maxUnitQuantity: null,
	creditRate: null,
	creditGrantCadence: null,
	topUpCustomCurrencyId: null,
	billingId: null,
	crmId: null,
	crmLinkUrl: null,
	usedInSubscriptions: false,
	createdAt: "2026-01-31T00:00:00.000Z",
};

/** The charges as listed, newest first, without their ids; reversed, so that they stand as they were sent. */
export async function listed({ call }: World, path = "/plans/pro/charges"): Promise<object[]> {
	const { status, body } = await call("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100`);
	expect(status).toBe(200);
	return body.data.map(({ id: _, ...charge }: { id: string }) => charge).reverse();
}
