import { type Instant, toIso } from "../../kernel/clock";
import { toWire, toWireOrNull } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { couponsByIds } from "../coupons/operations";
import { customersByIds } from "../customers/operations";
import { defaultPayerId } from "../customers/parents/rules";
import { featuresByIds } from "../features/operations";
import { versionsByIds } from "../packages/operations";
import type { VersionRow } from "../packages/table";
import { currencyOfCharge } from "../pricing/models/charge";
import { productsByIds } from "../products/operations";
import type { ProductRow } from "../products/table";
import { taxationOf } from "../taxes/operations";
import { type CommitmentProgress, commitmentProgress } from "./billing/commitments/operations.progress";
import { recurringPrice } from "./billing/total-price";
import { detailsOf } from "./details";
import { addonsOf, quantitiesOf } from "./operations.reading";
import { previewSubscription, previewUpdate } from "./preview/preview";
import type { SubscriptionPreview, SubscriptionPreviewed } from "./preview/schema";
import { viewPreview } from "./preview/view";
import { billingPeriodAt } from "./rules";
import type { Subscription } from "./schema";
import type { SubscriptionUpdate } from "./schema.update";
import type { SubscriptionRow } from "./table";
import { type BoundEnd, boundEnd, runningTermOf } from "./terms/term";
import { futureUpdatesOf, viewSubscription } from "./view";

/** A subscription with the display names of its items, for the portal. */
export interface ShownSubscription {
	readonly row: SubscriptionRow;
	/** The customer pays for it, not another one. */
	readonly isOwn: boolean;
	readonly view: Subscription;
	readonly product: ProductRow;
	readonly plan: VersionRow;
	readonly addons: ReadonlyArray<{ readonly version: VersionRow; readonly quantity: number }>;
	readonly quantities: ReadonlyArray<{ readonly featureId: string; readonly name: string; readonly quantity: number }>;
	/** The price of a whole period in advance; null if nothing is charged. */
	readonly price: { readonly total: number; readonly currency: string } | null;
	/** The end that a cancellation now would have, by the term that runs; null without a term. */
	readonly boundEnd: BoundEnd | null;
	readonly changes: ReadonlyArray<{ readonly at: string; readonly planName: string | null }>;
	/** The running windows of its commitments. */
	readonly commitments: readonly CommitmentProgress[];
	/** The least and the greatest cost of usage in a window; null: none. */
	readonly bounds: ReadonlyArray<{
		readonly featureName: string;
		readonly currency: string;
		readonly minimumAmount: number | null;
		readonly maximumAmount: number | null;
	}>;
}

/** Shows a page of subscriptions with a fixed number of queries. Their customers and products exist. */
export function shownSubscriptions(work: Work, rows: readonly SubscriptionRow[]): ShownSubscription[] {
	const ids = rows.map(({ id }) => id);
	const details = detailsOf(work, rows);
	const addons = Map.groupBy(addonsOf(work, ids), ({ subscriptionId }) => subscriptionId);
	const quantities = Map.groupBy(quantitiesOf(work, ids), ({ subscriptionId }) => subscriptionId);
	const features = featuresByIds(
		work,
		[...quantities.values()].flat().flatMap(({ featureId }) => featureId ?? []),
	);
	const updates = new Map(details.map((one) => [one.row.id, futureUpdatesOf(one)]));
	const versions = versionsByIds(work, [
		...new Set([
			...rows.map(({ versionId }) => versionId),
			...[...addons.values()].flat().map(({ versionId }) => versionId),
			...[...updates.values()].flat().flatMap(({ target }) => target?.versionId ?? []),
		]),
	]);
	const products = productsByIds(work, [...new Set(rows.map(({ productId }) => productId))]);
	const customers = customersByIds(work, [
		...new Set(
			rows.flatMap(({ customerId, payingCustomerId }) => [customerId, ...(payingCustomerId ? [payingCustomerId] : [])]),
		),
	]);
	const payers = customersByIds(work, [...new Set([...customers.values()].map(defaultPayerId))]);
	const coupons = couponsByIds(
		work,
		[...customers.values()].flatMap(({ couponId }) => couponId ?? []),
	);
	return details.flatMap((detail) => {
		const { row } = detail;
		const product = products.get(row.productId);
		const customer = customers.get(row.customerId);
		const plan = versions.get(row.versionId);
		if (!product || !customer || !plan) return [];
		const purchased = quantities.get(row.id) ?? [];
		const coupon = coupons.get(customer.couponId ?? "");
		const payerId = row.payingCustomerId ?? defaultPayerId(customer);
		const taxation = taxationOf(work, row, customers.get(payerId) ?? payers.get(payerId) ?? customer);
		const price = recurringPrice(work, { details: detail, purchased, product, customer, coupon, taxation });
		return [
			{
				row,
				isOwn: payerId === customer.id,
				view: viewSubscription(detail, work.now),
				product,
				plan,
				addons: (addons.get(row.id) ?? []).flatMap(({ versionId, quantity }) => {
					const version = versions.get(versionId);
					return version ? [{ version, quantity }] : [];
				}),
				quantities: purchased.flatMap(({ featureId, quantity }) => {
					const feature = features.get(featureId ?? "");
					return feature ? [{ featureId: feature.refId, name: feature.displayName, quantity: toWire(quantity) }] : [];
				}),
				price: price ? { total: toWire(price.total), currency: price.currency } : null,
				boundEnd: endOfTerm(work, row, product),
				commitments: commitmentProgress(work, row),
				bounds: boundsOf(detail),
				changes: (updates.get(row.id) ?? []).map(({ executeAt, target }) => ({
					at: toIso(executeAt),
					planName: versions.get(target?.versionId ?? "")?.displayName ?? null,
				})),
			},
		];
	});
}

/** The least and the greatest cost of usage, by the prices that apply now. */
const boundsOf = ({ prices, names }: ReturnType<typeof detailsOf>[number]): ShownSubscription["bounds"] =>
	prices.flatMap(({ charge }) => {
		const { minimumAmount, maximumAmount } = charge.priceTerms ?? {};
		const currency = currencyOfCharge(charge);
		if (charge.featureId === null || currency === undefined || !(minimumAmount ?? maximumAmount)) return [];
		return [
			{
				...{ featureName: names.featureName(charge.featureId), currency },
				minimumAmount: toWireOrNull(minimumAmount ?? null),
				maximumAmount: toWireOrNull(maximumAmount ?? null),
			},
		];
	});

/** A product cancels at once, or at the end of the billing period. */
function endOfTerm(work: Work, row: SubscriptionRow, { settings }: ProductRow): BoundEnd | null {
	if (runningTermOf(row) === null) return null;
	const waits = row.status === "ACTIVE" && settings.subscriptionCancellationTime !== "IMMEDIATE";
	const at = waits ? (billingPeriodAt(row, work.now)?.end ?? work.now) : work.now;
	return boundEnd(row, at, work.now);
}

export interface ShownPreview {
	readonly preview: SubscriptionPreviewed;
	/** When the change takes effect. */
	readonly at: Instant;
}

/** Returns the price of a sale in the format of the REST preview. */
export function shownPreview(work: Work, input: SubscriptionPreview): ShownPreview {
	const previewed = previewSubscription(work, input);
	return { preview: viewPreview(previewed), at: previewed.at };
}

/** Returns the price of a change in the format of the REST preview. */
export function shownUpdatePreview(work: Work, refId: string, input: SubscriptionUpdate): ShownPreview {
	const previewed = previewUpdate(work, refId, input);
	return { preview: viewPreview(previewed), at: previewed.at };
}
