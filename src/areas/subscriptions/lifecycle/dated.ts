import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { getOwnEnvironment } from "../../access/operations";
import { withCharged } from "../billing/charged";
import { isBilledHere } from "../rules.due";
import { statusAt } from "../rules.status";
import type { ProrationBehavior } from "../schema.provision";
import { selectPauses } from "../store.pauses";
import type { SubscriptionRow } from "../table";
import { selectVersionChanges } from "../terms/store.version-changes";
import { assertNotBefore, type Bound } from "./rules.dated";
import { assertSamePayer } from "./same-payer";

interface Change {
	/** The field that dates the change. */
	readonly place: string;
	readonly behavior: ProrationBehavior;
}

/**
 * Checks that a change can apply from an earlier date. Throws InvalidSubscriptionStatus, BadUserInput; InvalidArgumentError, naming the
 * start, the later change, the close of the books or the period of another payer that the date precedes.
 */
export function assertMayDate(work: Work, row: SubscriptionRow, date: Instant, { place, behavior }: Change): void {
	const status = statusAt(row, work.now);
	if (status !== "ACTIVE")
		throw fail(
			"InvalidSubscriptionStatus",
			`The subscription '${row.refId}' is ${status}, so nothing is charged now; leave '${place}' out, or choose a later date.`,
		);
	if (!isBilledHere(row) || row.billingAnchorAt === null)
		throw fail("BadUserInput", `body/${place}: Tollgate does not bill the subscription '${row.refId}'; leave it out.`);
	if (behavior === "NONE")
		throw fail(
			"BadUserInput",
			`body/${place}: 'prorationBehavior' NONE charges nothing before the next period; choose INVOICE_IMMEDIATELY or CREATE_PRORATIONS, or leave '${place}' out.`,
		);
	assertNotBefore(place, date, boundsOf(work, row));
	assertSamePayer(work, row, date, place);
}

function booksOf(work: Work): Bound[] {
	const { booksClosedUntil } = getOwnEnvironment(work);
	return booksClosedUntil === null ? [] : [{ at: booksClosedUntil, why: "until when the books are closed" }];
}

/** Returns the times that a change of a subscription cannot be dated before. */
function boundsOf(work: Work, row: SubscriptionRow): Bound[] {
	const { startAt, trialEndAt, usageBilledFrom, termsChangedAt, cycleStartsAt, phase, uplifts } = row;
	const began = Math.max(startAt, trialEndAt ?? startAt) as Instant;
	const pauses = selectPauses(work, [row.id]).flatMap(({ startAt: from, endAt }) => endAt ?? from);
	const moves = selectVersionChanges(work, row.id).map(({ pricesFrom }) => pricesFrom);
	// A subscription of an earlier release has no record of its last change, so its charges tell it.
	const charges = termsChangedAt === null ? withCharged(work, row).chargedBy.map(({ charge }) => charge.startsAt) : [];
	const changes = [
		termsChangedAt,
		usageBilledFrom,
		cycleStartsAt,
		phase?.startAt ?? null,
		uplifts?.all.at(-1)?.from ?? null,
		...pauses,
		...moves,
		...charges,
	];
	return [
		{ at: began, why: `the start of the subscription '${row.refId}'` },
		...changes
			.filter((at) => at !== null && at > began && at <= work.now)
			.map((at) => ({ at: at ?? began, why: `when the subscription '${row.refId}' last changed` })),
		...booksOf(work),
	];
}
