import type { Instant } from "../../../kernel/clock";
import type { DefaultPaymentMethod } from "../../customers/schema";
import type { CustomerRow } from "../../customers/table";
import type { PaymentMethodRow } from "./table";

/** Returns a saved method in the form of the interface. */
export const cardOfMethod = ({
	ref,
	kind,
	last4,
	expiresMonth,
	expiresYear,
}: Pick<PaymentMethodRow, "ref" | "kind" | "last4" | "expiresMonth" | "expiresYear">): DefaultPaymentMethod => ({
	billingId: ref,
	cardExpiryMonth: expiresMonth,
	cardExpiryYear: expiresYear,
	cardLast4Digits: last4 !== null && /^\d{4}$/.test(last4) ? last4 : null,
	type: kind === "DIRECT_DEBIT" ? "BANK" : "CARD",
});

/** Returns whether the customer's row states this method as the default one. */
export const isDefaultMethod = (
	{ connectionId, ref }: Pick<PaymentMethodRow, "connectionId" | "ref">,
	{ defaultPaymentMethod, paymentMethodSource }: Pick<CustomerRow, "defaultPaymentMethod" | "paymentMethodSource">,
): boolean => paymentMethodSource?.integrationId === connectionId && defaultPaymentMethod?.billingId === ref;

const detachMs = 3_600_000;

/** Returns the time of the next call that deletes a removed method at a provider that did not answer. */
export const nextDetachAt = (now: Instant): Instant => (now + detachMs) as Instant;
