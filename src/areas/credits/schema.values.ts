/** Values of the interface, in rows and in answers (docs/interface/credits.md). */

export const grantTypes = ["PAID", "PROMOTIONAL", "RECURRING", "OVERDRAFT"] as const;
export type GrantType = (typeof grantTypes)[number];

export const grantSources = ["PRICE", "PLAN_ENTITLEMENT", "ADDON_ENTITLEMENT"] as const;
export type GrantSource = (typeof grantSources)[number];

export const grantStatuses = ["PAYMENT_PENDING", "SCHEDULED", "ACTIVE", "EXPIRED", "VOIDED"] as const;
export type GrantStatus = (typeof grantStatuses)[number];

export const ledgerEventTypes = [
	"CREDITS_GRANTED",
	"CREDITS_EXPIRED",
	"CREDITS_CONSUMED",
	"CREDITS_VOIDED",
	"CREDITS_UPDATED",
	"CREDITS_CONSUMPTION_TRANSFER_SOURCE",
	"CREDITS_CONSUMPTION_TRANSFER_TARGET",
] as const;
export type LedgerEventType = (typeof ledgerEventTypes)[number];

export const paymentCollections = ["NOT_REQUIRED", "PROCESSING", "FAILED", "ACTION_REQUIRED"] as const;
