import { and, asc, eq, gt } from "drizzle-orm";
import { type Instant, toIso } from "../../../kernel/clock";
import { exact, sum } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { invoicesByIds } from "../../invoices/operations";
import { subscriptionsByIds } from "../../subscriptions/operations";
import { isBilledHere } from "../../subscriptions/rules.due";
import { hasEnded } from "../../subscriptions/rules.status";
import { billingPhase } from "../rules.states";
import { membersOf } from "../store";
import { type ContractItemRow, type ContractRow, contracts } from "../table";
import { paidUntil } from "./rules.cycles";
import { nextContractDue } from "./rules.due";
import { isPayAsYouGo, nextIssueAt } from "./rules.schedule";
import { cyclesOfItem, itemsOfEach } from "./store";
import type { BilledCycleRow } from "./table";

/** Contracts in memory at once, with their items. */
const contractsAtOnceMax = 100;

/**
 * Returns the faults of this environment's contracts, one line each: a subscription that is invoiced in addition to its
 * contract, a contract that no step would invoice, a cycle that is invoiced twice or skipped, wrong sums. Empty without
 * faults.
 */
export function checkContracts(work: Work): string[] {
	const findings: string[] = [];
	for (let after = ""; ; ) {
		const rows = readContracts(work, after);
		const last = rows.at(-1);
		if (!last) return findings;
		const ids = rows.map(({ id }) => id);
		const items = itemsOfEach(work, ids);
		const members = membersOf(work, ids);
		for (const row of rows) {
			findings.push(...checkMembers(work, row, members.get(row.id) ?? []));
			findings.push(...checkDue(row, items.get(row.id) ?? []));
			for (const item of items.get(row.id) ?? []) findings.push(...checkItem(work, row, item));
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
function checkDue(contract: ContractRow, items: readonly ContractItemRow[]): string[] {
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

/** Each cycle is invoiced once without gaps, and the item's sums equal those of its cycles. */
function checkItem(work: Work, { refId, id: contractId }: ContractRow, item: ContractItemRow): string[] {
	const named = `the line item ${item.externalId ?? item.id} of the contract ${refId}`;
	const cycles = cyclesOfItem(work, item);
	const findings = cycles.flatMap((cycle, at) => {
		const before = cycles[at - 1];
		if (!before || reachesTo(item, before, cycle.cycleStart)) return [];
		// A gap before a window that was moved is allowed.
		if (before.cycleEnd < cycle.cycleStart && cycle.cycleStart <= (item.activationStartAt ?? cycle.cycleStart))
			return [];
		const what =
			before.cycleEnd > cycle.cycleStart ? "is invoiced twice for some time" : "is not invoiced for some time";
		return [`${named} ${what} before ${toIso(cycle.cycleStart)}`];
	});
	const last = cycles.at(-1);
	const isSo = last ? reachesTo(item, last, item.billedUntil) : item.billedUntil === null;
	if (!isSo) findings.push(`${named} is not invoiced as far as it says`);
	const total = sum(cycles.map(({ billed }) => exact(billed.total)));
	if (!total.eq(item.billed?.total ?? 0))
		findings.push(`${named} says that ${item.billed?.total ?? 0} is invoiced, its cycles make ${total.toFixed()}`);
	return [...findings, ...checkInvoicesOf(work, named, contractId, item, cycles)];
}

/** Returns the end of a cycle, or of its paid time if it was cut short and the item then got a later end. */
const reachesTo = (item: ContractItemRow, { cycleEnd }: BilledCycleRow, at: Instant | null): boolean =>
	at === cycleEnd || at === paidUntil({ ...item, activationEndAt: cycleEnd, billedUntil: cycleEnd });

/** A cycle is on an invoice of its contract; a pay-as-you-go cycle without usage is on none. */
function checkInvoicesOf(
	work: Work,
	named: string,
	contractId: string,
	item: ContractItemRow,
	cycles: readonly BilledCycleRow[],
): string[] {
	const known = invoicesByIds(
		work,
		cycles.flatMap(({ invoiceId }) => invoiceId ?? []),
	);
	return cycles
		.filter(({ isElsewhere }) => !isElsewhere)
		.filter(({ invoiceId, billed }) =>
			invoiceId === null
				? !isPayAsYouGo(item) && !exact(billed.total).eq(0)
				: known.get(invoiceId)?.contractId !== contractId,
		)
		.map(
			({ cycleStart }) =>
				`${named} counts as invoiced from ${toIso(cycleStart)} on, and no invoice of the contract says so`,
		);
}

const readContracts = ({ tx, actor }: Work, after: string): ContractRow[] =>
	tx
		.select()
		.from(contracts)
		.where(and(eq(contracts.environmentId, actor.environmentId), gt(contracts.id, after)))
		.orderBy(asc(contracts.id))
		.limit(contractsAtOnceMax)
		.all();
