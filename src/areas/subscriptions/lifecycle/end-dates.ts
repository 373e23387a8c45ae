import { instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { SubscriptionUpdate } from "../schema.update";
import { changeSubscription } from "../store";
import type { SubscriptionRow } from "../table";
import { withOwed } from "../terms/term";
import { boundColumns } from "./bound-end";

/**
 * Changes the end of a subscription. A null cancellation date revokes a scheduled cancellation. A trial can be extended
 * or shortened; an extension also revokes a scheduled cancellation (docs/interface/subscriptions.md).
 * Throws InvalidCancellationDate, InvalidSubscriptionStatus, InvalidArgumentError.
 */
export function changeEndDates(work: Work, row: SubscriptionRow, input: SubscriptionUpdate): SubscriptionRow {
	const { cancellationDate, trialEndDate } = input;
	let changed = row;
	if (trialEndDate !== undefined) changed = changeTrialEnd(work, changed, trialEndDate);
	if (cancellationDate === undefined) return changed;
	if (cancellationDate === null)
		return changeSubscription(work, changed, { ...noCancellation, runningTerm: withOwed(changed, null) });
	if (input.term !== undefined)
		throw fail(
			"BadUserInput",
			"body/cancellationDate: the term decides about the end; change 'term' in a call before.",
		);
	const cancelAt = instantOf(cancellationDate);
	if (cancelAt <= work.now || cancelAt <= row.startAt)
		throw fail("InvalidCancellationDate", "'cancellationDate' must lie in the future, and after the start.");
	return changeSubscription(work, changed, {
		...noCancellation,
		...boundColumns(work, changed, cancelAt),
		cancelAction: "DEFAULT",
	});
}

const noCancellation = { cancelAt: null, cancelAction: null, cancelProrates: false, canceledByCustomer: false };

function changeTrialEnd(work: Work, row: SubscriptionRow, trialEndDate: string): SubscriptionRow {
	if (row.status !== "IN_TRIAL")
		throw fail(
			"InvalidSubscriptionStatus",
			`The subscription '${row.refId}' is ${row.status}; 'trialEndDate' changes an active trial.`,
		);
	const trialEndAt = instantOf(trialEndDate);
	if (trialEndAt <= work.now)
		throw fail("InvalidArgumentError", "'trialEndDate' must lie in the future; to end the trial now, cancel it.");
	const isLonger = row.trialEndAt === null || trialEndAt > row.trialEndAt;
	return changeSubscription(work, row, { trialEndAt, ...(isLonger && noCancellation) });
}
