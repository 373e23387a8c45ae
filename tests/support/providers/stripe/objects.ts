import type Stripe from "stripe";
import { type Account, newId } from "./account";
import type { TestMethod } from "./cards";

const noBilling = (): Stripe.PaymentMethod.BillingDetails => ({
	...{ address: null, email: null, name: null, phone: null, tax_id: null },
});

export const newCustomer = (account: Account, more: Partial<Stripe.Customer>): Stripe.Customer => ({
	...{ id: newId(account, "cus"), object: "customer", created: account.clock.seconds(), livemode: false },
	...{ address: null, balance: 0, currency: null, default_source: null, delinquent: false, description: null },
	...{ discount: null, email: null, metadata: {}, name: null, phone: null, preferred_locales: [], shipping: null },
	invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
	...more,
});

export function newMethod(account: Account, of: TestMethod): Stripe.PaymentMethod {
	const id = newId(account, "pm");
	account.objects.hidden.set(id, { number: of.number, isSetUp: false });
	const base = {
		object: "payment_method" as const,
		...{ id, created: account.clock.seconds(), livemode: false },
		...{ customer: null, customer_account: null, metadata: {}, billing_details: noBilling(), type: of.kind },
	};
	if (of.kind === "card") return { ...base, card: cardOf(account, of) };
	const debit: Stripe.PaymentMethod.SepaDebit = {
		...{ bank_code: of.number.slice(4, 12), branch_code: null, country: of.country, fingerprint: of.number.slice(-6) },
		...{ generated_from: null, last4: of.number.slice(-4) },
	};
	return { ...base, sepa_debit: debit };
}

const cardOf = ({ clock }: Account, of: TestMethod): Stripe.PaymentMethod.Card => ({
	...{ brand: of.brand, country: of.country, display_brand: of.brand, funding: "credit", last4: of.number.slice(-4) },
	...{ exp_month: 12, exp_year: new Date(clock.now()).getUTCFullYear() + 3, fingerprint: of.number.slice(-8) },
	checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
	...{ generated_from: null, regulated_status: "unregulated", wallet: null },
	networks: { available: [of.brand], preferred: null },
	three_d_secure_usage: { supported: true },
});

export function newIntent(
	account: Account,
	more: Pick<Stripe.PaymentIntent, "amount" | "currency"> & Partial<Stripe.PaymentIntent>,
): Stripe.PaymentIntent {
	const id = newId(account, "pi");
	return {
		...{ id, object: "payment_intent", created: account.clock.seconds(), livemode: false, metadata: {} },
		...{ allowed_payment_method_types: null, amount_capturable: 0, amount_received: 0, application: null },
		...{ application_fee_amount: null, automatic_payment_methods: null, canceled_at: null, cancellation_reason: null },
		...{ capture_method: "automatic", confirmation_method: "automatic", customer: null, customer_account: null },
		...{ client_secret: `${id}_secret_${account.random.letters(24)}`, description: null, last_payment_error: null },
		...{ excluded_payment_method_types: null, latest_charge: null, managed_payments: null, next_action: null },
		...{ on_behalf_of: null, payment_method: null, payment_method_configuration_details: null },
		...{ payment_method_options: null, payment_method_types: ["card", "sepa_debit"], payment_record: null },
		...{ processing: null, receipt_email: null, review: null, setup_future_usage: null, shipping: null, source: null },
		...{ statement_descriptor: null, statement_descriptor_suffix: null, status: "requires_payment_method" },
		...{ transfer_group: null },
		...more,
	};
}

export function newSetup(account: Account, more: Partial<Stripe.SetupIntent>): Stripe.SetupIntent {
	const id = newId(account, "seti");
	return {
		...{ id, object: "setup_intent", created: account.clock.seconds(), livemode: false, metadata: {} },
		...{ allowed_payment_method_types: null, application: null, automatic_payment_methods: null, customer: null },
		...{ cancellation_reason: null, client_secret: `${id}_secret_${account.random.letters(24)}`, description: null },
		...{ excluded_payment_method_types: null, flow_directions: null, last_setup_error: null, latest_attempt: null },
		...{ mandate: null, next_action: null, on_behalf_of: null, payment_method: null, single_use_mandate: null },
		...{ payment_method_configuration_details: null, payment_method_options: null, usage: "off_session" },
		...{ payment_method_types: ["card"], status: "requires_payment_method" },
		...more,
	};
}

export function newCharge(
	account: Account,
	intent: Stripe.PaymentIntent,
	method: Stripe.PaymentMethod,
	more: Partial<Stripe.Charge>,
): Stripe.Charge {
	const { amount, currency, customer, description } = intent;
	return {
		...{ id: newId(account, method.type === "card" ? "ch" : "py"), object: "charge", amount, currency, customer },
		...{ amount_captured: 0, amount_refunded: 0, application: null, application_fee: null, description },
		...{ application_fee_amount: null, balance_transaction: null, billing_details: method.billing_details },
		...{ calculated_statement_descriptor: "STAND-IN", captured: true, created: account.clock.seconds() },
		...{ disputed: false, failure_balance_transaction: null, failure_code: null, failure_message: null },
		...{ fraud_details: {}, livemode: false, metadata: { ...intent.metadata }, on_behalf_of: null, outcome: null },
		...{ paid: false, payment_intent: intent.id, payment_method: method.id, receipt_email: null, receipt_number: null },
		payment_method_details: { type: method.type },
		...{ receipt_url: null, refunded: false, review: null, shipping: null, source: null, source_transfer: null },
		...{ statement_descriptor: null, statement_descriptor_suffix: null, status: "pending", transfer_data: null },
		...{ transfer_group: null },
		...more,
	};
}

export function newSession(
	account: Account,
	more: Pick<Stripe.Checkout.Session, "mode"> & Partial<Stripe.Checkout.Session>,
): Stripe.Checkout.Session {
	const id = newId(account, "cs_test");
	return {
		...{ id, object: "checkout.session", created: account.clock.seconds(), livemode: false, metadata: {} },
		...{ adaptive_pricing: { enabled: false }, after_expiration: null, allow_promotion_codes: null },
		...{ allowed_payment_method_types: null, amount_subtotal: null, amount_total: null, cancel_url: null },
		automatic_tax: { enabled: false, liability: null, provider: null, status: null },
		...{ billing_address_collection: null, client_reference_id: null, client_secret: null, consent: null },
		...{ collected_information: null, consent_collection: null, currency: null, currency_conversion: null },
		custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
		...{ custom_fields: [], customer: null, customer_account: null, customer_creation: null, customer_details: null },
		...{ customer_email: null, discounts: [], expires_at: account.clock.seconds() + 86_400, invoice: null },
		...{ integration_identifier: null, invoice_creation: null, locale: null, managed_payments: null },
		...{ origin_context: null, payment_intent: null, payment_link: null, payment_method_collection: null },
		...{ payment_method_configuration_details: null, payment_method_options: null, payment_method_types: ["card"] },
		...{ payment_status: "unpaid", permissions: null, recovered_from: null, saved_payment_method_options: null },
		...{ setup_intent: null, shipping_address_collection: null, shipping_cost: null, shipping_options: [] },
		...{ status: "open", submit_type: null, subscription: null, success_url: null, total_details: null },
		...{ ui_mode: "hosted_page", url: `${account.baseUrl}/c/pay/${id}`, wallet_options: null },
		...more,
	};
}

export const newRefund = (
	account: Account,
	charge: Stripe.Charge,
	more: Pick<Stripe.Refund, "amount"> & Partial<Stripe.Refund>,
): Stripe.Refund => ({
	...{ id: newId(account, charge.id.startsWith("ch") ? "re" : "pyr"), object: "refund", currency: charge.currency },
	...{ balance_transaction: null, charge: charge.id, created: account.clock.seconds(), customer: charge.customer },
	...{ customer_account: null, metadata: {}, payment_intent: charge.payment_intent, status: "succeeded" },
	...{ payment_method: charge.payment_method, reason: null, receipt_number: null, source_transfer_reversal: null },
	...{ transfer_reversal: null },
	...more,
});

const noEvidence = (): Stripe.Dispute.Evidence => ({
	...{ access_activity_log: null, billing_address: null, cancellation_policy: null, customer_communication: null },
	...{ cancellation_policy_disclosure: null, cancellation_rebuttal: null, customer_email_address: null },
	...{ customer_name: null, customer_purchase_ip: null, customer_signature: null, duplicate_charge_id: null },
	...{ duplicate_charge_documentation: null, duplicate_charge_explanation: null, enhanced_evidence: {} },
	...{ product_description: null, receipt: null, refund_policy: null, refund_policy_disclosure: null },
	...{ refund_refusal_explanation: null, service_date: null, service_documentation: null, shipping_address: null },
	...{ shipping_carrier: null, shipping_date: null, shipping_documentation: null, shipping_tracking_number: null },
	...{ uncategorized_file: null, uncategorized_text: null },
});

export const newDispute = (
	account: Account,
	charge: Stripe.Charge,
	more: Pick<Stripe.Dispute, "reason" | "status">,
): Stripe.Dispute => ({
	...{ id: newId(account, "du"), object: "dispute", amount: charge.amount, currency: charge.currency },
	...{ balance_transactions: [], charge: charge.id, created: account.clock.seconds(), evidence: noEvidence() },
	enhanced_eligibility_types: [],
	evidence_details: {
		...{ due_by: account.clock.seconds() + 9 * 86_400, enhanced_eligibility: {}, has_evidence: false },
		...{ past_due: false, submission_count: 0, submission_method: "not_submitted" },
	},
	...{ intended_submission_method: null, is_charge_refundable: false, livemode: false, metadata: {} },
	...{ network_reason_code: null, payment_intent: charge.payment_intent },
	...more,
});
