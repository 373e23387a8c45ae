import { type Static, Type } from "@sinclair/typebox";
import { literals, Timestamp } from "../../kernel/schema";

const closed = { additionalProperties: false };

export const FirstPeriod = literals("PRORATE", "FULL", "FREE");

const types = ["SUBSCRIPTION_START", "START_OF_THE_MONTH", "CALENDAR", "DAY", "DATE"] as const;

const parts = {
	dayOfMonth: Type.Optional(Type.Integer({ minimum: 1, maximum: 31 })),
	month: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
	/** 1 is Monday (ISO 8601). */
	dayOfWeek: Type.Optional(Type.Integer({ minimum: 1, maximum: 7 })),
	date: Type.Optional(Timestamp),
	firstPeriod: Type.Optional(FirstPeriod),
};

/** Our addition: from when billing periods count (docs/pricing.md#a-chosen-billing-day). */
export const BillingAnchor = Type.Object({ type: literals(...types, "CUSTOMER"), ...parts }, closed);
export type BillingAnchor = Static<typeof BillingAnchor>;

/** The anchor of a customer, which cannot be that of its customer. */
export const CustomerBillingAnchor = Type.Object({ type: literals(...types), ...parts }, closed);
export type CustomerBillingAnchor = Static<typeof CustomerBillingAnchor>;
