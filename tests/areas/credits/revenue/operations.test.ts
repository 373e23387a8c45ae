import { describe, expect, test } from "bun:test";
import { assert, property } from "fast-check";
import { consumeFromWallets } from "../../../../src/areas/credits/operations.consume";
import { issueGrant, type NewGrant } from "../../../../src/areas/credits/operations.issue";
import { reverseConsumption } from "../../../../src/areas/credits/operations.reverse";
import { voidGrant } from "../../../../src/areas/credits/operations.void";
import { findWallet } from "../../../../src/areas/credits/store.wallets";
import { createCurrency } from "../../../../src/areas/currencies/operations";
import { provisionCustomer } from "../../../../src/areas/customers/operations";
import { createFeature } from "../../../../src/areas/features/operations";
import type { Instant } from "../../../../src/kernel/clock";
import type { Decimal } from "../../../../src/kernel/decimal";
import type { Work } from "../../../../src/kernel/work";
import { add, compare, parse, type Rational, ratio, rounded, times, total } from "../../../support/oracle/rational";
import { testNow, world } from "../../../support/world";
import { ground } from "../ground";
import { histories } from "../histories/random";
import { live } from "../histories/run";

const day = 86_400_000;
const cents = (amount: string, currency = "usd") => ({ amount: amount as Decimal, currency });

/** A customer with credits of two currencies; its clock is at midnight. */
function books() {
	const one = world();
	const { actor, transactions } = one;
	const write = <T>(body: (work: Work) => T): T => transactions.write(actor, body as (work: Work) => never);
	const ids = write((work) => ({
		customerId: provisionCustomer(work, { id: "acme" }).id,
		tokens: createCurrency(work, { id: "tokens", displayName: "Tokens" }).id,
		minutes: createCurrency(work, { id: "minutes", displayName: "Minutes" }).id,
	}));
	const wallet = (currency: "tokens" | "minutes") => ({
		customerId: ids.customerId,
		currencyId: ids[currency],
		resourceRef: "",
	});
	return {
		...one,
		write,
		wallet,
		after: (days: number) => {
			one.clock.at = (testNow + days * day) as Instant;
		},
		grant: (currency: "tokens" | "minutes", amount: string, given: Partial<NewGrant> = {}) =>
			write((work) =>
				issueGrant(work, {
					...wallet(currency),
					displayName: "grant",
					grantType: "PAID",
					amount: amount as Decimal,
					effectiveAt: work.now,
					expireAt: null,
					...given,
				}),
			),
		draw: (currency: "tokens" | "minutes", amount: string, daysAgo = 0) =>
			write((work) =>
				consumeFromWallets(work, [
					{
						wallet: wallet(currency),
						amount: amount as Decimal,
						at: (work.now - daysAgo * day) as Instant,
						featureId: null,
						eventId: work.newId(),
						dimensions: null,
					},
				]),
			),
		revenue: (query = "") => one.call("GET", `/credits/revenue${query}`),
	};
}

const date = (days: number) => new Date(testNow + days * day).toISOString();

test("the paid price is deferred, recognised on consumption and breakage on expiry, by currency, type and money", async () => {
	const { grant, draw, after, revenue, write } = books();
	grant("tokens", "300", { cost: cents("100"), expireAt: (testNow + 5 * day) as Instant });
	grant("tokens", "50", { grantType: "PROMOTIONAL", priority: 90 });
	grant("minutes", "10", { cost: cents("20", "eur") });
	after(1);
	draw("tokens", "100");
	draw("minutes", "4");
	after(6);
	draw("tokens", "1");
	const spare = grant("minutes", "8", { cost: cents("2", "eur") });
	write((work) => voidGrant(work, spare));
	const row = (currencyId: string, grantType: string, costCurrency: string, amounts: readonly number[]) => {
		const [granted, deferred, recognised, breakage, voided] = amounts;
		return { currencyId, grantType, costCurrency, granted, deferred, recognised, breakage, voided };
	};
	expect((await revenue()).body).toEqual({
		from: null,
		to: null,
		data: [
			row("minutes", "PAID", "eur", [22, 12, 8, 0, 2]),
			row("tokens", "PAID", "usd", [100, 0, 33.333333333333, 66.666666666667, 0]),
			row("tokens", "PROMOTIONAL", "usd", [0, 0, 0, 0, 0]),
		],
		sums: [
			{ costCurrency: "eur", granted: 22, deferred: 12, recognised: 8, breakage: 0, voided: 2 },
			{
				costCurrency: "usd",
				granted: 100,
				deferred: 0,
				recognised: 33.333333333333,
				breakage: 66.666666666667,
				voided: 0,
			},
		],
	});
	// Only the second day, from any of its hours.
	const window = `?currencyId=tokens&from=${date(1.2)}&to=${date(1.9)}`;
	expect((await revenue(window)).body).toMatchObject({
		from: date(1),
		to: date(2),
		data: [{ grantType: "PAID", granted: 0, deferred: 66.666666666667, recognised: 33.333333333333, breakage: 0 }, {}],
	});
	expect((await revenue(`?from=${date(2)}&to=${date(40)}`)).body.data[1]).toMatchObject({
		recognised: 0,
		breakage: 66.666666666667,
	});
});

test("an overdraft is recognised when a grant settles it; a late event not before its grant", async () => {
	const { grant, draw, after, revenue } = books();
	draw("tokens", "6");
	after(3);
	grant("tokens", "10", { cost: cents("5") });
	draw("tokens", "2", 2);
	expect((await revenue(`?to=${date(3)}`)).body.data).toEqual([]);
	expect((await revenue(`?from=${date(3)}`)).body.data).toMatchObject([{ granted: 5, recognised: 4, deferred: 1 }]);
});

describe("consumption that is reversed", () => {
	function reversible() {
		const ours = books();
		const featureId = ours.write(
			(work) =>
				createFeature(work, { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" }).id,
		);
		return {
			...ours,
			reverse: (currency: "tokens" | "minutes", amount: string, daysAgo = 0): Decimal =>
				ours.write((work) =>
					reverseConsumption(work, {
						walletId: findWallet(work, ours.wallet(currency))?.id ?? "",
						amount: amount as Decimal,
						at: (work.now - daysAgo * day) as Instant,
						featureId,
						eventId: work.newId(),
						dimensions: null,
					}),
				),
		};
	}

	test("is deferred again, on the day of the consumption", async () => {
		const { grant, draw, after, revenue, reverse } = reversible();
		// 300 credits cost 100, so 150 of them 50, and 60 of them 20.
		grant("tokens", "300", { cost: cents("100") });
		draw("tokens", "150");
		after(2);
		draw("tokens", "30");
		expect(reverse("tokens", "60", 2)).toBe("60" as Decimal);
		expect((await revenue()).body.data).toMatchObject([{ granted: 100, recognised: 40, deferred: 60, breakage: 0 }]);
		expect((await revenue(`?to=${date(1)}`)).body.data).toMatchObject([{ granted: 100, recognised: 30, deferred: 70 }]);
		expect((await revenue(`?from=${date(2)}`)).body.data).toMatchObject([{ granted: 0, recognised: 10, deferred: 60 }]);
	});

	test("leaves nothing recognised after a complete reversal, and all is breakage when the grant expires", async () => {
		const { grant, draw, after, revenue, reverse } = reversible();
		grant("tokens", "3", { cost: cents("1"), expireAt: (testNow + 5 * day) as Instant });
		draw("tokens", "1");
		draw("tokens", "2");
		expect(reverse("tokens", "3")).toBe("3" as Decimal);
		expect((await revenue()).body.data).toMatchObject([{ granted: 1, recognised: 0, deferred: 1, breakage: 0 }]);
		after(6);
		draw("tokens", "1");
		expect((await revenue()).body.data).toMatchObject([{ granted: 1, recognised: 0, deferred: 0, breakage: 1 }]);
	});

	test("recognises credits that are consumed again once", async () => {
		const { grant, draw, revenue, reverse } = reversible();
		grant("tokens", "8", { cost: cents("2") });
		grant("tokens", "8", { cost: cents("4") });
		// 8 of the first grant and 4 of the second: 2 + 2. A reversal releases 4 of the second and 2 of the first: 0.50.
		draw("tokens", "12");
		expect((await revenue()).body.data).toMatchObject([{ granted: 6, recognised: 4, deferred: 2 }]);
		expect(reverse("tokens", "6")).toBe("6" as Decimal);
		expect((await revenue()).body.data).toMatchObject([{ granted: 6, recognised: 1.5, deferred: 4.5 }]);
		draw("tokens", "6");
		expect((await revenue()).body.data).toMatchObject([{ granted: 6, recognised: 4, deferred: 2 }]);
	});
});

describe("the request", () => {
	test("returns exact CSV by query or Accept, the sums last", async () => {
		const { grant, draw, revenue, call } = books();
		grant("tokens", "300", { cost: cents("100") });
		draw("tokens", "100");
		const csv = [
			"currencyId,grantType,costCurrency,granted,deferred,recognised,breakage,voided",
			"tokens,PAID,usd,100,66.666666666667,33.333333333333,0,0",
			",,usd,100,66.666666666667,33.333333333333,0,0",
			"",
		].join("\r\n");
		const asked = await revenue("?format=csv");
		expect(asked.headers.get("content-type")).toBe("text/csv; charset=utf-8");
		const accepted = await call("GET", "/credits/revenue", { headers: { accept: "text/csv" } });
		for (const answer of [asked, accepted]) expect(answer.body).toBe(csv);
		const both = await call("GET", "/credits/revenue", { headers: { accept: "text/csv, application/json" } });
		expect(both.body.data).toHaveLength(1);
	});

	test("refuses invalid ranges and currencies", async () => {
		const { revenue, foreignKey, grant, call } = books();
		grant("tokens", "300", { cost: cents("100") });
		for (const query of ["?from=yesterday", "?to=2026-02-30T00:00:00Z", "?format=xml", "?currencyId=%20", "?page=1"])
			expect((await revenue(query)).status).toBe(400);
		expect(await revenue(`?from=${date(2)}&to=${date(2)}`)).toMatchObject({
			status: 400,
			body: { code: "InvalidArgumentError" },
		});
		expect(await revenue("?currencyId=none")).toMatchObject({ status: 404, body: { code: "CustomCurrencyNotFound" } });
		expect((await call("GET", "/credits/revenue", { key: foreignKey })).body).toMatchObject({ data: [], sums: [] });
	});
});

test("the revenue of every range equals the ledger's as fractions, after any history", () => {
	const one = ground();
	const { db } = one;
	assert(
		property(histories, (history) => {
			live(one, history);
			const rows = db.$client
				.query<Record<string, string>, []>("SELECT * FROM credit_revenue WHERE span = 'day'")
				.all();
			for (const field of ["granted", "recognised", "breakage", "voided"] as const) {
				const kept = total(rows.map((row) => parse(row[field] ?? "0")));
				const difference = add(kept, times(ratio(-1), worthOfLedger(field)));
				// The cost of each grant has twelve decimal places.
				expect(compare(rounded(difference, 6), ratio(0))).toBe(0n);
			}
			const sum = (...fields: string[]) =>
				total(rows.flatMap((row) => fields.map((field) => parse(row[field] ?? "0"))));
			const deferred = add(sum("granted"), times(ratio(-1), sum("recognised", "breakage", "voided")));
			expect(compare(rounded(add(deferred, times(ratio(-1), worthLeft())), 6), ratio(0))).toBe(0n);
		}),
		{ numRuns: 15 },
	);

	type Field = "granted" | "recognised" | "breakage" | "voided";

	function worthOfLedger(field: Field): Rational {
		const types = {
			granted: ["CREDITS_GRANTED"],
			recognised: ["CREDITS_CONSUMED", "CREDITS_CONSUMPTION_TRANSFER_TARGET"],
			breakage: ["CREDITS_EXPIRED"],
			voided: ["CREDITS_VOIDED"],
		}[field];
		const entries = db.$client
			.query<{ type: string; amount: string; cost: string; whole: string }, []>(
				`SELECT event_type AS type, e.amount, cost_amount AS cost, g.amount AS whole FROM credit_entries e
				JOIN credit_grants g ON g.id = e.grant_id WHERE grant_type <> 'OVERDRAFT'`,
			)
			.all();
		return total(entries.filter(({ type }) => types.includes(type)).map(worth));
	}

	function worthLeft(): Rational {
		const grants = db.$client
			.query<{ amount: string; consumed: string; cost: string; whole: string }, []>(
				"SELECT amount, consumed, cost_amount AS cost, amount AS whole FROM credit_grants WHERE status = 'ACTIVE' AND grant_type <> 'OVERDRAFT'",
			)
			.all();
		return total(
			grants.map((grant) => add(worth(grant), times(ratio(-1), worth({ ...grant, amount: grant.consumed })))),
		);
	}

	function worth({ amount, cost, whole }: { amount: string; cost: string; whole: string }): Rational {
		const [one, all, of] = [parse(amount), parse(cost), parse(whole)];
		return ratio(one.over * all.over * of.under, one.under * all.under * of.over);
	}
});
