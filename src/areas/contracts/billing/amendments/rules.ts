import type { Instant } from "../../../../kernel/clock";
import { type DomainError, rejectBilling } from "../../../../kernel/errors";
import type { Window } from "../../rules";
import { paidUntil, type RatedItem, unbilled } from "../rules.cycles";
import { isPayAsYouGo } from "../rules.schedule";

/** What an amendment goes by. */
export interface Amendment {
	readonly includesCurrentInvoice: boolean;
}

type InForce = Pick<
	RatedItem,
	"pricingModelId" | "billingCycleUnit" | "paymentTime" | "activationStartAt" | "activationEndAt" | "billedUntil"
>;

/**
 * Where a line that was in force ends when it is taken out of a live contract: in advance at the end of what is invoiced, in
 * arrears now, so that what has begun is still invoiced; what is charged once, with what was used until now. Null: nothing of it was or is to be invoiced, so it can go.
 * `runningSince`: where its running cycle began, whose invoice the amendment replaces.
 */
export function endOfRemoved(item: InForce, now: Instant, runningSince: Instant | null): Instant | null {
	const { billingCycleUnit, paymentTime, activationStartAt: start, activationEndAt, billedUntil } = item;
	if (billingCycleUnit === "one_time" && billedUntil !== null) return activationEndAt ?? billedUntil;
	// A charge is paid once or not at all; what was used is paid for.
	if (billingCycleUnit === "one_time" && !isPayAsYouGo(item)) return null;
	const last = runningSince ?? (paymentTime === "IN_ADVANCE" ? billedUntil : later(now, billedUntil));
	if (last === null || (start !== null && last <= start)) return null;
	return activationEndAt !== null && activationEndAt < last ? activationEndAt : last;
}

const later = (one: Instant, other: Instant | null): Instant => (other !== null && other > one ? other : one);

/**
 * Returns how far an item is paid once its amendment is in force. A last cycle that counted whole is paid to its own end, so
 * an item with a later end is charged from there on; unless the amendment has taken that cycle back.
 */
export function paidAsAmended(item: RatedItem, inForce: RatedItem | undefined): Instant | null {
	const { billedUntil, activationEndAt: end } = item;
	const endBefore = inForce?.activationEndAt ?? null;
	const isExtended = end !== null && endBefore !== null && end > endBefore;
	if (!inForce || !isExtended || isPayAsYouGo(item) || billedUntil !== inForce.billedUntil) return billedUntil;
	return paidUntil(inForce);
}

/** ITEM_FULLY_INVOICED, where other rows would change no invoice. */
export function assertStillInvoiced(item: RatedItem, now: Instant, { includesCurrentInvoice }: Amendment): void {
	if (includesCurrentInvoice || unbilled(item, now).count > 0) return;
	throw rejectBilling(
		"ITEM_FULLY_INVOICED",
		`The line item '${item.name}' is invoiced to its end, so other rows would change nothing; give it a later end first, or credit its invoice.`,
	);
}

/** ITEM_ALREADY_INVOICED, where terms would change that invoices have been issued by. */
export function assertTermsFree(
	item: Pick<RatedItem, "name" | "billedUntil" | "activationStartAt" | "currency">,
	{ activationStartAt, currency }: { readonly activationStartAt: Instant | null; readonly currency: string },
): void {
	if (item.billedUntil === null) return;
	if (activationStartAt !== item.activationStartAt) throw alreadyInvoiced(item.name, "start", "activationStartDate");
	if (currency !== item.currency) throw alreadyInvoiced(item.name, "currency", "currency");
}

const alreadyInvoiced = (name: string, what: string, field: string): DomainError =>
	rejectBilling(
		"ITEM_ALREADY_INVOICED",
		`The line item '${name}' has been invoiced, so its ${what} stays; leave '${field}' out.`,
	);

/** What is added to a live contract begins today, unless its dates say otherwise: what lies before is not invoiced by surprise. */
export const windowOfAdded = ({ activationStartAt, activationEndAt }: Window, today: Instant): Window => ({
	activationStartAt: activationStartAt !== null && activationStartAt < today ? today : activationStartAt,
	activationEndAt,
});
