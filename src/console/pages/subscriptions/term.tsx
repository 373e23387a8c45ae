import type { RunningTermShown } from "../../../areas/subscriptions/schema.term";
import { SubscriptionUpdate } from "../../../areas/subscriptions/schema.update";
import { formatDate, formatNumber } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { t } from "../../messages/prices/terms";
import { enteredOfTerm, TermInputs, termOf } from "../prices/term";
import { type OfSubscription, pathOf } from "./actions";

/** Edits the term of a subscription, which replaces that of its plan. */
export const TermButton = ({ subscription }: OfSubscription) => (
	<FormButton
		label={t.termEdit}
		title={t.termTitle({ id: subscription.id })}
		to={["PATCH", pathOf(subscription)]}
		schema={SubscriptionUpdate}
		texts={t}
		edited={{}}
		initial={enteredOfTerm(subscription.term)}
		action={t.termSave}
		body={(entered) => ({ term: termOf(entered).term ?? null })}
		onDone={() => t.termSaved}
	>
		<p className="quiet">{t.termSubscriptionText}</p>
		<TermInputs />
	</FormButton>
);

/** Returns the facts of the term that runs. */
export function termFacts(term: RunningTermShown | undefined) {
	if (!term) return {};
	const { number, startDate, endDate, noticeDate, renewal, owedUntil } = term;
	return {
		[t.currentTerm]: t.termUntil({
			number: formatNumber(number),
			start: formatDate(startDate),
			end: formatDate(endDate),
		}),
		[t.earlyCancellation]: t[term.earlyCancellation],
		[t.noticeUntil]: noticeDate && formatDate(noticeDate),
		[t.nextTerm]: renewal
			? t.nextTermText({ months: formatNumber(renewal.months), percent: formatNumber(renewal.upliftPercentage) })
			: t.ended,
		[t.owedUntil]: owedUntil && formatDate(owedUntil),
	};
}
