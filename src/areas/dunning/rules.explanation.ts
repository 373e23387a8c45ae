import type { InvoiceState } from "../invoices/schema";
import { endWords } from "./policies/rules";
import type { PolicySource } from "./policies/schema.values";
import type { DunningCase } from "./schema";
import type { EndReason, SuspensionReason } from "./schema.values";

/** Returns what Tollgate does next about an invoice and why, in sentences. */
export function explain(
	view: DunningCase | null,
	{ state, isExempt }: { readonly state: InvoiceState; readonly isExempt: boolean },
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
	return [chosen, ...(view.state === "ENDED" ? [ended(view.endReason)] : []), ...nextSentences(view)];
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

function nextSentences({ suspension, next, problem }: DunningCase): string[] {
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
	if (next?.kind === "END" && next.action !== null)
		sentences.push(
			`All reminders are used. At ${next.at}, ${dayWords(next.days ?? 0)}, the policy ${endWords[next.action]}.`,
		);
	if (problem !== null) sentences.push(`The last attempt failed: ${problem.message}`);
	return sentences;
}

/** Steps may run later than the policy says: the schedule stood still, or the time had passed. */
function dayWords(days: number): string {
	if (days === 0) return "the policy's step of the due date";
	return `the policy's step ${Math.abs(days)} ${Math.abs(days) === 1 ? "day" : "days"} ${days < 0 ? "before" : "after"} the due date`;
}
