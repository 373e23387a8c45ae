/** The actions after the last reminder. */
export const endActions = ["LEAVE_OPEN", "CANCEL", "PAUSE", "WRITE_OFF"] as const;
export type EndAction = (typeof endActions)[number];

/** The failures of charges that a policy can name: the buckets of the providers' adapters. This area comes before theirs. */
export const failureBuckets = [
	...(["RETRY_LATER", "INSUFFICIENT_FUNDS", "NEW_METHOD", "AUTHENTICATE", "NEVER", "OURS"] as const),
] as const;
export type FailureBucket = (typeof failureBuckets)[number];

/** The buckets that a policy can retry. Our fault and the provider's are always tried again. */
export const retriedBuckets = ["RETRY_LATER", "INSUFFICIENT_FUNDS"] as const;
export type RetriedBucket = (typeof retriedBuckets)[number];

/** The days of the tries of a policy, and the buckets that they follow. */
export interface Retries {
	/** Without days, Tollgate charges nothing again. */
	readonly days: readonly number[];
	readonly buckets: readonly RetriedBucket[];
}

/**
 * The tone of a mail. FINAL: the last one of a policy, after the due date. CHARGE_FAILED: Tollgate charges again. METHOD_NEEDED and
 * AUTHENTICATION_NEEDED: the customer must act first.
 */
export const reminderKinds = [
	...(["BEFORE_DUE", "DUE", "OVERDUE", "FINAL"] as const),
	...(["CHARGE_FAILED", "METHOD_NEEDED", "AUTHENTICATION_NEEDED"] as const),
] as const;
export type ReminderKind = (typeof reminderKinds)[number];

/** The languages of mails. */
export const mailLanguages = ["en", "de", "fr", "es"] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** The level that decides about a customer's policy, the most specific one first. */
export const policySources = ["CUSTOMER", "PLAN", "LEGAL_ENTITY", "ENVIRONMENT"] as const;
export type PolicySource = (typeof policySources)[number];
