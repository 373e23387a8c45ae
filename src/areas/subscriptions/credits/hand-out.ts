import type { Instant } from "../../../kernel/clock";
import { exact, toDecimal, zero } from "../../../kernel/decimal";
import { earliest } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { issueGrant } from "../../credits/operations.grant-life";
import { moveRecurringGrants } from "../../credits/operations.move-grants";
import { resourcesByIds } from "../../customers/operations";
import { isRunning } from "../rules.status";
import { setCreditsDue } from "../store";
import type { SubscriptionRow } from "../table";
import { recurringCreditsOf } from "./recurring";
import { creditPeriod, keyOf, type RecurringCredits } from "./rules";
import { handOver, insertCredits, saveCredits, selectCredits } from "./store";
import type { SubscriptionCreditRow } from "./table";

/**
 * Grants what a subscription hands out in credits for the periods that run now, as far as it has not been granted: the whole at
 * a period's beginning, and the difference when there is more of it. It expires with its period. Called after everything that
 * begins or changes a subscription, and by the sweep when a period ends; however often, each credit is granted once. Nothing is
 * taken back: what was granted stays to the end of its period. `replaced` is the subscription whose place it has taken.
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

/** Within a period that goes on, what the former subscription has granted is not granted again. */
function takeOver(work: Work, replaced: SubscriptionRow, row: SubscriptionRow): void {
	if (replaced.id === row.id || replaced.resourceId !== row.resourceId) return;
	if (selectCredits(work, row.id).length === 0) handOver(work, replaced.id, row.id);
}

/** Answers when the period ends; null for what comes once. */
function grantPeriod(
	work: Work,
	row: SubscriptionRow,
	{ amount, ...credits }: RecurringCredits,
	known: SubscriptionCreditRow | undefined,
): Instant | null {
	const { currencyId, sourceType, addonRef, cycle, displayName } = credits;
	const { start, end } = creditPeriod(cycle, anchorOf(row), work.now);
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

/** What is left of the periods that run goes along to the resource that the subscription was moved to. */
export function moveCredits(work: Work, row: SubscriptionRow): void {
	for (const { id } of selectCredits(work, row.id)) moveRecurringGrants(work, id, resourceRefOf(work, row));
}

/** Periods are counted from where billing is counted from; where nothing is charged, from the start. */
const anchorOf = ({ billingAnchorAt, startAt }: SubscriptionRow): Instant => billingAnchorAt ?? startAt;

const resourceRefOf = (work: Work, { resourceId }: SubscriptionRow): string =>
	resourceId === null ? "" : (resourcesByIds(work, [resourceId]).get(resourceId)?.refId ?? "");
