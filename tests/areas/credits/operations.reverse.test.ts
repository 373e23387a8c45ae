import { expect, test } from "bun:test";
import { carryOutDue } from "../../../src/areas/credits/operations.due";
import { reverseConsumption } from "../../../src/areas/credits/operations.reverse";
import { findWallet } from "../../../src/areas/credits/store.wallets";
import { createFeature } from "../../../src/areas/features/operations";
import type { Decimal } from "../../../src/kernel/decimal";
import { newUuidV7 } from "../../../src/kernel/ids";
import { actor, ground } from "./ground";
import { expectRebuilt } from "./verification/rebuilt";

/** A wallet whose consumption can be reversed. */
function reversible() {
	const one = ground();
	const featureId = one.transactions.write(
		actor,
		(work) =>
			createFeature(work, { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" }).id,
	);
	return {
		...one,
		consumedOf: () =>
			Object.fromEntries(one.grants().map(({ displayName, consumed }) => [displayName, Number(consumed)])),
		carryOut: () => one.transactions.write(actor, (work) => carryOutDue(work, findWallet(work, one.wallet)?.id ?? "")),
		reverse: (amount: number): number =>
			one.transactions.write(actor, (work) => {
				const about = { at: work.now, featureId, eventId: newUuidV7(), dimensions: null };
				const walletId = findWallet(work, one.wallet)?.id ?? "";
				return Number(reverseConsumption(work, { walletId, amount: String(amount) as Decimal, ...about }));
			}),
	};
}

test("releases to the grant that was consumed last, then to the earlier one", () => {
	const { grant, draw, reverse, consumedOf, shown } = reversible();
	grant("first", 5, { priority: 1 });
	grant("second", 5, { priority: 2 });
	draw(8);
	expect(reverse(4)).toBe(4);
	expect(consumedOf()).toEqual({ first: 4, second: 0 });
	expect(shown()).toMatchObject({ balance: "6", consumed: "4", activeConsumed: "4" });
});

test("releases to the overdraft first, and ends it when nothing remains", () => {
	const { grant, draw, reverse, grants, shown } = reversible();
	grant("first", 5);
	draw(7);
	expect(reverse(2)).toBe(2);
	expect(shown()).toMatchObject({ overdraft: "0", activeConsumed: "5", overdraftGrantId: null });
	expect(grants().find(({ grantType }) => grantType === "OVERDRAFT")).toMatchObject({ status: "VOIDED" });
	expect(reverse(2)).toBe(2);
	expect(shown()).toMatchObject({ activeConsumed: "3" });
});

test("releases nothing to an expired grant, and no more than the active grants have consumed", () => {
	const one = reversible();
	one.grant("expired", 5, { priority: 1, expireAt: one.at(1) });
	one.grant("active", 5, { priority: 2 });
	one.draw(7);
	one.clock.at = one.at(1);
	one.carryOut();
	expect(one.reverse(4)).toBe(2);
	expect(one.consumedOf()).toEqual({ expired: 5, active: 0 });
	expectRebuilt(one);
});

test("a grant that was consumed completely can be consumed again after a reversal", () => {
	const { grant, draw, reverse, shown } = reversible();
	grant("first", 5);
	draw(5);
	reverse(3);
	draw(2);
	expect(shown()).toMatchObject({ balance: "1", overdraft: "0" });
});
