import type { Instant } from "../../../kernel/clock";
import type { Due } from "../../../kernel/problem";
import { nextLateUsageCheck } from "../../subscriptions/rules.due";
import { billingPhase } from "../rules.states";
import type { ContractRow, ContractStep } from "../table";
import { type ScheduledItem, unbilled } from "./rules.cycles";
import { renewalDueAt } from "./rules.renewal";
import { isPayAsYouGo, nextIssueAt } from "./rules.schedule";

export type ContractDue = Due<ContractStep>;

type Billed = Pick<ContractRow, "billingState" | "amendingSince" | "publishedAt" | "renewal">;

/**
 * Returns the next step after an instant, from the contract and its items alone. At one instant invoices come first,
 * and late usage last.
 */
export function nextContractDue(
	contract: Billed,
	items: readonly ScheduledItem[],
	now: Instant,
): ContractDue | undefined {
	const { publishedAt } = contract;
	const phase = billingPhase(contract);
	if (publishedAt === null) return phase === "ACTIVE" ? { kind: "CARRY_ON", at: now } : undefined;
	if (phase !== "ACTIVE" && phase !== "END_BILLING") return undefined;
	const late = ofLateUsage(items, now);
	if (phase === "END_BILLING") return late;
	const issueAt = nextIssueAt(items, publishedAt);
	const renewAt = renewalDueAt(contract.renewal, items);
	return first([
		issueAt === null ? undefined : { kind: "ISSUE", at: issueAt },
		renewAt === null ? undefined : { kind: "RENEW", at: later(renewAt, publishedAt) },
		issueAt === null && renewAt === null ? { kind: "END", at: endOf(items, publishedAt) } : undefined,
		late,
	]);
}

function ofLateUsage(items: readonly ScheduledItem[], now: Instant): ContractDue | undefined {
	const checks = items.flatMap((item) => lateUsageCheckOf(item, now) ?? []);
	return checks.length === 0 ? undefined : { kind: "LATE_USAGE", at: Math.min(...checks) as Instant };
}

/** Returns when an item is next checked for usage after its last invoice; undefined while an invoice follows. */
export function lateUsageCheckOf(item: ScheduledItem, now: Instant): Instant | undefined {
	const { activationEndAt: end, billedUntil } = item;
	if (!isPayAsYouGo(item) || end === null || billedUntil === null || unbilled(item, now).count > 0) return undefined;
	return nextLateUsageCheck(end, later(now, end));
}

const first = (dues: ReadonlyArray<ContractDue | undefined>): ContractDue | undefined =>
	dues
		.filter((due) => due !== undefined)
		.reduce<ContractDue | undefined>((one, other) => (one && one.at <= other.at ? one : other), undefined);

/** Returns the end of the last item, not before the publication. */
const endOf = (items: readonly ScheduledItem[], publishedAt: Instant): Instant =>
	Math.max(publishedAt, ...items.map(({ activationEndAt }) => activationEndAt ?? publishedAt)) as Instant;

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
