import { dueContracts } from "../areas/contracts/billing/operations.due";
import { lateUsageOf } from "../areas/contracts/billing/operations.late-usage";
import { dueGrants } from "../areas/credits/operations.due-grants";
import { dueRecharges } from "../areas/credits/recharge/operations.due";
import { dueCases } from "../areas/dunning/operations.due";
import { dueEntities } from "../areas/governance/expiry/operations.due";
import { dueRequests } from "../areas/governance/requests/operations.due";
import { dueConsolidated } from "../areas/invoices/consolidated/operations.due";
import { dueDrafts } from "../areas/invoices/drafts/operations.due";
import { creditPriceOf } from "../areas/subscriptions/billing/credits/operations.price";
import { dueSubscriptions } from "../areas/subscriptions/lifecycle/operations.due";
import { dueSpendChecks } from "../areas/subscriptions/spend-thresholds/operations.due";
import type { Instant } from "../kernel/clock";
import type { DueSource, DueStep, FirstDue } from "../kernel/due";
import type { Work } from "../kernel/work";
import { dueNotices } from "./notices";

/**
 * The sources of due steps. At one instant they run in this order: entities are archived and requests expire, credits expire before those of the next period are granted, a draft is
 * issued before the next is made, and a subscription ends, changes or renews before it grants credits. The invoices that subscriptions share
 * are issued when all of them are billed. Then usage is compared with thresholds, and low balances are recharged. A
 * contract is invoiced after the steps of its subscriptions. Customers are reminded of what is open then. Notices come last: one that a payment or an end has made untrue is not emitted.
 */
const sources: readonly DueSource[] = [
	dueEntities,
	dueRequests,
	dueGrants,
	dueDrafts(lateUsageOf),
	dueSubscriptions,
	dueConsolidated,
	dueSpendChecks,
	dueRecharges(creditPriceOf),
	dueContracts,
	dueCases,
	dueNotices,
];

/** Returns the time of the next due step of the work's environment, however far ahead; null if there is none. */
export const nextDueAt = (work: Work): Instant | null => firstOf(work)?.dueAt ?? null;

/** Carries out the first step of the work's environment that is due by `until`; undefined if there is none. */
export function runNextDue(work: Work, until: Instant): DueStep | undefined {
	const first = firstOf(work);
	return first && first.dueAt <= until ? first.source.carryOutFirst(work, first.dueAt) : undefined;
}

function firstOf(work: Work): { readonly source: DueSource; readonly dueAt: Instant } | undefined {
	let first: { source: DueSource; dueAt: Instant } | undefined;
	for (const source of sources) {
		const dueAt = source.firstDueAt(work);
		if (dueAt !== null && (first === undefined || dueAt < first.dueAt)) first = { source, dueAt };
	}
	return first;
}

/** Returns the environments with due steps and the time of each, the longest wait first. */
export function dueOfEach(work: Work): FirstDue[] {
	const first = new Map<string, FirstDue>();
	for (const due of sources.flatMap((source) => source.firstDueOfEach(work))) {
		const known = first.get(due.environmentId);
		if (!known || due.dueAt < known.dueAt) first.set(due.environmentId, due);
	}
	return [...first.values()].sort((one, other) => one.dueAt - other.dueAt);
}
