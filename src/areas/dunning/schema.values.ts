/** The states of a case. */
export const caseStates = ["REMINDING", "FINAL_NOTICE", "SUSPENDED", "ENDED"] as const;
export type CaseState = (typeof caseStates)[number];

/** Why a schedule stands still. */
export const suspensionReasons = ["PROMISE", "HOLD", "DISPUTE"] as const;
export type SuspensionReason = (typeof suspensionReasons)[number];

/** PAID, CREDITED and CANCELED are states of the invoice. POLICY_END: the policy's end ran. STOPPED: by a person. */
export const endReasons = ["PAID", "CREDITED", "CANCELED", "POLICY_END", "STOPPED"] as const;
export type EndReason = (typeof endReasons)[number];

export const stepKinds = ["REMINDER", "END", "RESUME"] as const;
export type StepKind = (typeof stepKinds)[number];

/** SKIPPED: a later reminder of the same day replaced it. */
export const stepOutcomes = ["DONE", "SKIPPED"] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

/** QUEUED, then SENT or FAILED; the others were not sent, for the reason in their name. */
export const mailStatuses = ["QUEUED", "SENT", "FAILED", "NO_ADDRESS", "NO_MAIL_SERVER", "TEST_CLOCK"] as const;
export type MailStatus = (typeof mailStatuses)[number];
