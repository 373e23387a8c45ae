import { eq, inArray, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { byRefId, NoBody, operation } from "../../graphql/input/operation";
import { moneyOf } from "../../graphql/input/value-formats";
import { date, type List, reckoned, text } from "../../graphql/lists/list";
import { toWireOrNull } from "../../kernel/decimal";
import { archiveCoupon, couponsByIds, createCoupon, getCoupon, updateCoupon } from "./operations";
import { couponStatus, couponType } from "./rules";
import { CouponCreate, CouponUpdate } from "./schema";
import { type CouponRow, coupons } from "./table";

const typeDefs = `
	enum CouponType { FIXED PERCENTAGE }
	enum CouponStatus { ACTIVE ARCHIVED }
	enum CouponSource { TOLLGATE TOLLGATE_ADHOC STRIPE }
	type SyncState { vendorIdentifier: String! status: String! }
	type Coupon {
		id: ID!
		"The caller's id."
		refId: String!
		name: String!
		description: String
		type: CouponType!
		status: CouponStatus!
		source: CouponSource
		"Percent, or the first of the amounts."
		discountValue: Float!
		percentOff: Float
		amountsOff: [Money!]
		durationInMonths: Int
		additionalMetaData: JSON
		billingId: String
		billingLinkUrl: String
		"Where the coupon is kept at integrations too."
		syncStates: [SyncState!]
		environmentId: String!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	"One of percentOff and amountsOff; what is left out is null."
	input CreateCouponInput {
		refId: String!
		name: String!
		description: String = null
		percentOff: Float = null
		amountsOff: [MoneyInput!] = null
		durationInMonths: Int = null
		additionalMetaData: JSON = null
	}
	"The terms are fixed for good. What is left out stays, null clears."
	input UpdateCouponInput { refId: String! name: String description: String additionalMetaData: JSON }
	extend type Query {
		"Throws CouponNotFound."
		coupon(refId: String!): Coupon
	}
	extend type Mutation {
		createOneCoupon(input: CreateCouponInput!): Coupon
		updateOneCoupon(input: UpdateCouponInput!): Coupon
		archiveCoupon(input: ByRefIdInput!): Coupon
	}
`;

const coupon = fieldsOf<CouponRow>({
	scope: "COUPON:READ",
	open: ["id", "refId"],
	fields: {
		type: couponType,
		status: couponStatus,
		discountValue: ({ percentOff, amountsOff }) => toWireOrNull(percentOff ?? amountsOff?.[0]?.amount ?? null),
		percentOff: ({ percentOff }) => toWireOrNull(percentOff),
		amountsOff: ({ amountsOff }) => amountsOff?.map(moneyOf),
		durationInMonths: ({ durationMonths }) => durationMonths,
		additionalMetaData: ({ metadata }) => metadata,
		// No integration keeps coupons.
		syncStates: () => [],
	},
});

const list: List = {
	field: "coupons",
	type: "Coupon",
	scope: "COUPON:READ",
	source: sql`${coupons}`,
	id: coupons.id,
	within: ({ actor }) => eq(coupons.environmentId, actor.environmentId),
	// Discounts stated inline live with their subscription (docs/interface/catalogue.md).
	shown: () => inArray(coupons.source, ["TOLLGATE", "STRIPE"]),
	fields: {
		id: text(coupons.id),
		refId: text(coupons.refId),
		name: text(coupons.name),
		description: text(coupons.description),
		type: reckoned(
			{ enum: "CouponType" },
			sql`case when ${coupons.percentOff} is null then 'FIXED' else 'PERCENTAGE' end`,
		),
		status: reckoned(
			{ enum: "CouponStatus" },
			sql`case when ${coupons.archivedAt} is null then 'ACTIVE' else 'ARCHIVED' end`,
		),
		billingId: text(coupons.billingId),
		createdAt: date(coupons.createdAt),
		updatedAt: date(coupons.updatedAt),
		environmentId: text(coupons.environmentId),
	},
	rows: couponsByIds,
};

const scope = "COUPON:WRITE";

export const couponsGraphql: GraphqlArea = {
	typeDefs,
	types: { Coupon: coupon },
	queries: {
		coupon: { scope: "COUPON:READ", resolve: (args, { work }) => getCoupon(work, textOf(args, "refId") ?? "") },
	},
	mutations: {
		createOneCoupon: operation({ scope, body: CouponCreate, run: createCoupon }),
		updateOneCoupon: operation({
			scope,
			path: byRefId,
			body: CouponUpdate,
			run: (work, body, { id }) => updateCoupon(work, id, body),
		}),
		archiveCoupon: operation({ scope, path: byRefId, body: NoBody, run: (work, _, { id }) => archiveCoupon(work, id) }),
	},
	lists: [list],
};
