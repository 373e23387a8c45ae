import { type Instant, toIso } from "../../../kernel/clock";
import { assert } from "../../../kernel/errors";
import { type Interval, utc } from "../../../kernel/period";
import { isTimeZone } from "../../../kernel/schema.time-zone";
import type { Work } from "../../../kernel/work";
import { getOwnEnvironment } from "../../access/operations";
import { getCustomerById } from "../../customers/operations";
import { keepCycleAnchor } from "../../customers/operations.cycle-anchor";
import type { CustomerRow } from "../../customers/table";
import { versionsByIds } from "../../packages/operations";
import type { VersionRow } from "../../packages/table";
import { anchorInstant, fitsInterval } from "../../pricing/rules.billing-anchor";
import { intervalOf } from "../../pricing/rules.billing-period";
import type { BillingAnchor, CustomerBillingAnchor } from "../../pricing/schema.billing-anchor";
import { type Cycle, cycleOf, keptZoneOf } from "../rules";
import type { SubscriptionUpdate } from "../schema.update";
import { selectFirstAnchor } from "../store.of-customers";
import type { SubscriptionRow } from "../table";

/** The columns of a subscription that decide where new billing periods count from. */
export type CycleTerms = Pick<SubscriptionRow, "billingAnchor" | "timeZone" | "customerId">;

type PlanTerms = Pick<VersionRow, "billingAnchor">;

/** Where new periods begin, and their length. */
interface Start {
	readonly from: Instant;
	readonly interval: Interval;
}

/**
 * Returns where billing periods count from that begin at an instant: by the nearest anchor (subscription, plan, customer,
 * environment), in the zone of the subscription, else of the environment or customer. NOW: from the instant itself.
 */
export function cycleFrom(
	work: Work,
	row: CycleTerms,
	plan: PlanTerms,
	{ from, interval }: Start,
	anchor?: "UNCHANGED" | "NOW",
): Cycle {
	const timeZone = row.timeZone ?? defaultTimeZone(work, row);
	const cycle = { timeZone: timeZone === utc ? null : timeZone };
	if (anchor === "NOW") return { anchorAt: from, ...cycle };
	const counted = { from, interval, timeZone };
	return { anchorAt: anchorInstant(nearestAnchor(work, row, plan, counted), counted), ...cycle };
}

/** Returns the anchor that a subscription or else its plan states. Another plan that states the same continues the cycle. */
export const statedAnchor = (row: CycleTerms, plan: PlanTerms): BillingAnchor | null =>
	row.billingAnchor ?? plan.billingAnchor;

export const planOf = (work: Work, { versionId }: Pick<SubscriptionRow, "versionId">): VersionRow => {
	const plan = versionsByIds(work, [versionId]).get(versionId);
	assert(plan, "a subscription has a plan");
	return plan;
};

/** Returns what the first period of a first purchase costs. */
export function firstPeriodOf(work: Work, row: CycleTerms, plan: PlanTerms): BillingAnchor["firstPeriod"] {
	const stated = statedAnchor(row, plan);
	if (stated && (stated.type !== "CUSTOMER" || stated.firstPeriod !== undefined)) return stated.firstPeriod;
	return getCustomerById(work, row.customerId).billingAnchor?.firstPeriod;
}

/** A customer's anchor that the length of the periods does not fit counts as none. */
function nearestAnchor(
	work: Work,
	row: CycleTerms,
	plan: PlanTerms,
	{ from, interval, timeZone }: Start & { readonly timeZone: string },
): CustomerBillingAnchor {
	const { type = "CUSTOMER", ...parts } = statedAnchor(row, plan) ?? {};
	if (type !== "CUSTOMER") return { type, ...parts };
	const customer = getCustomerById(work, row.customerId);
	if (customer.billingAnchor && fitsInterval(customer.billingAnchor, interval)) return customer.billingAnchor;
	const ofEnvironment = { type: getOwnEnvironment(work).billingAnchor };
	if (!statedAnchor(row, plan)) return ofEnvironment;
	return {
		type: "DATE",
		date: toIso(keptAnchor(work, customer, () => anchorInstant(ofEnvironment, { from, interval, timeZone }))),
	};
}

/** Returns the anchor of the customer's first charged subscription, which the customer keeps from then on. */
function keptAnchor(work: Work, customer: CustomerRow, ofFirst: () => Instant): Instant {
	if (customer.cycleAnchorAt !== null) return customer.cycleAnchorAt;
	const anchorAt = selectFirstAnchor(work, customer.id) ?? ofFirst();
	keepCycleAnchor(work, customer, anchorAt);
	return anchorAt;
}

/** A customer's text that is no zone counts as none. */
function defaultTimeZone(work: Work, { customerId }: CycleTerms): string {
	const { timeZone, timeZoneSource } = getOwnEnvironment(work);
	const customers = timeZoneSource === "CUSTOMER" ? getCustomerById(work, customerId).timezone : null;
	return customers !== null && isTimeZone(customers) ? customers : timeZone;
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
		timeZone: timeZone === undefined ? keptZoneOf(row) : timeZone,
	};
	const { billedUntil, billingPeriod, startAt, trialEndAt } = row;
	const present = cycleOf(row);
	const hasPeriods = row.status === "ACTIVE" || row.status === "PAUSED";
	if (!hasPeriods || !present || billedUntil === null || billingPeriod === null)
		return { billingAnchor: terms.billingAnchor, timeZone: terms.timeZone };
	const plan = planOf(work, row);
	const stated = statedAnchor(terms, plan) ?? getCustomerById(work, row.customerId).billingAnchor;
	const isFromStart = (stated?.type ?? getOwnEnvironment(work).billingAnchor) === "SUBSCRIPTION_START";
	const interval = intervalOf(billingPeriod);
	const next = cycleFrom(work, terms, plan, { from: isFromStart ? (trialEndAt ?? startAt) : billedUntil, interval });
	return { billingAnchor: terms.billingAnchor, nextCycle: Bun.deepEquals(next, present) ? null : next };
}
