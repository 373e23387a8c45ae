import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { burn, type burnDownOrder, compareGrants, neverExpires } from "../../../src/areas/credits/burn-down";
import { insertGrant, openGrants, openWallet } from "../../../src/areas/credits/store.wallets";
import type { CreditGrantRow } from "../../../src/areas/credits/table";
import type { Instant } from "../../../src/kernel/clock";
import type { Decimal } from "../../../src/kernel/decimal";
import { actor, ground } from "./ground";

type Key = Pick<CreditGrantRow, (typeof burnDownOrder)[number]>;

const base: Key = {
	priority: 50,
	expiryRank: 1_000,
	isPaid: false,
	effectiveAt: 1_000 as Instant,
	createdAt: 1_000 as Instant,
	id: "5",
};

describe("the order of consumption", () => {
	const before: ReadonlyArray<readonly [rule: string, first: Partial<Key>, second: Partial<Key>]> = [
		["the lower priority number", { priority: 49, expiryRank: neverExpires }, { priority: 50 }],
		["the earlier expiry", { expiryRank: 999, isPaid: true }, { expiryRank: 1_000 }],
		["a grant that expires before one that never does", {}, { expiryRank: neverExpires }],
		["promotional before paid", { effectiveAt: 2_000 as Instant }, { isPaid: true }],
		["the earlier effective date", { createdAt: 2_000 as Instant }, { effectiveAt: 1_001 as Instant }],
		["the older grant", { id: "9" }, { createdAt: 1_001 as Instant }],
		["the lower id", {}, { id: "6" }],
	];
	for (const [rule, first, second] of before)
		test(rule, () => {
			expect(compareGrants({ ...base, ...first }, { ...base, ...second })).toBe(-1);
			expect(compareGrants({ ...base, ...second }, { ...base, ...first })).toBe(1);
		});

	test("a grant is equal to itself only", () => expect(compareGrants(base, { ...base })).toBe(0));
});

/** Few different values, so that many columns are equal. */
const few = fc.integer({ min: 0, max: 2 });
const storedGrants = fc.array(
	fc.record({
		priority: few,
		expiry: fc.option(few),
		isPaid: fc.boolean(),
		effectiveAt: few,
		hasRemaining: fc.boolean(),
	}),
	{ maxLength: 20 },
);

test("the query reads open grants in the order of compareGrants, for any grants", () => {
	fc.assert(
		fc.property(storedGrants, (rows) => {
			const { transactions, wallet } = ground();
			transactions.write(actor, (work) => {
				const { id: walletId, customerId, resourceRef } = openWallet(work, wallet);
				const inserted = rows.map(({ priority, expiry, isPaid, effectiveAt, hasRemaining }) =>
					insertGrant(work, {
						...{ walletId, customerId, resourceRef, priority, isPaid },
						...{ displayName: "grant", comment: null, sourceType: null, sourceId: null, metadata: {} },
						grantType: isPaid ? "PAID" : "PROMOTIONAL",
						status: "ACTIVE",
						amount: "2" as Decimal,
						consumed: (hasRemaining ? "1" : "2") as Decimal,
						effectiveAt: effectiveAt as Instant,
						expireAt: expiry as Instant | null,
						expiryRank: expiry ?? neverExpires,
						...{ nextDueAt: null, activeAt: effectiveAt as Instant, voidedAt: null, isOpen: hasRemaining },
						...{ costAmount: "0" as Decimal, costCurrency: "usd", paymentCollection: "NOT_REQUIRED", invoiceId: null },
					}),
				);
				const open = inserted.filter(({ isOpen }) => isOpen).sort(compareGrants);
				expect([...openGrants(work, walletId)].map(({ id }) => id)).toEqual(open.map(({ id }) => id));
			});
		}),
		{ numRuns: 30 },
	);
});

test("the index has the order, so the query sorts nothing", () => {
	const { db } = ground();
	const plan = db.$client
		.query<{ detail: string }, []>(
			`EXPLAIN QUERY PLAN SELECT * FROM credit_grants WHERE wallet_id = 'w' AND is_open = 1
			ORDER BY priority, expiry_rank, is_paid, effective_at, created_at, id`,
		)
		.all()
		.map(({ detail }) => detail);
	expect(plan).toEqual([expect.stringContaining("USING INDEX credit_grants_burn")]);
});

describe("burning down", () => {
	const grants = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 6 });

	test("parts and shortfall total the amount, and only the last grant keeps credits", () => {
		fc.assert(
			fc.property(grants, fc.integer({ min: 0, max: 20 }), (amounts, amount) => {
				let read = 0;
				function* open() {
					for (const remaining of amounts) {
						read += 1;
						yield { remaining: String(remaining) as Decimal };
					}
				}
				const { parts, shortfall } = burn(open(), String(amount) as Decimal);
				const consumed = parts.reduce((total, part) => total + Number(part.amount), 0);
				expect(consumed + Number(shortfall)).toBe(amount);
				expect(Number(shortfall)).toBe(Math.max(0, amount - amounts.reduce((total, one) => total + one, 0)));
				for (const [at, { grant, amount: part }] of parts.entries()) {
					expect(Number(part)).toBeGreaterThan(0);
					if (at < parts.length - 1) expect(part).toBe(grant.remaining);
				}
				const needed = amounts.findIndex(
					(_, at) => amounts.slice(0, at + 1).reduce((sum, one) => sum + one, 0) >= amount,
				);
				expect(read).toBe(amount === 0 ? 0 : needed < 0 ? amounts.length : needed + 1);
			}),
		);
	});
});
