import { expect, setDefaultTimeout, test } from "bun:test";
import { issueGrant } from "../../../../../src/areas/credits/operations.issue";
import { creditEntries } from "../../../../../src/areas/credits/table";
import { findCurrency } from "../../../../../src/areas/currencies/operations";
import { getCustomer } from "../../../../../src/areas/customers/operations";
import type { Decimal } from "../../../../../src/kernel/decimal";
import { studio } from "../studio";

setDefaultTimeout(60_000);

/** The studio with manually granted credits in addition to its plan's, reports of usage, and the consumption in the ledger. */
async function ground() {
	const ours = await studio();
	const { transactions, actor } = ours;
	return {
		...ours,
		report: async (...usages: object[]) => {
			const { status, body } = await ours.call("POST", "/usage", {
				body: { usages: usages.map((one) => ({ customerId: "acme", ...one })) },
			});
			expect(status).toBe(201);
			return body.data;
		},
		check: async (currency = "gold", more = "") =>
			(await ours.call("GET", `/customers/acme/entitlements/check?currencyId=${currency}${more}`)).body.data,
		grant: (amount: number, resourceRef = "") =>
			transactions.write(actor, (work) =>
				issueGrant(work, {
					customerId: getCustomer(work, "acme").id,
					currencyId: findCurrency(work, "gold")?.id ?? "",
					resourceRef,
					displayName: "by hand",
					grantType: "PROMOTIONAL",
					amount: String(amount) as Decimal,
					effectiveAt: work.now,
					expireAt: null,
				}),
			),
		consumed: () =>
			transactions.read(actor, (work) =>
				work.tx
					.select()
					.from(creditEntries)
					.all()
					.filter(({ eventType }) => eventType === "CREDITS_CONSUMED"),
			),
	};
}

test("a report consumes its cost, and returns the totals of the wallet", async () => {
	const ours = await ground();
	const before = await ours.check();
	const [first, second] = await ours.report(
		{ featureId: "images", value: 3, dimensions: { team: "red" }, createdAt: "2026-01-31T00:00:00.000Z" },
		{ featureId: "pages", value: 101 },
	);
	expect(first.credit).toMatchObject({
		currencyId: "gold",
		consumed: 6,
		currentUsage: 6,
		timestamp: "2026-01-31T00:00:00.000Z",
	});
	expect(second.credit).toMatchObject({ consumed: 6, currentUsage: 12 });
	const entries = ours.consumed();
	expect(entries.map(({ eventId, amount, dimensions }) => ({ eventId, amount, dimensions }))).toEqual([
		{ eventId: first.id, amount: "6" as Decimal, dimensions: { team: "red" } },
		{ eventId: second.id, amount: "6" as Decimal, dimensions: null },
	]);
	const after = await ours.check();
	expect(after).toMatchObject({ usageLimit: before.usageLimit, currentUsage: 12, isGranted: true });
});

test("negative usage releases nothing; a started block is paid once", async () => {
	const ours = await ground();
	const costs = async (...usages: object[]) =>
		(await ours.report(...usages)).map(({ credit }: { credit: { consumed: number } }) => credit.consumed);
	expect(await costs({ featureId: "images", value: 5 }, { featureId: "images", value: -5 })).toEqual([10, 0]);
	const set = { featureId: "images", updateBehavior: "SET" };
	expect(await costs({ ...set, value: 4 }, { ...set, value: 1 }, { ...set, value: 2 })).toEqual([8, 0, 2]);
	expect(
		await costs(
			{ featureId: "pages", value: 1 },
			{ featureId: "pages", value: 99 },
			{ featureId: "pages", value: 1 },
			{ featureId: "pages", value: 250 },
		),
	).toEqual([3, 0, 3, 6]);
});

test("a repeated report consumes nothing, and returns zero", async () => {
	const ours = await ground();
	const usage = { featureId: "images", value: 3, idempotencyKey: "once" };
	const [first] = await ours.report(usage);
	await ours.report({ featureId: "images", value: 1 });
	const [again] = await ours.report(usage);
	expect(again.id).toBe(first.id);
	expect(again.credit).toMatchObject({ consumed: 0, currentUsage: 8 });
	expect(ours.consumed()).toHaveLength(2);
});

test("the answer has no credits for a feature without a credit rate", async () => {
	const ours = await ground();
	const [free] = await ours.report({ featureId: "free", value: 3 });
	expect(free.credit).toBeNull();
	expect(ours.consumed()).toEqual([]);
});

test("consume and the commit of a reservation also consume credits", async () => {
	const ours = await ground();
	const path = "/customers/acme/entitlements/images";
	const consumed = await ours.call("POST", `${path}/consume`, { body: { amount: 2 } });
	expect(consumed.body.data.usage.credit).toMatchObject({ consumed: 4, currentUsage: 4 });
	const held = await ours.call("POST", `${path}/reservations`, { body: { amount: 5 } });
	expect(ours.consumed()).toHaveLength(1);
	const committed = await ours.call("POST", `/reservations/${held.body.data.reservation.id}/commit`, {
		body: { amount: 3 },
	});
	expect(committed.status).toBe(200);
	expect(ours.consumed().map(({ amount, eventId }) => [amount, eventId])).toEqual([
		["4" as Decimal, consumed.body.data.usage.id],
		["6" as Decimal, committed.body.data.usageId],
	]);
});

test("a report beyond the balance is recorded, and later checks deny", async () => {
	const ours = await ground();
	const { usageLimit } = await ours.check();
	const [over] = await ours.report({ featureId: "images", value: usageLimit });
	expect(over.credit).toMatchObject({ consumed: 2 * usageLimit, currentUsage: 2 * usageLimit });
	expect(await ours.check()).toMatchObject({
		isGranted: false,
		accessDeniedReason: "InsufficientCredits",
		currentUsage: 2 * usageLimit,
	});
	const estimate = await ours.ofUsage({ featureId: "images", value: 1 });
	expect(estimate.body.data.estimates[0]).toMatchObject({ currentBalance: -usageLimit, wouldOverdraft: true });
	ours.grant(usageLimit + 1);
	expect(await ours.check()).toMatchObject({ isGranted: true, accessDeniedReason: null });
	expect(await ours.check("gold", "&requestedUsage=2")).toMatchObject({ isGranted: false });
});

test("manually granted credits need neither entitlement nor subscription", async () => {
	const ours = await ground();
	await ours.call("POST", "/customers", { body: { id: "bare" } });
	const check = async () => (await ours.call("GET", "/customers/bare/entitlements/check?currencyId=gold")).body.data;
	expect(await check()).toMatchObject({ isGranted: false, accessDeniedReason: "NoActiveSubscription" });
	ours.transactions.write(ours.actor, (work) =>
		issueGrant(work, {
			customerId: getCustomer(work, "bare").id,
			currencyId: findCurrency(work, "gold")?.id ?? "",
			resourceRef: "",
			displayName: "by hand",
			grantType: "PROMOTIONAL",
			amount: "7" as Decimal,
			effectiveAt: work.now,
			expireAt: null,
		}),
	);
	expect(await check()).toMatchObject({ isGranted: true, usageLimit: 7, currentUsage: 0 });
	const list = await ours.call("GET", "/customers/bare/entitlements");
	expect(list.body.data).toMatchObject({
		accessDeniedReason: null,
		entitlements: [{ type: "CREDIT", isGranted: true, usageLimit: 7 }],
	});
});
