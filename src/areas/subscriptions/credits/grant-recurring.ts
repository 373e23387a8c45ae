import type { Instant } from "../../../kernel/clock";
import { exact, toDecimal, zero } from "../../../kernel/decimal";
import { earliest } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { issueGrant } from "../../credits/operations.issue";
import { moveRecurringGrants } from "../../credits/operations.move-grants";
import { resourcesByIds } from "../../customers/operations";
import type { Cycle } from "../rules";
import { isRunning } from "../rules.status";
import { setCreditsDue } from "../store";
import type { SubscriptionRow } from "../table";
import { recurringCreditsOf } from "./recurring-credits";
import { creditPeriod, keyOf, type RecurringCredits } from "./rules";
import { insertCredits, reassignCredits, saveCredits, selectCredits } from "./store";
import type { SubscriptionCreditRow } from "./table";

/**
 * Grants the recurring credits of the current periods that are not granted yet: the full amount at the start of a
 * period, and the difference after an increase. Each grant expires with its period and is never reduced. Every start
 * and change of a subscription calls this, and the scheduler at the end of a period; however often, each credit is
 * granted once. `replaced` is the subscription that it replaced.
 */
export function grantRecurringCredits(work: Work, row: SubscriptionRow, replaced?: SubscriptionRow): SubscriptionRow {
	if (!isRunning(row.status)) return row;
	if (replaced) takeOver(work, replaced, row);
	const recurring = recurringCreditsOf(work, row);
	const granted = recurring.length === 0 ? [] : selectCredits(work, row.id);
	const known = new Map(granted.map((credits) => [keyOf(credits), credits]));
	const ends = recurring.map((credits) => grantPeriod(work, row, credits, known.get(keyOf(credits))));
	const dueAt = earliest(ends);
	return dueAt === row.creditsDueAt ? row : setCreditsDue(work, row, dueAt);
}

/** Credits that the former subscription granted for the current period are not granted again. */
function takeOver(work: Work, replaced: SubscriptionRow, row: SubscriptionRow): void {
	if (replaced.id === row.id || replaced.resourceId !== row.resourceId) return;
	if (selectCredits(work, row.id).length === 0) reassignCredits(work, replaced.id, row.id);
}

/** Returns the end of the period; null for credits that are granted once. */
function grantPeriod(
	work: Work,
	row: SubscriptionRow,
	{ amount, ...credits }: RecurringCredits,
	known: SubscriptionCreditRow | undefined,
): Instant | null {
	const { currencyId, sourceType, addonRef, cycle, displayName } = credits;
	const { start, end } = creditPeriod(cycle, countedFrom(row), work.now);
	const before = known?.periodStart === start ? known.granted : zero;
	const missing = exact(amount).minus(exact(before));
	if (missing.lte(0)) return end;
	const written = { periodStart: start, granted: amount };
	if (known) saveCredits(work, known, written);
	const source =
		known ?? insertCredits(work, { subscriptionId: row.id, currencyId, sourceType, addonRef, cycle, ...written });
	issueGrant(work, {
		customerId: row.customerId,
		currencyId,
		resourceRef: resourceRefOf(work, row),
		displayName,
		grantType: "RECURRING",
		sourceType,
		sourceId: source.id,
		amount: toDecimal(missing),
		effectiveAt: work.now,
		expireAt: end,
	});
	return end;
}

/** Moves unused recurring credits to the subscription's new resource. */
export function moveCredits(work: Work, row: SubscriptionRow): void {
	for (const { id } of selectCredits(work, row.id)) moveRecurringGrants(work, id, resourceRefOf(work, row));
}

/** Periods are counted from the billing anchor, or from the start if nothing is charged. */
const countedFrom = ({ billingAnchorAt, startAt, timeZone }: SubscriptionRow): Cycle => ({
	anchorAt: billingAnchorAt ?? startAt,
	timeZone,
});

const resourceRefOf = (work: Work, { resourceId }: SubscriptionRow): string =>
	resourceId === null ? "" : (resourcesByIds(work, [resourceId]).get(resourceId)?.refId ?? "");
