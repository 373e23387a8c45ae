import type { Instant } from "../../../../kernel/clock";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import { childrenOver } from "../../../customers/parents/operations";
import { chargesOfVersions } from "../../../packages/operations";
import { overlapOf, type PooledUsage, without } from "../../../usage/rules.pooled";
import { selectOfCustomers } from "../../store.of-customers";
import type { SubscriptionRow } from "../../table";
import { selectAddons } from "../../terms/store";

/** The range of possible instants. */
const first = -8.64e15 as Instant;
const last = 8.64e15 as Instant;

/**
 * Returns the usage of children that counts for a subscription, by the row id of the feature: in the times in which a customer is a child
 * and the subscription includes it, except where a subscription of the child has a price for the usage. `resourceRef` is the resource of the
 * subscription.
 */
export function childUsageOf(
	work: Work,
	{ customerId, childUsage }: SubscriptionRow,
	resourceRef: string | null,
): (featureId: string) => readonly PooledUsage[] {
	if (childUsage === null) return () => [];
	const included = childUsage.map(({ start, end }) => ({ start: start ?? first, end: end ?? last }));
	const memberships = childrenOver(work, customerId);
	const children = [...new Set(memberships.map((one) => one.customerId))];
	const rows = selectOfCustomers(work, children, resourceRef).filter(hasRun);
	const billed = billedTimes(work, rows);
	return (featureId) =>
		children.map((child) => ({
			customerId: child,
			times: memberships
				.filter((one) => one.customerId === child)
				.flatMap(({ startsAt, endsAt }) => {
					const time = { start: startsAt ?? first, end: endsAt ?? last };
					return included.map((one) => overlapOf(one, time)).filter(({ start, end }) => start < end);
				})
				.flatMap((time) => without(time, billed(child, featureId))),
		}));
}

/** A subscription that never began bills nothing. */
const hasRun = ({ status, billingAnchorAt, trialEndAt }: SubscriptionRow): boolean =>
	["ACTIVE", "IN_TRIAL", "PAUSED"].includes(status) || billingAnchorAt !== null || trialEndAt !== null;

/** Returns the times in which a customer's own subscriptions have a price for the usage of a feature. */
function billedTimes(
	work: Work,
	rows: readonly SubscriptionRow[],
): (customerId: string, featureId: string) => Period[] {
	const addons = Map.groupBy(
		selectAddons(
			work,
			rows.map(({ id }) => id),
		),
		({ subscriptionId }) => subscriptionId,
	);
	const versionsOf = (row: SubscriptionRow) => [
		row.versionId,
		...(addons.get(row.id) ?? []).map(({ versionId }) => versionId),
	];
	const charges = chargesOfVersions(work, [...new Set(rows.flatMap(versionsOf))]);
	const prices = (row: SubscriptionRow, featureId: string): boolean =>
		versionsOf(row).some((versionId) =>
			(charges.get(versionId) ?? []).some(
				(charge) => charge.billingModel === "USAGE_BASED" && charge.featureId === featureId,
			),
		);
	const ofCustomer = Map.groupBy(rows, ({ customerId }) => customerId);
	return (customerId, featureId) =>
		(ofCustomer.get(customerId) ?? [])
			.filter((row) => prices(row, featureId))
			.map(({ startAt, endedAt }) => ({ start: startAt, end: endedAt ?? last }));
}
