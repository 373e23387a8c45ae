import type { Instant } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import { utc } from "../../../kernel/period";
import type { VersionRow } from "../../packages/table";
import {
	type AgreedTerm,
	beginTerm,
	changedTerm,
	endAfterNotice,
	followingTerm,
	type RunningTerm,
	storedTerm,
	termContaining,
	type Uplifts,
} from "../../pricing/rules.terms";
import type { Term } from "../../pricing/schema.term";
import { isBilledHere } from "../rules.due";
import type { SubscriptionRow } from "../table";

/** The columns of a subscription that decide its terms. */
type TermColumns = Pick<
	SubscriptionRow,
	"term" | "runningTerm" | "uplifts" | "timeZone" | "pricingType" | "paymentCollectionMethod"
>;

type PlanTerm = Pick<VersionRow, "term">;

const zoneOf = ({ timeZone }: Pick<SubscriptionRow, "timeZone">): string => timeZone ?? utc;

/** Returns the term of a subscription as agreed: its own, else that of its version. */
const agreedTerm = ({ term }: Pick<SubscriptionRow, "term">, plan: PlanTerm): AgreedTerm | null => term ?? plan.term;

/** Returns the running term. On a contract, the contract's terms apply. */
export const runningTermOf = (row: Omit<TermColumns, "term" | "uplifts" | "timeZone">): RunningTerm | null =>
	isBilledHere(row) ? row.runningTerm : null;

/** Returns the term of an instant, counted from the start of billing; null without a term, and after the last one. */
export function termFromStart(
	row: Omit<TermColumns, "runningTerm" | "uplifts"> & Pick<SubscriptionRow, "startAt" | "trialEndAt">,
	plan: PlanTerm,
	at: Instant,
): RunningTerm | null {
	const agreed = isBilledHere(row) ? agreedTerm(row, plan) : null;
	return agreed && termContaining(agreed, row.trialEndAt ?? row.startAt, at, zoneOf(row));
}

type Changed = Pick<SubscriptionRow, "runningTerm" | "uplifts">;

/**
 * Returns the columns at an instant at which a term may have ended. A renewal increases the prices, and the next term has the terms that
 * the subscription, else its version, has by then. Without any, the subscription goes on without a term.
 */
export function renewedTerm(row: TermColumns, plan: PlanTerm, now: Instant): Changed {
	const { uplifts } = row;
	const running = runningTermOf(row);
	if (!running || now < running.endAt || !running.agreed.renewal) return { runningTerm: row.runningTerm, uplifts };
	const agreed = agreedTerm(row, plan);
	if (!agreed) return { runningTerm: null, uplifts };
	const { renewal, upliftsUsage } = running.agreed;
	const uplift = { from: running.endAt, percentage: renewal.upliftPercentage, isOfUsage: upliftsUsage };
	return {
		runningTerm: followingTerm(running, renewal, agreed, zoneOf(row)),
		uplifts: exact(uplift.percentage).eq(0) ? uplifts : { ...uplifts, all: [...(uplifts?.all ?? []), uplift] },
	};
}

/** The changes of an update that concern the term. */
interface Asked {
	readonly term?: Term | null | undefined;
	readonly priceOverrides?: unknown;
	readonly minimumSpend?: unknown;
}

/**
 * Returns the columns after an update: first a renewal that is due, then the change. A changed term counts from its own start; the first one of
 * a subscription that is charged begins now. New prices of the subscription's own contain all increases so far.
 */
export function updatedTerm(
	row: TermColumns & Pick<SubscriptionRow, "billingAnchorAt" | "status">,
	asked: Asked,
	plan: PlanTerm,
	now: Instant,
): Pick<SubscriptionRow, "term"> & Changed {
	const { runningTerm, uplifts } = renewedTerm(row, plan, now);
	const count = uplifts?.all.length ?? 0;
	const known: Uplifts | null = uplifts && {
		...uplifts,
		...(asked.priceOverrides !== undefined && { inOwnPrices: count }),
		...(asked.minimumSpend !== undefined && { inMinimumSpend: count }),
	};
	if (asked.term === undefined) return { term: row.term, runningTerm, uplifts: known };
	const term = asked.term && storedTerm(asked.term, "body.term");
	const agreed = agreedTerm({ term }, plan);
	const isCharged = row.billingAnchorAt !== null && (row.status === "ACTIVE" || row.status === "PAUSED");
	if (!agreed || !isCharged || !isBilledHere(row)) return { term, runningTerm: null, uplifts: known };
	const zone = zoneOf(row);
	const changed = runningTerm ? changedTerm(runningTerm, agreed, now, zone) : beginTerm(agreed, now, zone);
	return { term, runningTerm: changed, uplifts: known };
}

/** The end of a subscription, and the time that is paid for nevertheless. */
export interface BoundEnd {
	readonly endAt: Instant;
	/** Null: nothing is owed after the end. */
	readonly owedUntil: Instant | null;
}

/** Returns the end that notice at `now` has, if it is requested for an instant. No term binds before the first payment. */
export function boundEnd(
	row: Omit<TermColumns, "term" | "uplifts"> & Pick<SubscriptionRow, "status">,
	at: Instant,
	now: Instant,
): BoundEnd {
	const running = row.status === "PAYMENT_PENDING" ? null : runningTermOf(row);
	if (!running || running.agreed.earlyCancellation === "ALLOWED") return { endAt: at, owedUntil: null };
	const bound = endAfterNotice(running, at, now, zoneOf(row));
	if (running.agreed.earlyCancellation === "PAY_REMAINDER") return { endAt: at, owedUntil: at < bound ? bound : null };
	return { endAt: bound, owedUntil: null };
}

/** Returns the running term with the time that is owed after a scheduled end; unchanged without a term. */
export const withOwed = (
	{ runningTerm }: Pick<SubscriptionRow, "runningTerm">,
	owedUntil: Instant | null,
): RunningTerm | null => {
	if (!runningTerm) return null;
	const { owedUntil: _, ...term } = runningTerm;
	return owedUntil === null ? term : { ...term, owedUntil };
};
