import { describe, expect, test } from "bun:test";
import { createAdHocCoupon } from "../../../src/areas/coupons/operations";
import { longText, type World, world } from "../../support/world";
import { guard, isRefusal } from "../packages/guards";

const tenPercent = {
	id: "TEN",
	name: "Ten off",
	description: null,
	percentOff: 10,
	amountsOff: null,
	durationInMonths: null,
	metadata: null,
};
const fiveDollars = { ...tenPercent, id: "FIVE", percentOff: null, amountsOff: [{ amount: 5.25, currency: "usd" }] };

guard(
	[
		{ method: "GET", path: "/coupons", scope: "COUPON:READ" },
		{ method: "POST", path: "/coupons", scope: "COUPON:WRITE", body: tenPercent },
		{
			method: "GET",
			path: "/coupons/KEPT",
			scope: "COUPON:READ",
			missing: "CouponNotFound",
			missingPath: "/coupons/NO",
		},
		{
			method: "PATCH",
			path: "/coupons/KEPT",
			scope: "COUPON:WRITE",
			body: { name: "Other" },
			missing: "CouponNotFound",
			missingPath: "/coupons/NO",
		},
		{
			method: "POST",
			path: "/coupons/KEPT/archive",
			scope: "COUPON:WRITE",
			missing: "CouponNotFound",
			missingPath: "/coupons/NO/archive",
		},
	],
	async ({ call }) => {
		await call("POST", "/coupons", { body: { ...tenPercent, id: "KEPT" } });
	},
);

const create = ({ call }: World, body: unknown) => call("POST", "/coupons", { body });

describe("POST /coupons", () => {
	test("makes a percentage coupon with every key of the contract", async () => {
		expect(
			await create(world(), { ...tenPercent, durationInMonths: 3, metadata: { campaign: "spring" } }),
		).toMatchObject({
			status: 201,
			body: {
				data: {
					id: "TEN",
					name: "Ten off",
					description: null,
					type: "PERCENTAGE",
					status: "ACTIVE",
					source: "TOLLGATE",
					percentOff: 10,
					amountsOff: null,
					durationInMonths: 3,
					billingId: null,
					billingLinkUrl: null,
					metadata: { campaign: "spring" },
					createdAt: "2026-01-31T00:00:00.000Z",
					updatedAt: "2026-01-31T00:00:00.000Z",
				},
			},
		});
	});

	test("makes a coupon of fixed amounts, exact to the cent", async () => {
		const answer = await create(world(), fiveDollars);
		expect(answer.body.data).toMatchObject({
			type: "FIXED",
			percentOff: null,
			amountsOff: [{ amount: 5.25, currency: "usd" }],
		});
	});

	test("refuses a second one of the same id, and tells clients not to retry; elsewhere the id is free", async () => {
		const ours = world();
		await create(ours, tenPercent);
		const second = await create(ours, { ...fiveDollars, id: "TEN" });
		isRefusal(second, 409, "DuplicatedEntityNotAllowed", "'TEN'");
		expect(second.headers.get("x-should-retry")).toBe("false");
		expect((await ours.call("POST", "/coupons", { body: tenPercent, key: ours.foreignKey })).status).toBe(201);
	});

	const usd = { amount: 5, currency: "usd" };
	test.each([
		["a number in words", { percentOff: "ten" }, "/percentOff"],
		["nothing off", { percentOff: 0 }, "/percentOff"],
		["more than all off", { percentOff: 100.01 }, "/percentOff"],
		["neither discount", { percentOff: null }, "exactly one"],
		["both discounts", { amountsOff: [usd] }, "exactly one"],
		["no amount at all", { percentOff: null, amountsOff: [] }, "/amountsOff"],
		["an amount of nothing", { percentOff: null, amountsOff: [{ ...usd, amount: 0 }] }, "/amountsOff/0/amount"],
		["an unknown currency", { percentOff: null, amountsOff: [{ ...usd, currency: "xxx" }] }, "/amountsOff/0/currency"],
		[
			"an upper-case currency",
			{ percentOff: null, amountsOff: [{ ...usd, currency: "USD" }] },
			"/amountsOff/0/currency",
		],
		["one currency twice", { percentOff: null, amountsOff: [usd, usd] }, "'usd' twice"],
		["an unknown key of an amount", { percentOff: null, amountsOff: [{ ...usd, cents: 1 }] }, "cents"],
		["no name", { name: undefined }, "name"],
		["an empty name", { name: "" }, "/name"],
		["a name of 41 characters", { name: longText(41) }, "/name"],
		["a description of 256 characters", { description: longText(256) }, "/description"],
		["no months", { durationInMonths: 0 }, "/durationInMonths"],
		["half a month", { durationInMonths: 1.5 }, "/durationInMonths"],
		["a number in the metadata", { metadata: { a: 1 } }, "/metadata"],
		["an id with a space", { id: "A B" }, "/id"],
		["an id with an @", { id: "a@b" }, "/id"],
		["an id of 256 characters", { id: longText(256) }, "/id"],
	])("refuses %s", async (_, change, message) => {
		isRefusal(await create(world(), { ...tenPercent, ...change }), 400, "BadUserInput", message);
	});

	test("accepts the longest name, description and id", async () => {
		const body = { ...tenPercent, id: longText(255), name: longText(40), description: longText(255), percentOff: 100 };
		expect((await create(world(), body)).status).toBe(201);
	});
});

describe("PATCH /coupons/{id}", () => {
	test("changes only what is sent; null clears; the terms stay", async () => {
		const ours = world();
		await create(ours, { ...tenPercent, description: "Old", metadata: { a: "1" } });
		ours.clock.at = (ours.clock.at + 1000) as typeof ours.clock.at;
		const renamed = await ours.call("PATCH", "/coupons/TEN", { body: { name: "New" } });
		expect(renamed.body.data).toMatchObject({ name: "New", description: "Old", metadata: { a: "1" }, percentOff: 10 });
		expect(renamed.body.data).toMatchObject({
			createdAt: "2026-01-31T00:00:00.000Z",
			updatedAt: "2026-01-31T00:00:01.000Z",
		});
		const cleared = await ours.call("PATCH", "/coupons/TEN", { body: { description: null, metadata: null } });
		expect(cleared.body.data).toMatchObject({ name: "New", description: null, metadata: null });
		isRefusal(
			await ours.call("PATCH", "/coupons/TEN", { body: { percentOff: 20 } }),
			400,
			"BadUserInput",
			"percentOff",
		);
		isRefusal(await ours.call("PATCH", "/coupons/TEN", { body: { name: null } }), 400, "BadUserInput", "/name");
	});
});

describe("POST /coupons/{id}/archive", () => {
	test("archives once and for all, needs no body, and frees no id", async () => {
		const ours = world();
		await create(ours, tenPercent);
		for (let time = 0; time < 2; time += 1) {
			const answer = await ours.call("POST", "/coupons/TEN/archive");
			expect(answer).toMatchObject({ status: 200, body: { data: { id: "TEN", status: "ARCHIVED" } } });
		}
		isRefusal(await create(ours, tenPercent), 409, "DuplicatedEntityNotAllowed");
		expect((await ours.call("GET", "/coupons/TEN")).body.data.status).toBe("ARCHIVED");
	});
});

test("a discount stated inline on a subscription is no coupon of the catalogue", async () => {
	const ours = world();
	const source = ours.transactions.write(ours.actor, (work) => createAdHocCoupon(work, { percentOff: 15 }).source);
	expect(source).toBe("TOLLGATE_ADHOC");
	expect((await ours.call("GET", "/coupons")).body.data).toEqual([]);
});
