import { toIso } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import type { CustomerRow } from "../../customers/table";
import { packagesByIds } from "../../packages/operations";
import { isExempt, ownPolicy, policyOf } from "./operations";
import { retriesOf } from "./rules";
import type { CustomerDunning, DunningPolicy } from "./schema";
import type { DunningPolicyRow } from "./table";

/** Returns the views of policies, in the given order. */
export function viewPolicies(work: Work, rows: readonly DunningPolicyRow[]): DunningPolicy[] {
	const plans = packagesByIds(work, [...new Set(rows.flatMap(({ planIds }) => planIds))]);
	return rows.map((row) => ({
		id: row.refId,
		displayName: row.displayName,
		status: row.archivedAt === null ? "ACTIVE" : "ARCHIVED",
		reminders: [...row.reminders],
		retries: viewRetries(row),
		end: { action: row.endAction, afterDays: row.endAfterDays },
		texts: [...row.texts],
		appliesTo: {
			isDefault: row.isDefault,
			legalEntityIds: [...row.legalEntityIds],
			planIds: row.planIds.flatMap((id) => plans.get(id)?.refId ?? []),
		},
		createdAt: toIso(row.createdAt),
		updatedAt: toIso(row.updatedAt),
	}));
}

function viewRetries(row: DunningPolicyRow): DunningPolicy["retries"] {
	const { days, buckets } = retriesOf(row);
	return days.length === 0 ? null : { days: [...days], buckets: [...buckets] };
}

export function viewPolicy(work: Work, row: DunningPolicyRow): DunningPolicy {
	const [view] = viewPolicies(work, [row]);
	if (!view) throw new Error("Assertion failed: each row has a view");
	return view;
}

export function viewCustomerDunning(work: Work, { id, refId, legalEntityId }: CustomerRow): CustomerDunning {
	const applied = policyOf(work, { customerId: id, planId: null, legalEntityId });
	return {
		customerId: refId,
		policyId: ownPolicy(work, id)?.refId ?? null,
		isExempt: isExempt(work, id),
		applied: applied ? { policyId: applied.policy.refId, source: applied.source } : null,
	};
}
