import { type Decimal, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { couponsByIds } from "../coupons/operations";
import type { CouponRow } from "../coupons/table";
import { currenciesByIds } from "../currencies/operations";
import { customersByIds, resourcesByIds } from "../customers/operations";
import { featuresByIds } from "../features/operations";
import { amountsDue, latestInvoicesOf } from "../invoices/operations";
import type { InvoiceRow } from "../invoices/table";
import { chargesOfVersions, versionsByIds } from "../packages/operations";
import { pricesOfPhases } from "../packages/rules.phases";
import type { ChargeRow } from "../packages/table";
import { selectSuccessors } from "./store";
import { selectPendingUpdates } from "./store.updates";
import type { SubscriptionRow } from "./table";
import type { SubscriptionUpdateRow } from "./table.changes";
import type { SubscriptionCouponRow } from "./table.parts";
import { namesIn } from "./terms/load-sale-context";
import { placedPhases } from "./terms/phases";
import type { EffectivePrice, Names } from "./terms/prices";
import { effectivePrices, pricesInPhase, soldPackages, upliftedPrices } from "./terms/sale";
import { selectAddons, selectCoupons, selectEntitlements } from "./terms/store";

/**
 * The data of a subscription's view in addition to its row: the caller's ids in place of row ids, its parts and its
 * prices.
 */
export interface SubscriptionDetails {
	readonly row: SubscriptionRow;
	readonly customerRef: string;
	readonly payingCustomerRef: string | null;
	readonly resourceRef: string | null;
	readonly planRef: string;
	readonly addons: readonly { readonly refId: string; readonly quantity: number }[];
	readonly coupons: readonly { readonly applied: SubscriptionCouponRow; readonly coupon: CouponRow }[];
	readonly prices: readonly EffectivePrice<ChargeRow>[];
	readonly phases: ReturnType<typeof placedPhases>;
	readonly names: Names;
	readonly latestInvoice: InvoiceRow | undefined;
	/** The amount of the latest invoice that is still open. */
	readonly amountDue: Decimal;
	/** Future updates: scheduled, or waiting for a payment. */
	readonly updates: readonly SubscriptionUpdateRow[];
	/** The plan that is scheduled to replace it. */
	readonly successor: { readonly row: SubscriptionRow; readonly planRef: string } | undefined;
	/** Null in lists (docs/interface/subscriptions.md). */
	readonly entitlements: readonly { readonly id: string; readonly type: "FEATURE" | "CREDIT" }[] | null;
}

/** Returns the details of one subscription, with its own entitlements. */
export function detailOf(work: Work, row: SubscriptionRow): SubscriptionDetails {
	const [details] = detailsOf(work, [row], true);
	assert(details, "one row has one set of details");
	return details;
}

/** Returns the details of a page of subscriptions, with a fixed number of queries. */
export function detailsOf(
	work: Work,
	rows: readonly SubscriptionRow[],
	withEntitlements = false,
): SubscriptionDetails[] {
	const ids = rows.map(({ id }) => id);
	const customers = customersByIds(
		work,
		rows.flatMap(({ customerId, payingCustomerId }) => [
			customerId,
			...(payingCustomerId === null ? [] : [payingCustomerId]),
		]),
	);
	const resources = resourcesByIds(
		work,
		rows.flatMap(({ resourceId }) => resourceId ?? []),
	);
	const addons = Map.groupBy(selectAddons(work, ids), ({ subscriptionId }) => subscriptionId);
	const successors = new Map(selectSuccessors(work, ids).map((row) => [row.supersedesId, row]));
	const versions = versionsByIds(work, [
		...new Set([...rows, ...successors.values(), ...[...addons.values()].flat()].map(({ versionId }) => versionId)),
	]);
	const updates = Map.groupBy(selectPendingUpdates(work, ids), ({ subscriptionId }) => subscriptionId);
	const invoices = latestInvoicesOf(work, ids);
	const due = amountsDue(work, [...invoices.values()]);
	const applied = Map.groupBy(selectCoupons(work, ids), ({ subscriptionId }) => subscriptionId);
	const coupons = couponsByIds(
		work,
		[...applied.values()].flat().map(({ couponId }) => couponId),
	);
	const charges = chargesOfVersions(work, [...versions.keys()]);
	const inPhases = [...versions.values(), ...rows].flatMap(({ phases }) => pricesOfPhases(phases));
	const names = namesIn(work, [...[...charges.values()].flat(), ...inPhases]);
	return rows.map((row) => {
		const plan = versions.get(row.versionId);
		const customer = customers.get(row.customerId);
		const successor = successors.get(row.id);
		assert(plan && customer, "a subscription's plan and customer exist");
		const held = (addons.get(row.id) ?? []).flatMap(({ versionId, quantity }) => {
			const version = versions.get(versionId);
			return version ? [{ version, quantity }] : [];
		});
		const phases = placedPhases(row, plan);
		const catalogue = effectivePrices(soldPackages({ plan, addons: held }, charges), row, names);
		return {
			row,
			customerRef: customer.refId,
			payingCustomerRef: row.payingCustomerId === null ? null : (customers.get(row.payingCustomerId)?.refId ?? null),
			resourceRef: row.resourceId === null ? null : (resources.get(row.resourceId)?.refId ?? null),
			planRef: plan.refId,
			addons: held.map(({ version, quantity }) => ({ refId: version.refId, quantity })),
			coupons: (applied.get(row.id) ?? []).flatMap((one) => {
				const coupon = coupons.get(one.couponId);
				return coupon ? [{ applied: one, coupon }] : [];
			}),
			prices: upliftedPrices(pricesInPhase({ ...row, plan, prices: catalogue }, phases.running), row.uplifts, work.now),
			phases,
			names,
			latestInvoice: invoices.get(row.id),
			amountDue: due.get(invoices.get(row.id)?.id ?? "") ?? zero,
			updates: updates.get(row.id) ?? [],
			successor: successor && { row: successor, planRef: versions.get(successor.versionId)?.refId ?? "" },
			entitlements: withEntitlements ? entitlementRefs(work, row) : null,
		};
	});
}

function entitlementRefs(work: Work, { id }: SubscriptionRow) {
	const own = selectEntitlements(work, [id]);
	const features = featuresByIds(
		work,
		own.flatMap(({ featureId }) => featureId ?? []),
	);
	const currencies = currenciesByIds(
		work,
		own.flatMap(({ currencyId }) => currencyId ?? []),
	);
	return own.map(({ featureId, currencyId }) =>
		featureId !== null
			? { id: features.get(featureId)?.refId ?? featureId, type: "FEATURE" as const }
			: { id: currencies.get(currencyId ?? "")?.refId ?? "", type: "CREDIT" as const },
	);
}
