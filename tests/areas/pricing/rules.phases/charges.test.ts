import { expect, test } from "bun:test";
import { chargeInPhase } from "../../../../src/areas/pricing/rules.phases";
import type { Decimal } from "../../../../src/kernel/decimal";

const decimal = (value: string) => value as Decimal;
const usd = (amount: string) => ({ amount: decimal(amount), currency: "usd" });
const quarterOff = { percentOff: decimal("25") };
const plain = {
	...{ billingModel: "USAGE_BASED" as const, price: null, tiers: null, tiersMode: null, blockSize: null },
	...{ minUnitQuantity: null, maxUnitQuantity: null },
};

test("a phase lowers price, tiers, variants, minimum and maximum by its percentage, exactly", () => {
	const tiers = [
		{ upTo: decimal("10"), unitPrice: usd("4"), flatPrice: null },
		{ upTo: null, unitPrice: null, flatPrice: usd("8") },
	];
	const variant = {
		id: "large",
		match: { model: ["large"] },
		price: usd("2"),
		tiers: null,
		tiersMode: null,
		blockSize: null,
	};
	const charge = {
		...{ ...plain, price: usd("0.01"), tiers },
		priceTerms: {
			minimumAmount: decimal("10"),
			maximumAmount: decimal("40"),
			commitment: { amount: decimal("20"), overageFactor: decimal("1.5") },
			segments: { variants: [variant], groupBy: ["team"] },
		},
	};
	expect(chargeInPhase(charge, quarterOff)).toEqual({
		...{ ...plain, price: usd("0.0075") },
		tiers: [
			{ ...tiers[0], unitPrice: usd("3") },
			{ ...tiers[1], flatPrice: usd("6") },
		],
		priceTerms: {
			minimumAmount: decimal("7.5"),
			maximumAmount: decimal("30"),
			commitment: { amount: decimal("15"), overageFactor: decimal("1.5") },
			segments: { variants: [{ ...variant, price: usd("1.5"), tiers: null }], groupBy: ["team"] },
		},
	} as never);
});

test("two percentages of transactions multiply", () => {
	const transactionPrice = { currency: "usd", percentRate: decimal("1.2") };
	const charge = { ...plain, priceTerms: { transactionPrice, percentOff: decimal("-20") } };
	// 1.2 times 0.75 is 0.9 of the price.
	expect(chargeInPhase(charge, quarterOff)?.priceTerms).toEqual({ transactionPrice, percentOff: decimal("10") });
	const { priceTerms } =
		chargeInPhase({ ...charge, priceTerms: { transactionPrice, percentOff: decimal("0") } }, quarterOff) ?? {};
	expect(priceTerms).toEqual({ transactionPrice, percentOff: decimal("25") });
});

test("a phase without a percentage, and a one-off charge, change nothing", () => {
	const charge = { ...plain, price: usd("4") };
	expect(chargeInPhase(charge, {})).toBeUndefined();
	expect(chargeInPhase(charge, { percentOff: decimal("0") })).toBeUndefined();
	expect(chargeInPhase({ ...charge, billingCadence: "ONE_OFF" }, quarterOff)).toBeUndefined();
	const lowered = chargeInPhase({ ...charge, billingCadence: "RECURRING" }, quarterOff);
	expect(lowered).toMatchObject({ price: usd("3"), tiers: null });
	expect(lowered).not.toHaveProperty("priceTerms");
});
