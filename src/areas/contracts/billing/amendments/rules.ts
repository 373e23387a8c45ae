import type { Instant } from "../../../../kernel/clock";
import { type DomainError, rejectBilling } from "../../../../kernel/errors";
import type { Window } from "../../rules";
import { paidUntil, type ScheduledItem, unbilled } from "../rules.cycles";
import { isPayAsYouGo } from "../rules.schedule";

/** The inputs of an amendment's rules. */
export interface Amendment {
	readonly includesCurrentInvoice: boolean;
}

type InForce = Pick<
	ScheduledItem,
	"pricingModelId" | "billingCycleUnit" | "paymentTime" | "activationStartAt" | "activationEndAt" | "billedUntil"
>;

/**
 * Returns the end of a line in force that an amendment removes. In advance it ends with its invoiced time; in arrears
 * now, so that the running cycle is still invoiced; a one-time charge now, with its usage. Null: nothing of it was or
 * will be invoiced, so it can be deleted. `runningSince` is the start of its running cycle, if the amendment replaces
 * that cycle's invoice.
 */
export function endOfRemoved(item: InForce, now: Instant, runningSince: Instant | null): Instant | null {
	const { billingCycleUnit, paymentTime, activationStartAt: start, activationEndAt, billedUntil } = item;
	if (billingCycleUnit === "one_time" && billedUntil !== null) return activationEndAt ?? billedUntil;
	// A one-time charge is paid in full or not at all; usage is paid.
	if (billingCycleUnit === "one_time" && !isPayAsYouGo(item)) return null;
	const last = runningSince ?? (paymentTime === "IN_ADVANCE" ? billedUntil : later(now, billedUntil));
	if (last === null || (start !== null && last <= start)) return null;
	return activationEndAt !== null && activationEndAt < last ? activationEndAt : last;
}

const later = (one: Instant, other: Instant | null): Instant => (other !== null && other > one ? other : one);

/**
 * Returns how far an item is paid once its amendment is in force. A last cycle that was charged in full is paid to its
 * own end, so an item with a later end is charged after it, unless the amendment reverses that cycle.
 */
export function paidAsAmended(item: ScheduledItem, inForce: ScheduledItem | undefined): Instant | null {
	const { billedUntil, activationEndAt: end } = item;
	const endBefore = inForce?.activationEndAt ?? null;
	const isExtended = end !== null && endBefore !== null && end > endBefore;
	if (!inForce || !isExtended || isPayAsYouGo(item) || billedUntil !== inForce.billedUntil) return billedUntil;
	return paidUntil(inForce);
}

/** ITEM_FULLY_INVOICED if other rows would change no invoice. */
export function assertStillInvoiced(item: ScheduledItem, now: Instant, { includesCurrentInvoice }: Amendment): void {
	if (includesCurrentInvoice || unbilled(item, now).count > 0) return;
	throw rejectBilling(
		"ITEM_FULLY_INVOICED",
		`The line item '${item.name}' is invoiced to its end, so other rows would change nothing; give it a later end first, or credit its invoice.`,
	);
}

/** ITEM_ALREADY_INVOICED if the change affects terms of issued invoices. */
export function assertTermsFree(
	item: Pick<ScheduledItem, "name" | "billedUntil" | "activationStartAt" | "currency">,
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

/**
 * Lines added to a live contract begin today unless their dates say otherwise, so that no past time is invoiced by
 * surprise.
 */
export const windowOfAdded = ({ activationStartAt, activationEndAt }: Window, today: Instant): Window => ({
	activationStartAt: activationStartAt !== null && activationStartAt < today ? today : activationStartAt,
	activationEndAt,
});
