/** The actions after the last reminder. */
export const endActions = ["LEAVE_OPEN", "CANCEL", "PAUSE", "WRITE_OFF"] as const;
export type EndAction = (typeof endActions)[number];

/** The tone of a reminder. FINAL: the last reminder of a policy, after the due date. */
export const reminderKinds = ["BEFORE_DUE", "DUE", "OVERDUE", "FINAL"] as const;
export type ReminderKind = (typeof reminderKinds)[number];

/** The languages of mails. */
export const mailLanguages = ["en", "de", "fr", "es"] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** The level that decides about a customer's policy, the most specific one first. */
export const policySources = ["CUSTOMER", "PLAN", "LEGAL_ENTITY", "ENVIRONMENT"] as const;
export type PolicySource = (typeof policySources)[number];
