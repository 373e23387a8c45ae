import { and, eq, ne, sql } from "drizzle-orm";
import type { Transaction, Work } from "../../../kernel/work";
import type { PeriodOfCharge } from "../../billing/rules.billed";
import { billingCharges, chargePeriods } from "../../billing/table";
import { type SubscriptionRow, subscriptions } from "../table";

/** Whether another subscription of the customer, on the same resource, counts a window of the same limit. */
export const isCountedByAnother = (
	work: Work,
	{ id, environmentId, customerId, resourceId }: SubscriptionRow,
	{ charge: { key }, period: { startsAt } }: PeriodOfCharge,
): boolean =>
	work.prepared(countedByAnother).get({ environmentId, customerId, id, resourceId, key, startsAt }) !== undefined;

const { placeholder } = sql;

const countedByAnother = (tx: Transaction) =>
	tx
		.select({ id: subscriptions.id })
		.from(subscriptions)
		.innerJoin(billingCharges, eq(billingCharges.ownerId, subscriptions.id))
		.innerJoin(chargePeriods, eq(chargePeriods.chargeId, billingCharges.id))
		.where(
			and(
				eq(subscriptions.environmentId, placeholder("environmentId")),
				eq(subscriptions.customerId, placeholder("customerId")),
				ne(subscriptions.id, placeholder("id")),
				sql`${subscriptions.resourceId} is ${placeholder("resourceId")}`,
				eq(billingCharges.key, placeholder("key")),
				eq(chargePeriods.startsAt, placeholder("startsAt")),
			),
		)
		.limit(1)
		.prepare();
