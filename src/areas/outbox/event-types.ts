import type { Static, TObject } from "@sinclair/typebox";
import {
	ApiKeyPayload,
	ContractPayload,
	CouponPayload,
	CreditBalancePayload,
	CreditGrantPayload,
	CustomerPayload,
	EntitlementsUpdatedPayload,
	FeaturePayload,
	InvoiceCreditedPayload,
	InvoicePayload,
	MeasurementPayload,
	PackagePayload,
	PaymentMethodPayload,
	ProductPayload,
	PromotionalEntitlementPayload,
	RechargeAttemptPayload,
	RechargeConfigurationPayload,
	RechargeLimitPayload,
	SubscriptionPayload,
	TaskPayload,
	TrialConvertedPayload,
	UsageExceededPayload,
	WebhookPayload,
} from "./schema";

const type = <Payload extends TObject>(payload: Payload, description: string) => ({ payload, description });

/**
 * Event types with their payloads. Types that clients of the reference service know keep that name; the others follow
 * the same pattern. A test checks that the code writes each type.
 */
export const eventTypes = {
	"customer.created": type(CustomerPayload, "A customer was provisioned or imported."),
	"customer.updated": type(CustomerPayload, "A customer has changed."),
	"customer.deleted": type(CustomerPayload, "A customer was archived."),
	"payment_method.attached": type(PaymentMethodPayload, "A customer has another default payment method."),
	"payment_method.detached": type(PaymentMethodPayload, "A customer's payment method was taken away."),
	"subscription.created": type(SubscriptionPayload, "A subscription was provisioned or imported."),
	"subscription.updated": type(SubscriptionPayload, "A subscription has changed, renewed or started."),
	"subscription.canceled": type(SubscriptionPayload, "A subscription was ended."),
	"subscription.expired": type(SubscriptionPayload, "A subscription has come to its end."),
	"subscription.trial_started": type(SubscriptionPayload, "A subscription began with a trial."),
	"subscription.trial_expired": type(SubscriptionPayload, "A trial has ended without becoming a subscription."),
	"subscription.trial.ends_soon": type(
		SubscriptionPayload,
		"A trial ends in seven days; told as it begins where it is shorter.",
	),
	"subscription.trial_converted": type(TrialConvertedPayload, "A trial has become a subscription, and why."),
	"promotionalEntitlement.granted": type(PromotionalEntitlementPayload, "A customer was given a feature."),
	"promotionalEntitlement.updated": type(
		PromotionalEntitlementPayload,
		"A customer was given a feature anew, in place of what it was given before.",
	),
	"promotionalEntitlement.revoked": type(PromotionalEntitlementPayload, "What a customer was given was taken back."),
	"promotionalEntitlement.expired": type(PromotionalEntitlementPayload, "What a customer was given is over."),
	"entitlements.updated": type(
		EntitlementsUpdatedPayload,
		"What a customer may do has changed. Only where an endpoint asks for this type by its name.",
	),
	"measurement.reported": type(
		MeasurementPayload,
		"Usage was reported or consumed. Only where an endpoint asks for this type by its name.",
	),
	"entitlement.usage_exceeded": type(
		UsageExceededPayload,
		"Usage has reached a threshold, once for each usage period and threshold.",
	),
	"plan.created": type(PackagePayload, "A plan was created, as a draft."),
	"plan.published": type(PackagePayload, "A version of a plan is sold from now on."),
	"plan.archived": type(PackagePayload, "A plan is sold no more."),
	"addon.created": type(PackagePayload, "An addon was created, as a draft."),
	"addon.published": type(PackagePayload, "A version of an addon is sold from now on."),
	"addon.archived": type(PackagePayload, "An addon is sold no more."),
	"product.created": type(ProductPayload, "A product was created."),
	"product.updated": type(ProductPayload, "A product has changed, or was archived or opened again."),
	"feature.created": type(FeaturePayload, "A feature was created."),
	"feature.updated": type(FeaturePayload, "A feature has changed, or was archived or opened again."),
	"coupon.created": type(CouponPayload, "A coupon was created."),
	"coupon.updated": type(CouponPayload, "A coupon has changed."),
	"coupon.archived": type(CouponPayload, "A coupon can be applied no more."),
	"credit_grant.created": type(CreditGrantPayload, "Credits were granted or sold."),
	"credit_grant.updated": type(
		CreditGrantPayload,
		"A grant's terms have changed, it was paid, or it began to count later than it was made.",
	),
	"credit_grant.depleted": type(CreditGrantPayload, "Of a grant nothing is left."),
	"credit_grant.expired": type(CreditGrantPayload, "A grant has expired."),
	"credit_grant.voided": type(CreditGrantPayload, "What was left of a grant was taken back."),
	"credit_balance.low": type(CreditBalancePayload, "A balance of credits has come down to a threshold."),
	"credit_balance.depleted": type(CreditBalancePayload, "Of a balance of credits nothing is left."),
	"automatic_recharge.configuration.changed": type(RechargeConfigurationPayload, "Settings of a recharge were saved."),
	"automatic_recharge.operation.attempted": type(
		RechargeAttemptPayload,
		"A recharge was attempted, and what came of it.",
	),
	"credits.automatic_recharge_limit_exceeded": type(
		RechargeLimitPayload,
		"Recharges have reached 80, 90 or 100 percent of what a month may cost.",
	),
	"invoice.created": type(InvoicePayload, "An invoice was issued."),
	"invoice.paid": type(InvoicePayload, "An invoice is paid, or nothing of it is left to collect."),
	"invoice.overdue": type(InvoicePayload, "The day on which an invoice was due has passed, and it is OPEN."),
	"invoice.canceled": type(InvoicePayload, "An unpaid invoice was taken back."),
	"invoice.credited": type(InvoiceCreditedPayload, "A credit note was issued for an invoice."),
	"contract.created": type(ContractPayload, "A contract was created."),
	"contract.updated": type(ContractPayload, "A contract has changed."),
	"contract.archived": type(ContractPayload, "A contract was canceled for good."),
	"task.completed": type(TaskPayload, "A background task has ended; its status says how."),
	"task.failed": type(TaskPayload, "A background task was given up."),
	"api_key.created": type(ApiKeyPayload, "An API key was created."),
	"api_key.rotated": type(ApiKeyPayload, "An API key has a successor, and ends when its overlap does."),
	"api_key.revoked": type(ApiKeyPayload, "An API key was ended."),
	"webhook.disabled": type(WebhookPayload, "An endpoint failed for days, and is sent nothing more."),
} as const;

export type EventType = keyof typeof eventTypes;
export type EventPayload<Type extends EventType> = Static<(typeof eventTypes)[Type]["payload"]>;

/** Types whose events are due at a set time. */
export const noticeTypes = [
	"subscription.trial.ends_soon",
	"promotionalEntitlement.expired",
	"invoice.overdue",
] as const satisfies readonly EventType[];
export type NoticeType = (typeof noticeTypes)[number];

export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** Returns the customer's id (of the caller) that a payload names. */
export function customerOf(type: EventType, payload: EventPayload<EventType>): string | null {
	if ("customer" in payload) return payload.customer.id;
	return type.startsWith("customer.") || type.startsWith("payment_method.") ? String(payload.id) : null;
}

/** Actor types, with the names that clients of the reference service know. */
export const actorTypes = ["APP_SERVER", "APP_PUBLIC", "SCOPED_KEY", "USER", "SYSTEM"] as const;
export type ActorType = (typeof actorTypes)[number];

const byKind: Readonly<Record<string, ActorType>> = {
	FULL_ACCESS: "APP_SERVER",
	PUBLISHABLE: "APP_PUBLIC",
	SCOPED: "SCOPED_KEY",
	USER: "USER",
};

/** Maps the actor kinds of `access`. Steps that the service takes itself are SYSTEM. */
export const actorTypeOf = ({ kind }: { readonly kind: string }): ActorType => byKind[kind] ?? "SYSTEM";
