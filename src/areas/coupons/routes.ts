import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, RefId, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { couponOperations as operations } from "./openapi";
import { archiveCoupon, createCoupon, getCoupon, listCoupons, updateCoupon } from "./operations";
import { Coupon, CouponCreate, CouponListQuery, CouponUpdate } from "./schema";
import { viewCoupon } from "./view";

const params = Type.Object({ id: RefId });

export const couponRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/coupons", tags: ["Coupons"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listCoupons(work, query), viewCoupon)), {
			detail: operations.list,
			permit: "COUPON:READ",
			query: CouponListQuery,
			response: listOf(Coupon),
		})
		.post("", ({ create, body }) => create((work) => ({ data: viewCoupon(createCoupon(work, body)) })), {
			detail: operations.create,
			permit: "COUPON:WRITE",
			body: CouponCreate,
			response: { 201: single(Coupon) },
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => ({ data: viewCoupon(getCoupon(work, id)) })), {
			detail: operations.retrieve,
			permit: "COUPON:READ",
			params,
			response: single(Coupon),
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) => write((work) => ({ data: viewCoupon(updateCoupon(work, id, body)) })),
			{ detail: operations.update, permit: "COUPON:WRITE", params, body: CouponUpdate, response: single(Coupon) },
		)
		.post(
			"/:id/archive",
			({ write, params: { id } }) => write((work) => ({ data: viewCoupon(archiveCoupon(work, id)) })),
			{ detail: operations.archive, permit: "COUPON:WRITE", params, response: single(Coupon) },
		);
