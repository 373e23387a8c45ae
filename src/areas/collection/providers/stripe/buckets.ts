import type { Bucket } from "../provider";

const codes: Readonly<Record<Bucket, string>> = {
	RETRY_LATER: `approve_with_id call_issuer card_decline_rate_limit_exceeded card_velocity_exceeded charge_exceeds_source_limit
		charge_exceeds_transaction_limit do_not_honor generic_decline card_declined issuer_not_available no_action_taken not_permitted
		processing_error reenter_transaction service_not_allowed transaction_not_allowed try_again_later refer_to_customer
		withdrawal_count_limit_exceeded bank_account_declined payment_method_provider_decline payment_method_provider_timeout
		payment_intent_payment_attempt_failed payment_intent_payment_attempt_expired`,
	INSUFFICIENT_FUNDS: "insufficient_funds",
	NEW_METHOD: `card_not_supported currency_not_supported expired_card incorrect_address incorrect_cvc incorrect_number
		incorrect_pin incorrect_zip invalid_account invalid_amount invalid_cvc invalid_expiry_month invalid_expiry_year invalid_number
		invalid_pin new_account_information_available offline_pin_required online_or_offline_pin_required pin_try_exceeded testmode_decline
		account_closed account_invalid no_account bank_account_restricted bank_account_unusable payment_method_not_available
		payment_method_restricted payment_method_customer_decline payment_method_unactivated payment_method_currency_mismatch
		expired_payment_method sepa_unsupported_account debit_not_authorized invalid_owner_name payment_method_bank_account_blocked`,
	AUTHENTICATE: `authentication_required authentication_not_handled mobile_device_authentication_required approval_required
		payment_intent_authentication_failure setup_intent_authentication_failure authentication_failure
		payment_intent_action_required`,
	NEVER: `fraudulent lost_card stolen_card pickup_card restricted_card security_violation merchant_blacklist
		revocation_of_all_authorizations revocation_of_authorization stop_payment_order payment_intent_mandate_invalid
		billing_invalid_mandate india_recurring_payment_mandate_canceled highest_risk_level`,
	OURS: `duplicate_transaction api_key_expired account_error_country_change_requires_additional_steps lock_timeout rate_limit
		capability_not_active secret_key_required parameter_missing parameter_unknown parameter_invalid_integer amount_too_small
		amount_too_large idempotency_key_in_use resource_missing request_blocked`,
};

const bucketByCode: ReadonlyMap<string, Bucket> = new Map(
	(Object.keys(codes) as Bucket[]).flatMap((bucket) =>
		codes[bucket].split(/\s+/).map((code) => [code, bucket] as const),
	),
);

/**
 * The bucket of a failed charge: by the code of the bank (`decline_code`), or else by the code of the provider. Unknown codes may succeed
 * another day. See docs.stripe.com/declines/codes, docs.stripe.com/error-codes.
 */
export const bucketOf = (declineCode: string | null, code: string | null): Bucket =>
	bucketByCode.get(declineCode ?? "") ?? bucketByCode.get(code ?? "") ?? "RETRY_LATER";
