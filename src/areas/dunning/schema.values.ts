/** The states of a case. RETRYING and WAITING are states of invoices that Tollgate charges. */
export const caseStates = ["REMINDING", "RETRYING", "WAITING", "FINAL_NOTICE", "SUSPENDED", "ENDED"] as const;
export type CaseState = (typeof caseStates)[number];

/** Why a schedule stands still. */
export const suspensionReasons = ["PROMISE", "HOLD", "DISPUTE"] as const;
export type SuspensionReason = (typeof suspensionReasons)[number];

/** PAID, CREDITED and CANCELED are states of the invoice. POLICY_END: the policy's end ran. STOPPED: by a person. */
export const endReasons = ["PAID", "CREDITED", "CANCELED", "POLICY_END", "STOPPED"] as const;
export type EndReason = (typeof endReasons)[number];

/** FINAL_NOTICE: the tries of a case that waits for the customer are over. */
export const stepKinds = ["REMINDER", "RETRY", "FINAL_NOTICE", "END", "RESUME"] as const;
export type StepKind = (typeof stepKinds)[number];

/**
 * DONE: a reminder was issued, a charge succeeded, or the end ran. FAILED: a charge failed or was canceled. SKIPPED: a later reminder of the
 * same day replaced it, or the case waited for the customer.
 */
export const stepOutcomes = ["DONE", "FAILED", "SKIPPED"] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

/**
 * Why no try is made until the customer acts: the failure of the last charge; NO_METHOD: the customer has no saved method that collects for
 * the invoice; REVERSED: a payment that Tollgate had collected was reversed. DECLINES: the method was declined fifteen times in thirty days.
 */
export const waitReasons = [
	...(["RETRY_LATER", "INSUFFICIENT_FUNDS", "NEW_METHOD", "AUTHENTICATE", "NEVER"] as const),
	...(["NO_METHOD", "REVERSED", "DECLINES"] as const),
] as const;
export type WaitReason = (typeof waitReasons)[number];

/** The progress of the last attempt that a case has followed. ACTION: the customer must authenticate. */
export type AttemptPhase = "RUNNING" | "ACTION" | "ENDED";

/** QUEUED, then SENT or FAILED; the others were not sent, for the reason in their name. */
export const mailStatuses = ["QUEUED", "SENT", "FAILED", "NO_ADDRESS", "NO_MAIL_SERVER", "TEST_CLOCK"] as const;
export type MailStatus = (typeof mailStatuses)[number];
