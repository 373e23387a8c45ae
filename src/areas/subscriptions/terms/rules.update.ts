import type { UpdateType } from "../schema";
import type { SubscriptionUpdate } from "../schema.update";

/** One kind of change within an update. It can be scheduled, and shows as a future update of its own. */
export interface UpdatePart {
	readonly type: UpdateType;
	readonly changes: SubscriptionUpdate;
}

/** Splits an update into its kinds of change, the types of `futureUpdates` (docs/interface/subscriptions.md). */
export function partsOf(input: SubscriptionUpdate): UpdatePart[] {
	const {
		addons,
		appliedCoupon,
		appliedCoupons,
		billingInformation,
		billingInterval,
		billingPeriod,
		charges,
		metadata,
		minimumSpend,
		phases,
		priceOverrides,
		taxes,
		term,
	} = input;
	const { couponId, ...details } = billingInformation ?? {};
	const units = charges?.filter(({ type }) => type === "FEATURE");
	const credits = charges?.filter(({ type }) => type === "CREDIT");
	const coupon: SubscriptionUpdate = {
		...(appliedCoupon && { appliedCoupon }),
		...(appliedCoupons && { appliedCoupons }),
		...(input.promotionCode !== undefined && { promotionCode: input.promotionCode }),
		...(couponId !== undefined && { billingInformation: { couponId } }),
	};
	const prices: SubscriptionUpdate = {
		...(priceOverrides && { priceOverrides }),
		...(minimumSpend !== undefined && { minimumSpend }),
		...(phases !== undefined && { phases }),
		...(term !== undefined && { term }),
	};
	const part = (type: UpdateType, changes: SubscriptionUpdate): UpdatePart[] =>
		Object.keys(changes).length === 0 ? [] : [{ type, changes }];
	return [
		...part("BILLING_PERIOD", { ...(billingPeriod && { billingPeriod }), ...(billingInterval && { billingInterval }) }),
		...part("ADDON", addons ? { addons } : {}),
		...part("UNIT_AMOUNT", units && units.length > 0 ? { charges: units } : {}),
		...part("RECURRING_CREDITS", credits && credits.length > 0 ? { charges: credits } : {}),
		...part("PRICE_OVERRIDE", prices),
		...part("COUPON", coupon),
		...part("ADDITIONAL_META_DATA", metadata ? { metadata } : {}),
		...part("BILLING_INFO_METADATA", {
			...(Object.keys(details).length > 0 && { billingInformation: details }),
			...(taxes !== undefined && { taxes }),
		}),
	];
}

/**
 * Returns the changes that no type of future update covers. They take effect at once, even if the rest is scheduled.
 */
export const nowOnly = ({
	billingAnchor,
	budget,
	entitlements,
	includesChildUsage,
	prorationMode,
	salesforceId,
	spendThresholds,
	commitments,
	timeZone,
}: SubscriptionUpdate): SubscriptionUpdate => ({
	...(budget !== undefined && { budget }),
	...(entitlements && { entitlements }),
	...(includesChildUsage !== undefined && { includesChildUsage }),
	...(prorationMode !== undefined && { prorationMode }),
	...(billingAnchor !== undefined && { billingAnchor }),
	...(timeZone !== undefined && { timeZone }),
	...(spendThresholds !== undefined && { spendThresholds }),
	...(commitments !== undefined && { commitments }),
	...(salesforceId !== undefined && { salesforceId }),
});

/** Whether a change affects the items or prices; other changes affect only descriptions. */
export const isTerm = ({ type }: UpdatePart): boolean =>
	type !== "ADDITIONAL_META_DATA" && type !== "BILLING_INFO_METADATA" && type !== "COUPON";

/** Merges several updates of one time. Units and billing information are merged part by part. */
export function mergedChanges(updates: ReadonlyArray<{ readonly changes: SubscriptionUpdate }>): SubscriptionUpdate {
	const all = updates.map(({ changes }) => changes);
	const charges = all.flatMap((changes) => changes.charges ?? []);
	const billingInformation = Object.assign({}, ...all.map((changes) => changes.billingInformation));
	// The name of one update and the interval of another are no period.
	const { billingPeriod, billingInterval } =
		all.findLast((changes) => changes.billingPeriod ?? changes.billingInterval) ?? {};
	return Object.assign({}, ...all, {
		billingPeriod,
		billingInterval,
		...(charges.length > 0 && { charges }),
		...(Object.keys(billingInformation).length > 0 && { billingInformation }),
	});
}
