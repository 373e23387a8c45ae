import { and, count, eq, exists, inArray, isNotNull, isNull, lt, max, min, sql, sum } from "drizzle-orm";
import { environments } from "../areas/access/table";
import { overdueUntil } from "../areas/invoices/rules";
import { invoices } from "../areas/invoices/table";
import { outboxEvents } from "../areas/outbox/table";
import { subscriptionCounts, subscriptions } from "../areas/subscriptions/table";
import { webhooks } from "../areas/webhooks/table";
import { deliveryCursors } from "../areas/webhooks/table.deliveries";
import { type Figure, figure } from "../kernel/metrics/meter";
import type { Work } from "../kernel/work";
import { tasks } from "../tasks/table";

/** Returns figures about queues and business in all environments. Every read uses an index; none of them reads whole rows. */
export const figuresOfTables = (work: Work): Figure[] => [
	...tasksOf(work),
	...webhooksOf(work),
	...subscriptionsOf(work),
	...invoicesOf(work),
];

function tasksOf({ tx, machineNow }: Work): Figure[] {
	const waiting = tx
		.select({ type: tasks.type, status: tasks.status, count: count(), oldestAt: min(tasks.createdAt) })
		.from(tasks)
		.where(inArray(tasks.status, ["PENDING", "IN_PROGRESS"]))
		.groupBy(tasks.type, tasks.status)
		.all();
	const oldest = new Map<string, number>();
	for (const { type, oldestAt } of waiting)
		oldest.set(type, Math.min(oldest.get(type) ?? machineNow, oldestAt ?? machineNow));
	return [
		...waiting.map(({ type, status, count: number }) => figure("tollgate_tasks", { type, status }, number)),
		...[...oldest].map(([type, at]) =>
			figure("tollgate_tasks_oldest_seconds", { type }, Math.max(0, machineNow - at) / 1000),
		),
	];
}

function webhooksOf({ tx }: Work): Figure[] {
	const byStatus = tx.select({ status: webhooks.status, count: count() }).from(webhooks).groupBy(webhooks.status).all();
	const isFailing = exists(
		tx
			.select({ one: sql`1` })
			.from(deliveryCursors)
			.where(and(eq(deliveryCursors.webhookId, webhooks.id), isNotNull(deliveryCursors.failingSince))),
	);
	const failing = tx
		.select({ count: count() })
		.from(webhooks)
		.where(and(eq(webhooks.status, "ACTIVE"), isFailing))
		.get();
	const reached = tx
		.select({
			position: sql<number | null>`min(max(coalesce(${deliveryCursors.position}, 0), ${webhooks.fromPosition} - 1))`,
		})
		.from(webhooks)
		.leftJoin(deliveryCursors, eq(deliveryCursors.webhookId, webhooks.id))
		.where(eq(webhooks.status, "ACTIVE"))
		.get()?.position;
	const last = tx
		.select({ position: max(outboxEvents.position) })
		.from(outboxEvents)
		.get()?.position;
	return [
		...byStatus.map(({ status, count: number }) => figure("tollgate_webhooks", { status }, number)),
		figure("tollgate_webhooks_failing", {}, failing?.count ?? 0),
		figure("tollgate_webhook_events_waiting", {}, Math.max(0, (last ?? 0) - (reached ?? last ?? 0))),
	];
}

function subscriptionsOf({ tx }: Work): Figure[] {
	const byStatus = tx
		.select({ status: subscriptionCounts.status, count: sum(subscriptionCounts.count).mapWith(Number) })
		.from(subscriptionCounts)
		.groupBy(subscriptionCounts.status)
		.all();
	const problems = tx.select({ count: count() }).from(subscriptions).where(isNotNull(subscriptions.problem)).get();
	return [
		...byStatus.map(({ status, count: number }) => figure("tollgate_subscriptions", { status }, number)),
		figure("tollgate_subscription_problems", {}, problems?.count ?? 0),
	];
}

function invoicesOf({ tx, machineNow }: Work): Figure[] {
	const byState = tx.select({ state: invoices.state, count: count() }).from(invoices).groupBy(invoices.state).all();
	const onWallClock = tx.select({ id: environments.id }).from(environments).where(isNull(environments.clockAt)).all();
	const isOverdue = and(eq(invoices.state, "OPEN"), lt(invoices.dueAt, overdueUntil(machineNow)));
	const ids = onWallClock.map(({ id }) => id);
	const overdue = tx
		.select({ count: count() })
		.from(invoices)
		.where(and(inArray(invoices.environmentId, ids), isOverdue))
		.get();
	return [
		...byState.map(({ state, count: number }) => figure("tollgate_invoices", { state }, number)),
		figure("tollgate_invoices_overdue", {}, overdue?.count ?? 0),
	];
}
