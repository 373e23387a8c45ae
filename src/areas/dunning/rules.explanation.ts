import { isFinal } from "../collection/attempts/rules.states";
import type { InvoiceState } from "../invoices/schema";
import { endWords } from "./policies/rules";
import type { PolicySource } from "./policies/schema.values";
import type { CollectedInvoice, DunningCase } from "./schema";
import type { EndReason, SuspensionReason, WaitReason } from "./schema.values";

/** Returns what Tollgate does next about an invoice and why, in sentences. */
export function explain(
	view: DunningCase | null,
	lastAttempt: CollectedInvoice["lastAttempt"],
	{
		state,
		isExempt,
		debitOn,
	}: { readonly state: InvoiceState; readonly isExempt: boolean; readonly debitOn: string | null },
): string[] {
	if (view === null) {
		if (state !== "OPEN") return [`The invoice is ${state}; nothing is due.`];
		return [
			isExempt
				? "Nothing happens: the customer is exempt from dunning."
				: "Nothing happens: the invoice has no dunning case. A case starts when an invoice is issued and a policy applies to it.",
		];
	}
	const chosen =
		view.policySource === null
			? `A person named the policy '${view.policyId}'.`
			: `The policy '${view.policyId}' applies, ${sources[view.policySource]}.`;
	return [
		chosen,
		...(view.state === "ENDED" ? [ended(view.endReason)] : chargeSentences(view, lastAttempt)),
		...(debitOn === null ? [] : [`A direct debit collects the invoice on ${debitOn}; no step runs until it ends.`]),
		...nextSentences(view, lastAttempt !== null),
	];
}

const sources: Readonly<Record<PolicySource, string>> = {
	CUSTOMER: "because the customer names it",
	PLAN: "because the plan of the invoice has it",
	LEGAL_ENTITY: "because the legal entity of the invoice has it",
	ENVIRONMENT: "because it is the default of the environment",
};

const suspended: Readonly<Record<SuspensionReason, string>> = {
	PROMISE: "The customer has promised to pay",
	HOLD: "A person has put the schedule on hold",
	DISPUTE: "The customer disputes the invoice",
};

function ended(reason: EndReason | null): string {
	switch (reason) {
		case "PAID":
			return "The case has ended: the invoice is paid.";
		case "CREDITED":
			return "The case has ended: credit notes cover the invoice.";
		case "CANCELED":
			return "The case has ended: the invoice is canceled.";
		case "STOPPED":
			return "The case has ended: a person stopped it.";
		default:
			return "The case has ended: the policy has run to its end.";
	}
}

/** Says how the last charge ended, and what Tollgate waits for. */
function chargeSentences({ waitingFor }: DunningCase, last: CollectedInvoice["lastAttempt"]): string[] {
	const sentences: string[] = [];
	if (last?.state === "FAILED" && last.failure)
		sentences.push(`The charge of ${last.createdAt} failed: ${last.failure.message} (${last.failure.code}).`);
	else if (last?.state === "REQUIRES_ACTION")
		sentences.push(`The charge of ${last.createdAt} waits for the customer's authentication.`);
	else if (last?.state === "UNKNOWN")
		sentences.push(
			`Nobody can say whether the charge of ${last.createdAt} happened; no try is made until it is resolved.`,
		);
	else if (last && !isFinal(last.state))
		sentences.push(`The charge of ${last.createdAt} is under way; its end decides about the next step.`);
	if (waitingFor !== null) sentences.push(waits[waitingFor]);
	return sentences;
}

const waits: Readonly<Record<WaitReason, string>> = {
	RETRY_LATER: "The policy does not try such a failure again; Tollgate waits for a new payment method.",
	INSUFFICIENT_FUNDS: "The policy does not try such a failure again; Tollgate waits for a new payment method.",
	NEW_METHOD: "This method cannot pay; Tollgate waits for a new one, and charges it at once.",
	AUTHENTICATE: "The customer must authenticate the payment; Tollgate makes no try until then.",
	NEVER: "The bank forbids further tries with this method; Tollgate waits for a new one, and charges it at once.",
	NO_METHOD:
		"The customer has no saved payment method for this invoice; Tollgate waits for one, and charges it at once.",
	REVERSED: "The payment that Tollgate had collected was reversed; Tollgate does not charge it again by itself.",
	DECLINES: "The method was declined fifteen times in thirty days; the next try follows when the networks allow it.",
};

function nextSentences({ suspension, next, problem }: DunningCase, isCharged: boolean): string[] {
	const sentences: string[] = [];
	if (suspension !== null) {
		const until = suspension.untilDay === null ? "" : ` until ${suspension.untilDay}`;
		sentences.push(`${suspended[suspension.reason]}${until}, so the schedule stands still since ${suspension.since}.`);
	}
	if (next?.kind === "RESUME")
		sentences.push(`The schedule resumes at ${next.at}, moved by the days in which it stood still.`);
	if (suspension !== null && next === null) sentences.push("The schedule resumes when a person resumes it.");
	if (next?.kind === "REMINDER")
		sentences.push(`The next reminder is sent at ${next.at}: ${dayWords(next.days ?? 0)}.`);
	if (next?.kind === "RETRY")
		sentences.push(`Tollgate charges the invoice at ${next.at}: ${dayWords(next.days ?? 0)}.`);
	if (next?.kind === "FINAL_NOTICE")
		sentences.push(`If the customer has not acted by ${next.at}, the last days of the policy run.`);
	if (next?.kind === "END" && next.action !== null)
		sentences.push(
			`All ${isCharged ? "tries" : "reminders"} are used. At ${next.at}, ${dayWords(next.days ?? 0)}, the policy ${endWords[next.action]}.`,
		);
	if (problem !== null) sentences.push(`The last attempt failed: ${problem.message}`);
	return sentences;
}

/** Steps may run later than the policy says: the schedule stood still, or the time had passed. */
function dayWords(days: number): string {
	if (days === 0) return "the policy's step of the due date";
	return `the policy's step ${Math.abs(days)} ${Math.abs(days) === 1 ? "day" : "days"} ${days < 0 ? "before" : "after"} the due date`;
}
