import { isTimeZone } from "../../kernel/schema.time-zone";
import type { Work } from "../../kernel/work";
import { getOwnEnvironment } from "../access/operations";
import type { CustomerRow } from "../customers/table";
import { membersOf } from "../invoices/consolidated/operations";
import type { InvoiceRow } from "../invoices/table";
import { subscriptionsByIds } from "../subscriptions/operations";
import type { SubscriptionRow } from "../subscriptions/table";
import { type AppliedPolicy, policyOf } from "./policies/operations";

/** Returns the zone of a customer; a text that is no zone counts as none, and then the zone of the environment applies. */
export const zoneOf = (work: Work, { timezone }: Pick<CustomerRow, "timezone">): string =>
	timezone !== null && isTimeZone(timezone) ? timezone : getOwnEnvironment(work).timeZone;

/** Returns the subscriptions that an invoice charges. */
export function chargedSubscriptions(work: Work, invoice: InvoiceRow): SubscriptionRow[] {
	const { subscriptionId } = invoice;
	const ids = subscriptionId === null ? membersOf(work, invoice).map((one) => one.subscriptionId) : [subscriptionId];
	return [...subscriptionsByIds(work, ids).values()];
}

/** Returns the policy of an invoice; undefined if none applies. An invoice of several subscriptions has no plan. */
export function policyOfInvoice(work: Work, invoice: InvoiceRow): AppliedPolicy | undefined {
	const { customerId, legalEntityId, subscriptionId } = invoice;
	const planId =
		subscriptionId === null ? null : (subscriptionsByIds(work, [subscriptionId]).get(subscriptionId)?.planId ?? null);
	return policyOf(work, { customerId, legalEntityId, planId });
}
