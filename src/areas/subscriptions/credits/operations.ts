import type { Work } from "../../../kernel/work";
import { selectByIds } from "../store";
import type { SubscriptionRow } from "../table";
import { selectCreditsByIds } from "./store";

/** The subscriptions that hand out recurring grants, by what the grants name as their source. */
export function subscriptionsOfCredits(work: Work, sourceIds: readonly string[]): Map<string, SubscriptionRow> {
	const sources = selectCreditsByIds(work, sourceIds);
	const rows = new Map(
		selectByIds(
			work,
			sources.map(({ subscriptionId }) => subscriptionId),
		).map((row) => [row.id, row]),
	);
	return new Map(
		sources.flatMap(({ id, subscriptionId }) => {
			const row = rows.get(subscriptionId);
			return row ? [[id, row] as const] : [];
		}),
	);
}
