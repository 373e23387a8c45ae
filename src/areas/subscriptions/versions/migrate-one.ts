import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { PricingType } from "../../packages/schema";
import { applyUpdate, behaviorOf } from "../lifecycle/apply-update";
import { billingPeriodEnd } from "../lifecycle/effective-date";
import { assertMayEnd, assertNotAwaitingPayment } from "../rules.status";
import type { SubscriptionMigrate } from "../schema";
import { insertUpdates, selectPendingUpdates } from "../store.updates";
import type { SubscriptionRow } from "../table";
import { movesToLatest, prepareChange } from "../terms/prepare-change";
import { subscribedItems } from "../terms/subscription-sale";

/** The pricing types that a migration may change to without a new sale (docs/interface/subscriptions.md, Migrate). */
const allowedChanges: Readonly<Record<PricingType, readonly PricingType[]>> = {
	FREE: ["FREE"],
	PAID: ["PAID", "FREE", "CUSTOM"],
	CUSTOM: ["CUSTOM", "FREE"],
};

/**
 * Migrates a subscription to the newest versions of its plan and addons: by default at the end of its billing period,
 * whose price is agreed; or at once, with the difference charged or credited. Throws InvalidSubscriptionStatus,
 * SubscriptionAlreadyOnLatestPlan, ScheduledMigrationAlreadyExistsError; InvalidArgumentError for a change of pricing
 * type that needs a new sale.
 */
export function migrateOne(
	work: Work,
	row: SubscriptionRow,
	{ subscriptionMigrationTime }: SubscriptionMigrate,
): SubscriptionRow {
	assertMayEnd(row, work.now);
	assertNotAwaitingPayment(row);
	const { versions } = subscribedItems(work, row);
	if (movesToLatest(work, versions).length === 0)
		throw fail(
			"SubscriptionAlreadyOnLatestPlan",
			`The subscription '${row.refId}' is on the newest versions already; publish a newer one first.`,
		);
	const scheduled = selectPendingUpdates(work, [row.id]).find(({ type }) => type === "MIGRATE_TO_LATEST");
	if (scheduled)
		throw fail(
			"ScheduledMigrationAlreadyExistsError",
			`The subscription '${row.refId}' is to be migrated already; cancel that schedule first.`,
		);
	const prepared = prepareChange(work, row, {}, { atLatest: true });
	assertAllowedChange(row.pricingType, prepared.sale.plan.pricingType ?? "CUSTOM");
	const end = subscriptionMigrationTime === "IMMEDIATE" ? null : billingPeriodEnd(work, row);
	if (end === null) return applyUpdate(work, row, prepared, { behavior: behaviorOf(row) }).subscription;
	return insertUpdates(work, row, [
		{ type: "MIGRATE_TO_LATEST", changes: {}, status: "SCHEDULED", executeAt: end, invoiceId: null },
	]);
}

function assertAllowedChange(from: PricingType, to: PricingType): void {
	if (!allowedChanges[from].includes(to))
		throw fail("InvalidArgumentError", `From ${from} to ${to} is a new sale; provision a new subscription instead.`);
}
