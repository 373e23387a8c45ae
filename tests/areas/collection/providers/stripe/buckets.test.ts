import { expect, test } from "bun:test";
import { bucketOf } from "../../../../../src/areas/collection/providers/stripe/buckets";

test.each([
	["insufficient_funds", "card_declined", "INSUFFICIENT_FUNDS"],
	[null, "insufficient_funds", "INSUFFICIENT_FUNDS"],
	["do_not_honor", "card_declined", "RETRY_LATER"],
	["generic_decline", "card_declined", "RETRY_LATER"],
	["try_again_later", "card_declined", "RETRY_LATER"],
	["expired_card", "expired_card", "NEW_METHOD"],
	[null, "account_closed", "NEW_METHOD"],
	["incorrect_cvc", "incorrect_cvc", "NEW_METHOD"],
	["authentication_required", "authentication_required", "AUTHENTICATE"],
	[null, "payment_intent_authentication_failure", "AUTHENTICATE"],
	["lost_card", "card_declined", "NEVER"],
	["stolen_card", "card_declined", "NEVER"],
	["fraudulent", "card_declined", "NEVER"],
	["revocation_of_authorization", "card_declined", "NEVER"],
	[null, "payment_intent_mandate_invalid", "NEVER"],
	["duplicate_transaction", "card_declined", "OURS"],
	["a_code_of_next_year", "card_declined", "RETRY_LATER"],
	[null, null, "RETRY_LATER"],
] as const)("the decline code %p with the code %p is in the bucket %s", (declineCode, code, bucket) => {
	expect(bucketOf(declineCode, code)).toBe(bucket);
});
