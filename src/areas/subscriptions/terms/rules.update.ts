import type { UpdateType } from "../schema";
import type { SubscriptionUpdate } from "../schema.update";

/** One kind of change within an update: what can be scheduled, and shows as a future update, by itself. */
export interface UpdatePart {
	readonly type: UpdateType;
	readonly changes: SubscriptionUpdate;
}

/** The kinds of change that one update makes. Source: docs/interface/subscriptions.md, the types of `futureUpdates`. */
export function partsOf(input: SubscriptionUpdate): UpdatePart[] {
	const { addons, appliedCoupon, billingInformation, billingPeriod, charges, metadata, minimumSpend, priceOverrides } =
		input;
	const { couponId, ...details } = billingInformation ?? {};
	const units = charges?.filter(({ type }) => type === "FEATURE");
	const credits = charges?.filter(({ type }) => type === "CREDIT");
	const coupon: SubscriptionUpdate = {
		...(appliedCoupon && { appliedCoupon }),
		...(input.promotionCode !== undefined && { promotionCode: input.promotionCode }),
		...(couponId !== undefined && { billingInformation: { couponId } }),
	};
	const prices: SubscriptionUpdate = {
		...(priceOverrides && { priceOverrides }),
		...(minimumSpend !== undefined && { minimumSpend }),
	};
	const part = (type: UpdateType, changes: SubscriptionUpdate): UpdatePart[] =>
		Object.keys(changes).length === 0 ? [] : [{ type, changes }];
	return [
		...part("BILLING_PERIOD", billingPeriod ? { billingPeriod } : {}),
		...part("ADDON", addons ? { addons } : {}),
		...part("UNIT_AMOUNT", units && units.length > 0 ? { charges: units } : {}),
		...part("RECURRING_CREDITS", credits && credits.length > 0 ? { charges: credits } : {}),
		...part("PRICE_OVERRIDE", prices),
		...part("COUPON", coupon),
		...part("ADDITIONAL_META_DATA", metadata ? { metadata } : {}),
		...part("BILLING_INFO_METADATA", Object.keys(details).length > 0 ? { billingInformation: details } : {}),
	];
}

/** What no future update has a type for: it is changed at once, whenever the rest is. */
export const nowOnly = ({ budget, entitlements, salesforceId }: SubscriptionUpdate): SubscriptionUpdate => ({
	...(budget !== undefined && { budget }),
	...(entitlements && { entitlements }),
	...(salesforceId !== undefined && { salesforceId }),
});

/** A change of what is held or paid; the others change only what is written about it. */
export const isTerm = ({ type }: UpdatePart): boolean =>
	type !== "ADDITIONAL_META_DATA" && type !== "BILLING_INFO_METADATA" && type !== "COUPON";

/** Several updates of one time as one; units and billing information come in parts. */
export function mergedChanges(updates: ReadonlyArray<{ readonly changes: SubscriptionUpdate }>): SubscriptionUpdate {
	const all = updates.map(({ changes }) => changes);
	const charges = all.flatMap((changes) => changes.charges ?? []);
	const billingInformation = Object.assign({}, ...all.map((changes) => changes.billingInformation));
	return Object.assign({}, ...all, {
		...(charges.length > 0 && { charges }),
		...(Object.keys(billingInformation).length > 0 && { billingInformation }),
	});
}
