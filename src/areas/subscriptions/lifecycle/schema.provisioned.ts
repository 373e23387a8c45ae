import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../../../kernel/schema";
import { EffectiveEntitlement } from "../../entitlement-sources/schema";
import { Subscription } from "../schema";

/**
 * The response of a provision. Without a payment provider it always succeeds at once (docs/interface/subscriptions.md).
 */
export const SubscriptionProvisioned = Type.Object({
	id: Type.String(),
	status: literals("SUCCESS", "PAYMENT_REQUIRED"),
	isScheduled: Type.Boolean(),
	/** The customer's effective entitlements after the change. */
	entitlements: nullable(Type.Array(EffectiveEntitlement)),
	subscription: nullable(Subscription),
});
export type SubscriptionProvisioned = Static<typeof SubscriptionProvisioned>;
