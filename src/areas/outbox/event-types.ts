import type { Static, TObject } from "@sinclair/typebox";
import {
	ApiKeyPayload,
	BankEntryPayload,
	BankStatementPayload,
	ContractPayload,
	CouponPayload,
	CustomerPayload,
	DirectDebitFilePayload,
	DirectDebitPayload,
	DisputePayload,
	DunningPayload,
	FeaturePayload,
	InvoiceCreditedPayload,
	InvoicePayload,
	InvoicePaymentReversedPayload,
	MandatePayload,
	PackagePayload,
	PaymentAttemptPayload,
	PaymentMethodPayload,
	ProductPayload,
	PromotionalEntitlementPayload,
	ProviderRefundPayload,
	ReceiptPayload,
	SubscriptionPayload,
	TaskPayload,
	TrialConvertedPayload,
	WebhookPayload,
} from "./schema";
import {
	BudgetExceededPayload,
	BudgetRequestPayload,
	BudgetThresholdPayload,
	CreditBalancePayload,
	CreditGrantPayload,
	EntitlementsUpdatedPayload,
	MeasurementPayload,
	RechargeAttemptPayload,
	RechargeConfigurationPayload,
	RechargeLimitPayload,
	UsageExceededPayload,
} from "./schema.usage";

const type = <Payload extends TObject>(payload: Payload, description: string) => ({ payload, description });

/**
 * Event types with their payloads. Types that clients of the reference service know keep that name; the others follow
 * the same pattern. A test checks that the code writes each type.
 */
export const eventTypes = {
	"customer.created": type(CustomerPayload, "A customer was provisioned or imported."),
	"customer.updated": type(CustomerPayload, "A customer changed."),
	"customer.deleted": type(CustomerPayload, "A customer was archived."),
	"payment_method.attached": type(PaymentMethodPayload, "A customer's default payment method changed."),
	"payment_method.detached": type(PaymentMethodPayload, "A customer's payment method was removed."),
	"subscription.created": type(SubscriptionPayload, "A subscription was provisioned or imported."),
	"subscription.updated": type(SubscriptionPayload, "A subscription changed, renewed or started."),
	"subscription.canceled": type(SubscriptionPayload, "A subscription was ended."),
	"subscription.expired": type(SubscriptionPayload, "A subscription expired."),
	"subscription.paused": type(SubscriptionPayload, "A pause of a subscription began."),
	"subscription.phase_changed": type(SubscriptionPayload, "A phase of a subscription began, or the last one ended."),
	"subscription.term_renewed": type(SubscriptionPayload, "A further term of a subscription began."),
	"subscription.resumed": type(SubscriptionPayload, "A paused subscription resumed."),
	"subscription.trial_started": type(SubscriptionPayload, "A subscription started with a trial."),
	"subscription.trial_expired": type(SubscriptionPayload, "A trial ended without conversion to a paid subscription."),
	"subscription.trial.ends_soon": type(
		SubscriptionPayload,
		"A trial ends in seven days; for a shorter trial, emitted at its start.",
	),
	"subscription.trial_converted": type(
		TrialConvertedPayload,
		"A trial was converted to a paid subscription; the payload names the reason.",
	),
	"promotionalEntitlement.granted": type(
		PromotionalEntitlementPayload,
		"A promotional entitlement was granted to a customer.",
	),
	"promotionalEntitlement.updated": type(
		PromotionalEntitlementPayload,
		"A promotional entitlement was granted again and replaces the former one.",
	),
	"promotionalEntitlement.revoked": type(PromotionalEntitlementPayload, "A promotional entitlement was revoked."),
	"promotionalEntitlement.expired": type(PromotionalEntitlementPayload, "A promotional entitlement expired."),
	"entitlements.updated": type(
		EntitlementsUpdatedPayload,
		"A customer's entitlements changed. Sent only to endpoints that name this type.",
	),
	"measurement.reported": type(
		MeasurementPayload,
		"Usage was reported or consumed. Sent only to endpoints that name this type.",
	),
	"entitlement.usage_exceeded": type(
		UsageExceededPayload,
		"Usage reached a threshold; emitted once for each usage period and threshold.",
	),
	"budget.threshold_reached": type(
		BudgetThresholdPayload,
		"Usage reached the threshold of an entity; emitted once for each cadence and threshold.",
	),
	"budget.exceeded": type(
		BudgetExceededPayload,
		"A budget denied a use, or usage passed its limit; emitted once for each cadence.",
	),
	"budget.requested": type(BudgetRequestPayload, "A higher budget was requested."),
	"budget.approved": type(BudgetRequestPayload, "A request for a higher budget was approved."),
	"budget.declined": type(BudgetRequestPayload, "A request for a higher budget was declined."),
	"plan.created": type(PackagePayload, "A plan was created, as a draft."),
	"plan.published": type(PackagePayload, "A version of a plan was published."),
	"plan.archived": type(PackagePayload, "A plan was archived."),
	"addon.created": type(PackagePayload, "An addon was created, as a draft."),
	"addon.published": type(PackagePayload, "A version of an addon was published."),
	"addon.archived": type(PackagePayload, "An addon was archived."),
	"product.created": type(ProductPayload, "A product was created."),
	"product.updated": type(ProductPayload, "A product changed, or was archived or unarchived."),
	"feature.created": type(FeaturePayload, "A feature was created."),
	"feature.updated": type(FeaturePayload, "A feature changed, or was archived or unarchived."),
	"coupon.created": type(CouponPayload, "A coupon was created."),
	"coupon.updated": type(CouponPayload, "A coupon changed."),
	"coupon.archived": type(CouponPayload, "A coupon was archived."),
	"credit_grant.created": type(CreditGrantPayload, "Credits were granted or sold."),
	"credit_grant.updated": type(
		CreditGrantPayload,
		"A grant's terms changed, it was paid, or it became effective after its creation.",
	),
	"credit_grant.depleted": type(CreditGrantPayload, "A grant was used up."),
	"credit_grant.expired": type(CreditGrantPayload, "A grant has expired."),
	"credit_grant.voided": type(CreditGrantPayload, "The rest of a grant was voided."),
	"credit_balance.low": type(CreditBalancePayload, "A credit balance fell to a threshold."),
	"credit_balance.depleted": type(CreditBalancePayload, "A credit balance was used up."),
	"automatic_recharge.configuration.changed": type(
		RechargeConfigurationPayload,
		"The settings of an auto-recharge were saved.",
	),
	"automatic_recharge.operation.attempted": type(
		RechargeAttemptPayload,
		"An auto-recharge was attempted; the payload names the outcome.",
	),
	"credits.automatic_recharge_limit_exceeded": type(
		RechargeLimitPayload,
		"Auto-recharges reached 80, 90 or 100 percent of the monthly limit.",
	),
	"invoice.created": type(InvoicePayload, "An invoice was issued."),
	"invoice.paid": type(InvoicePayload, "An invoice was paid, or credit notes cover the rest of it."),
	"invoice.overdue": type(InvoicePayload, "The due date of an OPEN invoice has passed."),
	"invoice.canceled": type(InvoicePayload, "An unpaid invoice was canceled."),
	"invoice.payment_reversed": type(
		InvoicePaymentReversedPayload,
		"A payment no longer counts: the bank or the provider withdrew it. A PAID invoice is OPEN again.",
	),
	"invoice.credited": type(InvoiceCreditedPayload, "A credit note was issued for an invoice."),
	"dunning.case_started": type(
		DunningPayload,
		"The dunning case of an OPEN invoice started, or continues after a reversed payment.",
	),
	"dunning.reminder_issued": type(
		DunningPayload,
		"A reminder was issued; the payload names its mail and whether it is sent.",
	),
	"dunning.case_suspended": type(
		DunningPayload,
		"The schedule of a case stands still: a promise to pay, a hold or a dispute.",
	),
	"dunning.case_resumed": type(DunningPayload, "The schedule of a suspended case runs again."),
	"dunning.case_ended": type(DunningPayload, "A case has ended; the payload names the reason."),
	"dispute.created": type(DisputePayload, "A dispute of a receipt was recorded."),
	"dispute.updated": type(DisputePayload, "The state of a dispute changed."),
	"receipt.created": type(ReceiptPayload, "Money arrived and was recorded as a receipt of its own."),
	"receipt.allocated": type(ReceiptPayload, "Unallocated money of a receipt paid invoices, or went to the balance."),
	"receipt.allocation_reversed": type(ReceiptPayload, "An allocation was undone; its money is unallocated again."),
	"receipt.refunded": type(ReceiptPayload, "Money of a receipt was refunded; the payload describes the refund."),
	"receipt.returned": type(
		ReceiptPayload,
		"The bank or the provider withdrew money of a receipt; the payload describes the withdrawal.",
	),
	"payment_attempt.created": type(PaymentAttemptPayload, "Tollgate plans to charge a saved payment method."),
	"payment_attempt.requires_action": type(PaymentAttemptPayload, "The customer must authenticate a charge."),
	"payment_attempt.unknown": type(
		PaymentAttemptPayload,
		"Nobody can say whether a charge happened; a person resolves it.",
	),
	"payment_attempt.succeeded": type(PaymentAttemptPayload, "A charge succeeded; its receipt pays the invoices."),
	"payment_attempt.failed": type(PaymentAttemptPayload, "A charge failed; the payload has the code and the prospect."),
	"payment_attempt.canceled": type(PaymentAttemptPayload, "A charge was canceled before money moved."),
	"provider_refund.created": type(ProviderRefundPayload, "Tollgate plans to send money back through its provider."),
	"provider_refund.succeeded": type(ProviderRefundPayload, "The provider has sent the money back."),
	"provider_refund.failed": type(ProviderRefundPayload, "A refund failed; its money is where it was."),
	"bank_statement.imported": type(
		BankStatementPayload,
		"A bank statement with new entries was imported; the payload names missing statements before it.",
	),
	"mandate.created": type(MandatePayload, "A SEPA mandate of a customer was recorded."),
	"mandate.revoked": type(MandatePayload, "A mandate was revoked. Its debits that were in no file are canceled."),
	"mandate.stopped": type(MandatePayload, "A bank returned a debit with a code that ends its mandate."),
	"direct_debit.planned": type(
		DirectDebitPayload,
		"A direct debit of an invoice was planned; the payload has what the announcement to the customer must state.",
	),
	"direct_debit.submitted": type(DirectDebitPayload, "A direct debit is in a file for the bank."),
	"direct_debit.settled": type(DirectDebitPayload, "The money of a direct debit arrived."),
	"direct_debit.returned": type(
		DirectDebitPayload,
		"A bank rejected or returned a direct debit. Money that had arrived is withdrawn, and the invoice is OPEN again.",
	),
	"direct_debit.canceled": type(DirectDebitPayload, "A direct debit was canceled before a file had it."),
	"direct_debit_file.created": type(DirectDebitFilePayload, "A file of direct debits can be downloaded."),
	"bank_entry.confirmed": type(BankEntryPayload, "A person recorded an entry of a bank statement as a receipt."),
	"bank_entry.rejected": type(BankEntryPayload, "A person decided that an entry of a bank statement pays no invoice."),
	"bank_entry.undone": type(BankEntryPayload, "A person undid the decision about an entry of a bank statement."),
	"contract.created": type(ContractPayload, "A contract was created."),
	"contract.updated": type(ContractPayload, "A contract changed."),
	"contract.archived": type(ContractPayload, "A contract was canceled."),
	"task.completed": type(TaskPayload, "A background task ended; the payload contains its status."),
	"task.failed": type(TaskPayload, "A background task failed."),
	"api_key.created": type(ApiKeyPayload, "An API key was created."),
	"api_key.rotated": type(ApiKeyPayload, "An API key was rotated. It expires at the end of the overlap."),
	"api_key.revoked": type(ApiKeyPayload, "An API key was revoked."),
	"webhook.disabled": type(WebhookPayload, "An endpoint was disabled, because its deliveries failed for days."),
} as const;

export type EventType = keyof typeof eventTypes;
export type EventPayload<Type extends EventType> = Static<(typeof eventTypes)[Type]["payload"]>;

/** Types whose events are due at a set time. */
export const noticeTypes = [
	"subscription.trial.ends_soon",
	"promotionalEntitlement.expired",
	"invoice.overdue",
] as const satisfies readonly EventType[];
/**
 * Notices without an event of their own: the dunning case of an invoice follows the state of the invoice, and its charges; a customer's new payment
 * method is tried; a customer's mails about charges are issued.
 */
export type NoticeType =
	| (typeof noticeTypes)[number]
	| "dunning.follow"
	| "dunning.charge"
	| "dunning.method"
	| "dunning.mails";

export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** Returns the customer's id (of the caller) that a payload names. */
export function customerOf(type: EventType, payload: EventPayload<EventType>): string | null {
	if ("customer" in payload) return payload.customer?.id ?? null;
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
