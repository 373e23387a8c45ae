import { type Instant, instantOf, toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";

/** The fields of a call that choose its date in another way, or that the date excludes. */
interface Dated {
	readonly effectiveDate?: string | undefined;
	readonly scheduleStrategy?: string | undefined;
	readonly startDate?: string | undefined;
	readonly awaitPaymentConfirmation?: boolean | undefined;
}

/**
 * Returns the date that a call gives its change; undefined without one. Throws BadUserInput with `scheduleStrategy`, with `startDate`, and
 * with `awaitPaymentConfirmation`.
 */
export function effectiveDateIn(input: Dated): Instant | undefined {
	if (input.effectiveDate === undefined) return undefined;
	const other = (["scheduleStrategy", "startDate"] as const).find((name) => input[name] !== undefined);
	if (other)
		throw fail("BadUserInput", `body: 'effectiveDate' and '${other}' both say when the change applies; leave one out.`);
	if (input.awaitPaymentConfirmation)
		throw fail(
			"BadUserInput",
			"body/awaitPaymentConfirmation: a change that waits for its payment takes effect with the payment; leave 'effectiveDate' out.",
		);
	return instantOf(input.effectiveDate);
}

/** A bound that the date of a change cannot precede. */
export interface Bound {
	readonly at: Instant;
	readonly why: string;
}

/** Throws InvalidArgumentError for a date before one of these, naming the latest one. */
export function assertNotBefore(place: string, date: Instant, bounds: readonly Bound[]): void {
	const broken = bounds.filter(({ at }) => date < at).toSorted((one, other) => other.at - one.at)[0];
	if (broken)
		throw fail(
			"InvalidArgumentError",
			`'${place}' cannot lie before ${toIso(broken.at)}, ${broken.why}; choose that time or a later one.`,
		);
}

/** The parts of an update that change what is charged, and that an earlier date applies to. */
const datable = [
	"addons",
	"charges",
	"priceOverrides",
	"billingPeriod",
	"billingInterval",
	"billingCycleAnchor",
] as const;

/** Fields that change what is charged, but not from an earlier date. */
const undatable = [
	...["appliedCoupon", "appliedCoupons", "promotionCode", "minimumSpend", "phases", "term", "taxes", "prorationMode"],
	...["billingAnchor", "timeZone", "trialEndDate", "trialOverrideConfiguration", "payingCustomerId"],
] as const;

const undatableBilling = ["couponId", "taxPercentage", "taxRateIds", "isBackdated"] as const;

/**
 * Throws UnsupportedParameter for a field that an earlier date cannot apply to: discounts and taxes of the time since then stay as they
 * were charged.
 */
export function assertDatableFields(input: object): void {
	const sent = new Map<string, unknown>(Object.entries(input));
	const information = new Map<string, unknown>(Object.entries(sent.get("billingInformation") ?? {}));
	const named =
		undatable.find((name) => sent.get(name) !== undefined) ??
		undatableBilling.map((name) => ({ name, value: information.get(name) })).find(({ value }) => value !== undefined)
			?.name;
	if (named !== undefined)
		throw fail(
			"UnsupportedParameter",
			`body/${named}: cannot change from an earlier date; send it in a call without 'effectiveDate'.`,
		);
}

/** Throws BadUserInput for an update without a field that an earlier date applies to. */
export function assertDatesSomething(input: { readonly [Name in (typeof datable)[number]]?: unknown }): void {
	if (datable.every((name) => input[name] === undefined))
		throw fail(
			"BadUserInput",
			`body/effectiveDate: an earlier date applies to ${datable.map((name) => `'${name}'`).join(", ")}; leave it out, or change one of these.`,
		);
}

/** Fields that take effect at once, or that name a time of their own. */
const unscheduled = [
	...[
		"billingAnchor",
		"billingCycleAnchor",
		"budget",
		"cancellationDate",
		"entitlements",
		"prorationMode",
		"salesforceId",
	],
	...["spendThresholds", "timeZone", "trialEndDate"],
] as const;

/** Throws UnsupportedParameter for a field that a later date cannot apply to, and BadUserInput for a date without a change. */
export function assertScheduledFields(input: object, parts: readonly unknown[]): void {
	const sent = new Map<string, unknown>(Object.entries(input));
	const named = unscheduled.find((name) => sent.get(name) !== undefined);
	if (named !== undefined)
		throw fail(
			"UnsupportedParameter",
			`body/${named}: cannot be scheduled; send it in a call without 'effectiveDate'.`,
		);
	if (parts.length === 0)
		throw fail("BadUserInput", "body/effectiveDate: the call names no change to schedule; add one, or leave it out.");
}
