import type { Instant } from "../../../kernel/clock";
import type { Due } from "../../../kernel/problem";
import { nextLateUsageCheck } from "../../subscriptions/lifecycle/rules.due";
import { billingPhase } from "../rules.states";
import type { ContractRow, ContractStep } from "../table";
import type { RatedItem } from "./rules.cycles";
import { renewalDueAt } from "./rules.renewal";
import { isPayAsYouGo, nextIssueAt } from "./rules.schedule";

export type ContractDue = Due<ContractStep>;

type Billed = Pick<ContractRow, "billingState" | "amendingSince" | "publishedAt" | "renewal">;

/** What happens next, told by the contract and its items alone. At one instant invoices come first. */
export function nextContractDue(contract: Billed, items: readonly RatedItem[], now: Instant): ContractDue | undefined {
	const { publishedAt } = contract;
	const phase = billingPhase(contract);
	if (publishedAt === null) return phase === "ACTIVE" ? { kind: "CARRY_ON", at: now } : undefined;
	const end = endOf(items, publishedAt);
	if (phase === "END_BILLING")
		return items.some(isPayAsYouGo) ? { kind: "LATE_USAGE", at: nextLateUsageCheck(end, now) } : undefined;
	if (phase !== "ACTIVE") return undefined;
	const issueAt = nextIssueAt(items, publishedAt);
	const renewAt = renewalDueAt(contract.renewal, items);
	if (issueAt !== null && (renewAt === null || issueAt <= renewAt)) return { kind: "ISSUE", at: issueAt };
	if (renewAt !== null) return { kind: "RENEW", at: Math.max(renewAt, publishedAt) as Instant };
	return { kind: "END", at: end };
}

/** When the last item ends; not before it came into force. */
const endOf = (items: readonly RatedItem[], publishedAt: Instant): Instant =>
	Math.max(publishedAt, ...items.map(({ activationEndAt }) => activationEndAt ?? publishedAt)) as Instant;
