import { inArray, sql } from "drizzle-orm";
import { byRefIdQuery, fieldsOf, type GraphqlArea } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { calculated, columns, statusUntilArchived, tableList } from "../../graphql/lists/list";
import { archiveCoupon, couponsByIds, createCoupon, getCoupon, updateCoupon } from "./operations";
import { couponStatus, couponType, discountValue } from "./rules";
import { Coupon, CouponCreate, CouponFrequency, CouponSource, CouponStatus, CouponType, CouponUpdate } from "./schema";
import { type CouponRow, coupons } from "./table";

const schemas = { CouponType, CouponStatus, CouponSource, CouponFrequency, Coupon, CouponCreate, CouponUpdate };

const typeDefs = `
	enum CouponType from CouponType
	enum CouponStatus from CouponStatus
	enum CouponSource from CouponSource
	enum CouponFrequency from CouponFrequency
	type SyncState { vendorIdentifier: String! status: String! }
	type Coupon from Coupon {
		id
		"The caller's id."
		refId
		name description type status source
		"A percentage, or the first of the amounts or quantities of free units."
		discountValue: Float!
		*
		"The charges that it discounts: those that any list names. Null: all."
		appliesTo as CouponScope { * }
		"Units that cost nothing in each window of usage."
		freeUnits as CouponFreeUnits { * }
		billingId billingLinkUrl
		"Integrations that have a copy of the coupon."
		syncStates: [SyncState!]
		environmentId createdAt updatedAt
	}
	"Exactly one of percentOff, amountsOff and freeUnits. Omitted members are null."
	input CreateCouponInput from CouponCreate {
		appliesTo as CouponScopeInput { * }
		freeUnits as CouponFreeUnitsInput { * }
		* description = null percentOff = null amountsOff = null durationInMonths = null additionalMetaData = null
	}
	"The terms cannot change. Omitted members stay. Null clears."
	input UpdateCouponInput from CouponUpdate { refId * }
`;

const coupon = fieldsOf<CouponRow>({
	scope: "COUPON:READ",
	open: ["id", "refId"],
	fields: {
		type: couponType,
		status: couponStatus,
		discountValue,
		durationInMonths: ({ durationMonths }) => durationMonths,
		durationInPeriods: ({ durationPeriods }) => durationPeriods,
		// No integration keeps coupons.
		syncStates: () => [],
	},
});

const list = tableList(coupons, {
	...{ field: "coupons", type: "Coupon", scope: "COUPON:READ", rows: couponsByIds },
	// Discounts stated inline belong to their subscription (docs/interface/catalogue.md).
	shown: () => inArray(coupons.source, ["TOLLGATE", "STRIPE"]),
	fields: {
		...columns(coupons, "id refId name description"),
		type: calculated(
			{ enum: "CouponType" },
			sql`case when ${coupons.freeUnits} is not null then 'FREE_UNITS' when ${coupons.percentOff} is null then 'FIXED' else 'PERCENTAGE' end`,
		),
		status: statusUntilArchived("CouponStatus", "ACTIVE", coupons.archivedAt),
		...columns(coupons, "billingId createdAt updatedAt environmentId"),
	},
});

const write = mutationsOf({ returns: "Coupon", scope: "COUPON:WRITE" });

export const couponsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { Coupon: coupon },
	queries: { coupon: byRefIdQuery("Coupon", "COUPON:READ", "Throws CouponNotFound.", getCoupon) },
	mutations: {
		createOneCoupon: write.create("CreateCouponInput", CouponCreate, createCoupon),
		updateOneCoupon: write.change("UpdateCouponInput", CouponUpdate, updateCoupon),
		archiveCoupon: write.act(archiveCoupon),
	},
	lists: [list],
};
