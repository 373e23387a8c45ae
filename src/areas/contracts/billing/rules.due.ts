import type { Instant } from "../../../kernel/clock";
import type { Due, DueProblem } from "../../subscriptions/lifecycle/rules.due";
import { nextLateUsageCheck } from "../../subscriptions/lifecycle/rules.due";
import { pricingModel } from "../rules.models";
import type { ContractState } from "../schema";
import type { RatedItem } from "./rules.cycles";
import { nextIssueAt } from "./rules.schedule";

/**
 * What a contract's billing brings about by itself: invoices that fall due, the end once all are issued, and what is reported
 * of its usage after that.
 */
type ContractStep = "ISSUE" | "END" | "LATE_USAGE";
export type ContractDue = Due<ContractStep>;
export type ContractProblem = DueProblem<ContractStep>;

interface Billed {
	readonly billingState: ContractState | null;
	readonly publishedAt: Instant | null;
}

/** What happens next, told by the contract and its items alone. At one instant invoices come before the end. */
export function nextContractDue(
	{ billingState, publishedAt }: Billed,
	items: readonly RatedItem[],
	now: Instant,
): ContractDue | undefined {
	if (publishedAt === null) return undefined;
	const end = endOf(items, publishedAt);
	if (billingState === "END_BILLING")
		return items.some(isPayAsYouGo) ? { kind: "LATE_USAGE", at: nextLateUsageCheck(end, now) } : undefined;
	if (billingState !== "ACTIVE") return undefined;
	const issueAt = nextIssueAt(items, publishedAt);
	return issueAt !== null && issueAt <= end ? { kind: "ISSUE", at: issueAt } : { kind: "END", at: end };
}

/** When the last item ends; not before it came into force. */
const endOf = (items: readonly RatedItem[], publishedAt: Instant): Instant =>
	Math.max(publishedAt, ...items.map(({ activationEndAt }) => activationEndAt ?? publishedAt)) as Instant;

export const isPayAsYouGo = ({ pricingModelId }: Pick<RatedItem, "pricingModelId">): boolean =>
	pricingModel(pricingModelId).isPayAsYouGo;
