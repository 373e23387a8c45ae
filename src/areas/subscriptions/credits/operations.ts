import type { Work } from "../../../kernel/work";
import { selectByIds } from "../store";
import type { SubscriptionRow } from "../table";
import { selectCreditsByIds } from "./store";

/** Returns the subscriptions that granted recurring credits, by the source id of the grants. */
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
