import { describe, expect, test } from "bun:test";
import { type CouponAction, couponTransitions } from "../../../../src/areas/coupons/rules";
import type { CouponStatus } from "../../../../src/areas/coupons/schema";
import type { World } from "../../../support/world";
import { isRefusal } from "../../packages/guards";
import { shop } from "../../subscriptions/shop";

const statuses: readonly CouponStatus[] = ["ACTIVE", "ARCHIVED"];
const actions: readonly CouponAction[] = ["update", "apply", "archive"];

const act = ({ call }: World, action: CouponAction) => {
	switch (action) {
		case "update":
			return call("PATCH", "/coupons/TEN", { body: { name: "Renamed" } });
		case "apply": {
			const body = { customerId: "acme", planId: "basic", appliedCoupon: { couponId: "TEN" } };
			return call("POST", "/subscriptions", { body });
		}
		case "archive":
			return call("POST", "/coupons/TEN/archive");
	}
};

describe("the life of a coupon", () => {
	for (const status of statuses)
		for (const action of actions) {
			const next = couponTransitions[status][action];
			test(`${status}: ${action} ${typeof next === "string" ? `leads to ${next}` : "is refused"}`, async () => {
				const ours = await shop();
				if (status === "ARCHIVED") await act(ours, "archive");
				const answer = await act(ours, action);
				if (typeof next === "string") expect(answer.status).toBeLessThan(300);
				else isRefusal(answer, 400, next.code, next.because);
				const { data } = (await ours.call("GET", "/coupons/TEN")).body;
				expect(data.status).toBe(typeof next === "string" ? next : status);
			});
		}
});
