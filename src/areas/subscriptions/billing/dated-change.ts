import { type Instant, toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import type { ChargeItem } from "../../pricing/rate";
import type { SubscriptionRow } from "../table";
import { itemsInArrears } from "../terms/items-of-period";
import type { Sale } from "../terms/sale";
import { changedCharges, inArrears, runningCharges, unbilledFrom } from "./arrears";
import { keyed } from "./charged";

interface DatedChange {
	readonly before: SubscriptionRow;
	readonly after: SubscriptionRow;
	readonly sale: Sale;
	/** What the running period is charged in advance for, before and after. */
	readonly items: readonly ChargeItem[];
	readonly repricesUsage: boolean;
	readonly effectiveAt: Instant;
	readonly period: Period;
}

/** Throws UnsupportedParameter for a change from a date after which something was billed that cannot be rated again. */
export function assertCanRerate(work: Work, change: DatedChange): void {
	const { before, items, repricesUsage, effectiveAt, period } = change;
	const billedUntil = later(before.usageBilledUntil, effectiveAt < period.start ? period.start : effectiveAt);
	if (billedUntil <= effectiveAt) return assertArrearsUnbilled(work, change);
	if (repricesUsage)
		throw fail(
			"UnsupportedParameter",
			`'effectiveDate': the change has other prices of usage, and usage is billed until ${toIso(billedUntil)}; choose that time or a later one.`,
		);
	if (items.some(({ charge }) => charge.billingModel === "MINIMUM_SPEND"))
		throw fail(
			"UnsupportedParameter",
			`'effectiveDate': usage that is billed until ${toIso(billedUntil)} has used a minimum spend; choose that time or a later one.`,
		);
	assertArrearsUnbilled(work, change);
}

function assertArrearsUnbilled(work: Work, { before, after, sale, effectiveAt, period }: DatedChange): void {
	const known = runningCharges(work, before);
	const changed = changedCharges(work, after, sale, period).filter((one) => unbilledFrom(one) > effectiveAt);
	const wanted = [...keyed(inArrears, itemsInArrears(work, after, sale, period)).keys()];
	const isNew = wanted.some((key) => !known.some(({ charge }) => charge.key === key));
	if (changed.length === 0 && !(isNew && effectiveAt < period.start)) return;
	const billedUntil = changed.map(unbilledFrom).toSorted((one, other) => other - one)[0] ?? period.start;
	throw fail(
		"UnsupportedParameter",
		`'effectiveDate': the change has other fees in arrears, and these are billed until ${toIso(billedUntil)}; choose that time or a later one.`,
	);
}

const later = (one: Instant | null, other: Instant): Instant => (one !== null && one > other ? one : other);
