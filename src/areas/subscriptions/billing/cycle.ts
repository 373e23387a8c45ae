import type { Instant } from "../../../kernel/clock";
import { type Interval, utc } from "../../../kernel/period";
import { isTimeZone } from "../../../kernel/schema.time-zone";
import type { Work } from "../../../kernel/work";
import { getOwnEnvironment } from "../../access/operations";
import { getCustomerById } from "../../customers/operations";
import { anchorInstant } from "../../pricing/rules.billing-anchor";
import { intervalOf } from "../../pricing/rules.billing-period";
import { type Cycle, cycleOf, zoneOf } from "../rules";
import type { SubscriptionUpdate } from "../schema.update";
import type { SubscriptionRow } from "../table";

/** The columns of a subscription that decide where new billing periods count from. */
export type CycleTerms = Pick<SubscriptionRow, "billingAnchor" | "timeZone" | "customerId">;

/**
 * Returns where billing periods count from that begin at an instant: by the anchor and zone of the subscription, else by
 * those of the environment. NOW: from the instant itself.
 */
export function cycleFrom(
	work: Work,
	row: CycleTerms,
	interval: Interval,
	from: Instant,
	anchor?: "UNCHANGED" | "NOW",
): Cycle {
	const timeZone = row.timeZone ?? defaultTimeZone(work, row);
	if (anchor === "NOW") return { anchorAt: from, timeZone };
	const chosen = row.billingAnchor ?? { type: getOwnEnvironment(work).billingAnchor };
	return { anchorAt: anchorInstant(chosen, { from, interval, timeZone: timeZone ?? utc }), timeZone };
}

/** Null: UTC. A customer's text that is no zone counts as none. */
function defaultTimeZone(work: Work, { customerId }: CycleTerms): string | null {
	const { timeZone, timeZoneSource } = getOwnEnvironment(work);
	const customers = timeZoneSource === "CUSTOMER" ? getCustomerById(work, customerId).timezone : null;
	const zone = customers !== null && isTimeZone(customers) ? customers : timeZone;
	return zone === utc ? null : zone;
}

/**
 * Returns the columns of a subscription whose anchor or zone changes. The paid period runs out first; then a short one
 * leads to the first new boundary. Of several changes the last one counts.
 */
export function movedCycle(
	work: Work,
	row: SubscriptionRow,
	{ billingAnchor, timeZone }: Pick<SubscriptionUpdate, "billingAnchor" | "timeZone">,
): Partial<Pick<SubscriptionRow, "billingAnchor" | "timeZone" | "nextCycle">> {
	if (billingAnchor === undefined && timeZone === undefined) return {};
	const terms = {
		customerId: row.customerId,
		billingAnchor: billingAnchor === undefined ? row.billingAnchor : billingAnchor,
		timeZone: timeZone === undefined ? zoneOf(row) : timeZone,
	};
	const { billedUntil, billingPeriod, startAt, trialEndAt } = row;
	const present = cycleOf(row);
	if (row.status !== "ACTIVE" || !present || billedUntil === null || billingPeriod === null)
		return { billingAnchor: terms.billingAnchor, timeZone: terms.timeZone };
	const isFromStart = (terms.billingAnchor?.type ?? getOwnEnvironment(work).billingAnchor) === "SUBSCRIPTION_START";
	const next = cycleFrom(work, terms, intervalOf(billingPeriod), isFromStart ? (trialEndAt ?? startAt) : billedUntil);
	return { billingAnchor: terms.billingAnchor, nextCycle: Bun.deepEquals(next, present) ? null : next };
}
