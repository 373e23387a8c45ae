import type { Static } from "@sinclair/typebox";
import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, toWire } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import { addDays } from "../../kernel/period";
import type { PricedCharge } from "./models/charge";
import { chargeInPhase } from "./rules.phases";
import { afterRenewals, type CountedMonths, countedEnd, type Renewal, renewalsUntil } from "./rules.renewal";
import type { EarlyCancellation, Term, TermShown } from "./schema.term";

/** The agreed terms of a subscription, complete. */
export interface AgreedTerm {
	/** The length of the first term. */
	readonly months: number;
	/** Null: the subscription ends with its term. */
	readonly renewal: Renewal | null;
	readonly upliftsUsage: boolean;
	readonly earlyCancellation: Static<typeof EarlyCancellation>;
}

/** The place of a subscription within its terms. */
export interface RunningTerm {
	/** 1 is the first term. */
	readonly number: number;
	readonly startAt: Instant;
	readonly endAt: Instant;
	readonly counted: CountedMonths;
	/** A migration changes them with the next term only. */
	readonly agreed: AgreedTerm;
	/** The time up to which an early end is paid for, once notice was given. */
	readonly owedUntil?: Instant;
}

/** The price increase of a renewal. */
export interface Uplift {
	readonly from: Instant;
	readonly percentage: Decimal;
	readonly isOfUsage: boolean;
}

/** The price increases of a subscription so far, oldest first. */
export interface Uplifts {
	readonly all: readonly Uplift[];
	/** The number of increases that the subscription's own prices already contain, and its own minimum spend. */
	readonly inOwnPrices?: number;
	readonly inMinimumSpend?: number;
}

/** The longest month: notice cannot take longer than a term. */
const daysInMonth = 31;

/**
 * Returns a term as it is stored. `where` is its path. Throws BadUserInput for values without an effect: a renewal that is not wanted has
 * none, and notice that takes longer than a term would always come too late.
 */
export function storedTerm(term: Term, where: string): AgreedTerm {
	const { months, autoRenew = true, noticePeriodDays = 0, upliftPercentage = 0, upliftsUsage = false } = term;
	const { renewalMonths = months, earlyCancellation = "AT_TERM_END" } = term;
	const renewal = { months: renewalMonths, noticePeriodDays, upliftPercentage: toDecimal(upliftPercentage) };
	if (!autoRenew) {
		const unneeded = [
			...(renewalMonths === months ? [] : ["renewalMonths"]),
			...(noticePeriodDays === 0 ? [] : ["noticePeriodDays"]),
			...(upliftPercentage === 0 ? [] : ["upliftPercentage"]),
			...(upliftsUsage ? ["upliftsUsage"] : []),
		];
		if (unneeded[0])
			throw fail(
				"BadUserInput",
				`${where}.${unneeded[0]}: a term with 'autoRenew' false is not renewed; leave it out.`,
			);
		return { months, renewal: null, upliftsUsage, earlyCancellation };
	}
	const shortest = Math.min(months, renewalMonths);
	if (noticePeriodDays > shortest * daysInMonth)
		throw fail(
			"BadUserInput",
			`${where}.noticePeriodDays: ${noticePeriodDays} days are longer than a term of ${shortest} ${shortest === 1 ? "month" : "months"}; give fewer days, or a longer term.`,
		);
	return { months, renewal, upliftsUsage, earlyCancellation };
}

/** Returns a term as responses show it. */
export const viewTerm = ({ months, renewal, upliftsUsage, earlyCancellation }: AgreedTerm): TermShown => ({
	months,
	autoRenew: renewal !== null,
	noticePeriodDays: renewal?.noticePeriodDays ?? 0,
	upliftPercentage: renewal ? toWire(renewal.upliftPercentage) : 0,
	upliftsUsage,
	renewalMonths: renewal?.months ?? months,
	earlyCancellation,
});

/** Returns the term that begins at an instant. */
export function beginTerm(agreed: AgreedTerm, from: Instant, timeZone: string): RunningTerm {
	const counted = { from, months: agreed.months };
	return { number: 1, startAt: from, endAt: countedEnd(counted, timeZone), counted, agreed };
}

/** Returns the term that contains an instant, where the first one begins at `from`; null if the last one has ended. */
export function termContaining(agreed: AgreedTerm, from: Instant, at: Instant, timeZone: string): RunningTerm | null {
	const first = beginTerm(agreed, from, timeZone);
	if (at < first.endAt) return first;
	return agreed.renewal
		? renewedBy(first, agreed.renewal, renewalsUntil(first.counted, agreed.renewal, next(at), timeZone), timeZone)
		: null;
}

/** Returns the term that follows, on the terms of `agreed`. */
export const followingTerm = (
	ended: RunningTerm,
	renewal: Renewal,
	agreed: AgreedTerm,
	timeZone: string,
): RunningTerm => ({
	...renewedBy(ended, renewal, 1, timeZone),
	agreed,
});

function renewedBy(ended: RunningTerm, renewal: Renewal, count: number, timeZone: string): RunningTerm {
	const counted = afterRenewals(ended.counted, renewal, count);
	return {
		...ended,
		number: ended.number + count,
		startAt: count === 1 ? ended.endAt : countedEnd(afterRenewals(ended.counted, renewal, count - 1), timeZone),
		endAt: countedEnd(counted, timeZone),
		counted,
	};
}

/**
 * Returns the running term with changed terms. Its length counts from its own start. Throws BadUserInput if it would have ended.
 */
export function changedTerm(running: RunningTerm, agreed: AgreedTerm, now: Instant, timeZone: string): RunningTerm {
	const lengthOf = ({ months, renewal }: AgreedTerm) => (running.number === 1 ? months : (renewal?.months ?? months));
	if (lengthOf(agreed) === lengthOf(running.agreed)) return { ...running, agreed };
	const counted = { from: running.startAt, months: lengthOf(agreed) };
	const endAt = countedEnd(counted, timeZone);
	if (endAt <= now)
		throw fail(
			"BadUserInput",
			`body.term.months: the term that began on ${new Date(running.startAt).toISOString()} would have ended; give more months.`,
		);
	return { ...running, agreed, counted, endAt };
}

/**
 * Returns the end of the first term for which notice that is given at `now` comes in time, at `at` or later. A term that is not renewed
 * needs no notice.
 */
export function endAfterNotice(running: RunningTerm, at: Instant, now: Instant, timeZone: string): Instant {
	const { counted, endAt, agreed } = running;
	if (!agreed.renewal) return endAt;
	const noticed = addDays(now, agreed.renewal.noticePeriodDays);
	const earliest = noticed > at ? noticed : at;
	if (earliest <= endAt) return endAt;
	return countedEnd(
		afterRenewals(counted, agreed.renewal, renewalsUntil(counted, agreed.renewal, earliest, timeZone)),
		timeZone,
	);
}

const next = (at: Instant): Instant => (at + 1) as Instant;

/** Returns several increases as one percentage, exact. */
export function totalUplift(uplifts: readonly Uplift[]): Decimal {
	const factor = uplifts.reduce(
		(product, { percentage }) => product.times(exact(percentage).plus(100)).times("0.01"),
		exact(1),
	);
	return toDecimal(factor.minus(1).times(100));
}

/**
 * Returns a charge with a price increase; undefined if it has none. A one-off charge covers no time, so its price stays. The increase is
 * the opposite of a phase's percentage.
 */
export const chargeUplifted = <Charge extends PricedCharge & { readonly billingCadence?: "RECURRING" | "ONE_OFF" }>(
	charge: Charge,
	percentage: Decimal,
): Charge | undefined => chargeInPhase(charge, { percentOff: toDecimal(exact(percentage).times(-1)) });
