import { operation } from "../../openapi/operation";

const path = { id: ["The coupon's id", "coupon-welcome"] } as const;

export const couponOperations = {
	list: operation({
		operationId: "coupons.list",
		summary: "List coupons",
		query: {
			id: "Only the coupon with this id",
			status: "Only coupons in these states",
			type: "Only coupons of this type",
		},
	}),
	create: operation({
		operationId: "coupons.create",
		summary: "Create a coupon",
		description:
			"A discount in percent, an amount for each currency, or free units of features in each window of usage. Its terms are fixed for good.",
		example: {
			id: "coupon-spring",
			name: "Spring",
			description: "A quarter off for half a year",
			percentOff: 25,
			amountsOff: null,
			durationInMonths: 6,
			metadata: null,
		},
		refusals: ["DuplicatedEntityNotAllowed", "InvalidArgumentError", "UnsupportedFeatureType"],
	}),
	retrieve: operation({
		operationId: "coupons.retrieve",
		summary: "Show a coupon",
		path,
		refusals: ["CouponNotFound"],
	}),
	update: operation({
		operationId: "coupons.updateCoupon",
		summary: "Change a coupon's name, description or metadata",
		path,
		example: { description: "Ten percent off for the first quarter" },
		refusals: ["CouponNotFound", "EntityIsArchivedError"],
	}),
	archive: operation({
		operationId: "coupons.archiveCoupon",
		summary: "Archive a coupon",
		description: "It can be applied no more; those who have it keep it.",
		path,
		refusals: ["CouponNotFound"],
	}),
};
