import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Services } from "../../services";
import { archiveCoupon, createCoupon, getCoupon, listCoupons, updateCoupon } from "./operations";
import { Coupon, CouponCreate, CouponListQuery, CouponUpdate } from "./schema";
import { viewCoupon } from "./view";

const params = Type.Object({ id: RefId });

export const couponRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/coupons", tags: ["Coupons"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listCoupons(work, query), viewCoupon)), {
			permit: "COUPON:READ",
			query: CouponListQuery,
			response: listOf(Coupon),
		})
		.post("", ({ create, body }) => create((work) => ({ data: viewCoupon(createCoupon(work, body)) })), {
			permit: "COUPON:WRITE",
			body: CouponCreate,
			response: { 201: single(Coupon) },
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => ({ data: viewCoupon(getCoupon(work, id)) })), {
			permit: "COUPON:READ",
			params,
			response: single(Coupon),
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => ({ data: viewCoupon(updateCoupon(work, id, body)) })),
			{ permit: "COUPON:WRITE", params, body: CouponUpdate, response: single(Coupon) },
		)
		.post(
			"/:id/archive",
			({ write, params: { id } }) => write((work) => ({ data: viewCoupon(archiveCoupon(work, id)) })),
			{ permit: "COUPON:WRITE", params, response: single(Coupon) },
		);
