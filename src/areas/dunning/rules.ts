import { fail } from "../../kernel/errors";
import type { ReminderKind } from "./policies/schema.values";
import type { CaseState } from "./schema.values";

/** The allowed changes of state. */
export const nextStates: Readonly<Record<CaseState, readonly CaseState[]>> = {
	REMINDING: ["FINAL_NOTICE", "SUSPENDED", "ENDED"],
	RETRYING: ["WAITING", "FINAL_NOTICE", "SUSPENDED", "ENDED"],
	// A new method is tried at once.
	WAITING: ["RETRYING", "FINAL_NOTICE", "SUSPENDED", "ENDED"],
	FINAL_NOTICE: ["SUSPENDED", "ENDED"],
	// Another suspension replaces the first one: a promise, then a hold.
	SUSPENDED: ["SUSPENDED", "REMINDING", "RETRYING", "WAITING", "FINAL_NOTICE", "ENDED"],
	// A reversed payment, or a person, starts it again.
	ENDED: ["REMINDING", "RETRYING", "WAITING", "FINAL_NOTICE"],
};

/** Throws InvalidArgumentError unless a case may change from one state to another. */
export function assertMayBecome(from: CaseState, to: CaseState): void {
	if (nextStates[from].includes(to)) return;
	throw fail("InvalidArgumentError", `The dunning case is ${from}, so it cannot become ${to}; ${remedies[from]}`);
}

const remedies: Readonly<Record<CaseState, string>> = {
	REMINDING: "suspend it first.",
	RETRYING: "suspend it first.",
	WAITING: "suspend it first.",
	FINAL_NOTICE: "suspend it first.",
	SUSPENDED: "resume it first.",
	ENDED: "start it again with POST …/collection/start.",
};

/** The state of a case whose schedule runs, by the index of its next step. */
export const runningState = (reminders: readonly number[], position: number): "REMINDING" | "FINAL_NOTICE" =>
	position < reminders.length ? "REMINDING" : "FINAL_NOTICE";

/**
 * Returns the tone of a reminder: by the day on which it runs, since a late one must not announce a date that has passed. The last one after the
 * due date is FINAL, unless the policy leaves the invoice open without more.
 */
export function reminderKind(
	{ day, dueDay }: { readonly day: number; readonly dueDay: number },
	isLast: boolean,
): ReminderKind {
	if (day < dueDay) return "BEFORE_DUE";
	if (day === dueDay) return "DUE";
	return isLast ? "FINAL" : "OVERDUE";
}

/** A mail has the most urgent tone of its reminders. */
export const urgency: Readonly<Record<ReminderKind, number>> = {
	...{ BEFORE_DUE: 0, DUE: 1, OVERDUE: 2, FINAL: 3 },
	// Mails about charges are of one tone.
	...{ CHARGE_FAILED: 1, METHOD_NEEDED: 2, AUTHENTICATION_NEEDED: 2 },
};
