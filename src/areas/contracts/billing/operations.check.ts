import { toIso } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { billedPeriodsOf } from "../../billing/operations";
import type { BilledPeriod } from "../../billing/rules.billed";
import { checkTiling } from "../../billing/rules.check";
import { invoicesByIds } from "../../invoices/operations";
import { subscriptionsByIds } from "../../subscriptions/operations";
import { isBilledHere } from "../../subscriptions/rules.due";
import { hasEnded } from "../../subscriptions/rules.status";
import { billingPhase } from "../rules.states";
import { membersOf } from "../store";
import { type BilledItemRow, itemsOfEach } from "../store.billing";
import type { ContractRow } from "../table";
import { nextContractDue } from "./rules.due";
import { isPayAsYouGo, nextIssueAt } from "./rules.schedule";
import { selectContractsAfter } from "./store";

/**
 * Returns the faults of this environment's contracts, one line each: a subscription that is invoiced in addition to its
 * contract, a contract that no step would invoice, a cycle that is invoiced twice or skipped, wrong sums. Empty without
 * faults.
 */
export function checkContracts(work: Work): string[] {
	const findings: string[] = [];
	for (let after = ""; ; ) {
		const rows = selectContractsAfter(work, after);
		const last = rows.at(-1);
		if (!last) return findings;
		const ids = rows.map(({ id }) => id);
		const items = itemsOfEach(work, ids);
		const members = membersOf(work, ids);
		for (const row of rows) {
			findings.push(...checkMembers(work, row, members.get(row.id) ?? []));
			findings.push(...checkDue(row, items.get(row.id) ?? []));
			const cycles = Map.groupBy(billedPeriodsOf(work, row), ({ charge }) => charge.key);
			for (const item of items.get(row.id) ?? [])
				findings.push(...checkItem(work, row, item, cycles.get(item.id) ?? []));
		}
		after = last.id;
	}
}

/** A contract's subscriptions are not invoiced by themselves. */
function checkMembers(work: Work, { id, refId }: ContractRow, memberIds: readonly string[]): string[] {
	return [...subscriptionsByIds(work, memberIds).values()].flatMap((subscription) => [
		...(isBilledHere(subscription) && !hasEnded(subscription.status)
			? [`the subscription ${subscription.refId} is invoiced by itself, in addition to its contract ${refId}`]
			: []),
		...(subscription.contractId !== id && !hasEnded(subscription.status)
			? [`the subscription ${subscription.refId} is listed on the contract ${refId}, and does not say so itself`]
			: []),
	]);
}

/** A live contract with a future step has its time, and its next invoice is due when its items say. */
function checkDue(contract: ContractRow, items: readonly BilledItemRow[]): string[] {
	const { refId, nextDueAt, problem, publishedAt } = contract;
	const due = nextContractDue(contract, items, publishedAt ?? contract.createdAt);
	if (due !== undefined && nextDueAt === null)
		return [`the contract ${refId} has invoices to come, and nothing issues them`];
	if (due === undefined || nextDueAt === null)
		return nextDueAt === null ? [] : [`the contract ${refId} has nothing to come, and is due all the same`];
	// A failed step is tried again at its own time.
	if (problem !== null && nextDueAt <= problem.retryAt) return [];
	const issueAt = billingPhase(contract) === "ACTIVE" && publishedAt !== null ? nextIssueAt(items, publishedAt) : null;
	const isLate = due.kind === "ISSUE" ? nextDueAt !== due.at : issueAt !== null && nextDueAt > issueAt;
	return isLate ? [`the contract ${refId} is due at another time than its next invoice`] : [];
}

/** Each cycle is invoiced once without gaps, as far as its charge says. */
function checkItem(
	work: Work,
	{ refId, id: contractId }: ContractRow,
	item: BilledItemRow,
	cycles: readonly BilledPeriod[],
): string[] {
	const named = `the line item ${item.externalId ?? item.id} of the contract ${refId}`;
	return [
		...checkTiling(named, cycles, { startsAt: item.activationStartAt, billedUntil: item.billedUntil }),
		...checkInvoicesOf(work, named, contractId, item, cycles),
	];
}

/** A cycle is on an invoice of its contract; a pay-as-you-go cycle without usage is on none. */
function checkInvoicesOf(
	work: Work,
	named: string,
	contractId: string,
	item: BilledItemRow,
	cycles: readonly BilledPeriod[],
): string[] {
	const known = invoicesByIds(
		work,
		cycles.flatMap(({ invoiceId }) => invoiceId ?? []),
	);
	return cycles
		.filter(({ state }) => state !== "ELSEWHERE")
		.filter(({ invoiceId, rated }) =>
			invoiceId === null
				? !isPayAsYouGo(item) && !exact(rated.total).eq(0)
				: known.get(invoiceId)?.contractId !== contractId,
		)
		.map(({ start }) => `${named} counts as invoiced from ${toIso(start)} on, and no invoice of the contract says so`);
}
