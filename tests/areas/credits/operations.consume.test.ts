import { expect, test } from "bun:test";
import { ground } from "./ground";

test("consumes by priority, then expiry, then promotional before paid, with one entry for each grant", () => {
	const { grant, draw, ledger, at } = ground();
	grant("A", 50, { priority: 1, expireAt: at(17), grantType: "PAID" });
	grant("B", 20, { priority: 1, expireAt: at(17) });
	grant("C", 100, { priority: 2, expireAt: at(0.5) });
	expect(draw(60)).toMatchObject([{ limit: "170", usage: "60" }]);
	expect(ledger()).toEqual(["GRANTED 50 A", "GRANTED 20 B", "GRANTED 100 C", "CONSUMED 20 B", "CONSUMED 40 A"]);
});

test("the shortfall is one overdraft, which later grants settle by transfers", () => {
	const { grant, draw, ledger, grants, shown } = ground();
	grant("first", 10);
	expect(draw(4, 9, 5)).toMatchObject([{ usage: "4" }, { usage: "13" }, { limit: "10", usage: "18" }]);
	grant("part", 3);
	expect(shown()).toMatchObject({ granted: "13", overdraft: "5", balance: "0", consumed: "18" });
	expect(grants().find(({ grantType }) => grantType === "OVERDRAFT")).toMatchObject({
		amount: "0",
		consumed: "5",
		status: "ACTIVE",
	});
	grant("rest", 20);
	expect(shown()).toMatchObject({ overdraft: "0", balance: "15", consumed: "18", overdraftGrantId: null });
	expect(grants().find(({ grantType }) => grantType === "OVERDRAFT")).toMatchObject({
		consumed: "0",
		status: "VOIDED",
	});
	draw(16);
	expect(grants().filter(({ grantType }) => grantType === "OVERDRAFT")).toMatchObject([
		{ status: "VOIDED" },
		{ status: "ACTIVE", consumed: "1" },
	]);
	expect(ledger()).toEqual([
		"GRANTED 10 first",
		"CONSUMED 4 first",
		"CONSUMED 6 first",
		"CONSUMED 3 Overdraft",
		"CONSUMED 5 Overdraft",
		"GRANTED 3 part",
		"TRANSFER_SOURCE 3 Overdraft",
		"TRANSFER_TARGET 3 part",
		"GRANTED 20 rest",
		"TRANSFER_SOURCE 5 Overdraft",
		"TRANSFER_TARGET 5 rest",
		"CONSUMED 15 rest",
		"CONSUMED 1 Overdraft",
	]);
});

test("a grant counts from its effective date until its expiry (exclusive), even before the scheduler runs", () => {
	const { grant, draw, ledger, clock, at, shown } = ground();
	grant("later", 10, { effectiveAt: at(1), expireAt: at(2) });
	grant("base", 5);
	draw(2);
	clock.at = at(1);
	draw(4);
	clock.at = at(2);
	draw(1);
	expect(ledger()).toEqual([
		"GRANTED 5 base",
		"CONSUMED 2 base",
		"GRANTED 10 later",
		"CONSUMED 4 later",
		"EXPIRED 6 later",
		"CONSUMED 1 base",
	]);
	expect(shown()).toMatchObject({ granted: "15", balance: "2", consumed: "7", expired: "6", activeAmount: "5" });
});
