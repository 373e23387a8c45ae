import { type Instant, toIso, toIsoOrNull } from "../../../../kernel/clock";
import { exact, zero } from "../../../../kernel/decimal";
import { utc } from "../../../../kernel/period";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import type { VersionRow } from "../../../packages/table";
import { countedEnd } from "../../../pricing/rules.renewal";
import { totalUplift } from "../../../pricing/rules.terms";
import type { SubscriptionRow } from "../../table";
import { runningTermOf, termFromStart } from "../../terms/term";
import type { RestPart } from "../remainder";
import { formatPeriod, isPeriodCharge } from "./rules";

interface Terms {
	readonly plan: Pick<VersionRow, "term" | "refId">;
	/** It came from another version, which may have had another term. */
	readonly isMoved: boolean;
	readonly now: Instant;
}

/** Yields the differences between the running term of a subscription and what was agreed. */
export function* termDifferences(
	named: string,
	row: SubscriptionRow,
	{ plan, isMoved, now }: Terms,
): Generator<string> {
	const running = runningTermOf(row);
	if (!running) {
		const expected = isMoved || row.billingAnchorAt === null ? null : termFromStart(row, plan, now);
		if (expected) yield `${named}: no term runs, expected one until ${toIso(expected.endAt)}`;
		return;
	}
	// After a change of zone, the running term ends where it was to end.
	const end = countedEnd(running.counted, row.timeZone ?? utc);
	if (row.cycleStartsAt === null && running.endAt !== end)
		yield `${named}: its term ${running.number} ends ${toIso(running.endAt)}, expected ${toIso(end)}`;
	if (running.startAt >= running.endAt)
		yield `${named}: its term ${running.number} begins ${toIso(running.startAt)}, expected before its end`;
}

/** Yields charges of the plan whose price increase is not that of the renewals until their start. Prices of its own may be newer. */
export function* upliftDifferences(
	named: string,
	{ uplifts, startAt }: Pick<SubscriptionRow, "uplifts" | "startAt">,
	{ plan }: Pick<Terms, "plan">,
	charges: readonly PeriodOfCharge[],
): Generator<string> {
	for (const { charge, period } of charges) {
		const { terms, key } = charge;
		if (terms === null || !("item" in terms) || period.state === "ELSEWHERE") continue;
		// Without proration, the charge of a replaced subscription goes on to the end of its period.
		if (period.startsAt < startAt) continue;
		const { pricedBy } = terms.item;
		if (!pricedBy || pricedBy.isOwn || pricedBy.packageRefId !== plan.refId || terms.item.isAddon) continue;
		if (terms.item.charge.billingCadence === "ONE_OFF") continue;
		const expected = totalUplift((uplifts?.all ?? []).filter(({ from }) => from <= period.startsAt));
		const { uplift = zero } = pricedBy;
		if (exact(uplift).eq(expected)) continue;
		const of = `${named}, ${key} for ${formatPeriod({ start: period.startsAt, end: period.endsAt })}`;
		yield `${of}: its price is increased by ${uplift} %, expected ${expected} % by the renewals of its term`;
	}
}

/** Yields parts of the rest of a term that an early end owes and no line charges. */
export function* restDifferences(
	named: string,
	{ runningTerm, endedAt }: Pick<SubscriptionRow, "runningTerm" | "endedAt">,
	parts: readonly RestPart[],
	lines: readonly IssuedLine[],
): Generator<string> {
	const owed = `owed until ${toIsoOrNull(runningTerm?.owedUntil ?? null)} after its end on ${toIsoOrNull(endedAt)}`;
	for (const part of parts) {
		if (part.isPaidAhead) continue;
		const isCharged = lines.some(
			({ line }) => isPeriodCharge(line) && line.periodStart === part.start && line.periodEnd === part.end,
		);
		if (!isCharged) yield `${named}: the rest of its term, ${formatPeriod(part)}, is on no invoice; it is ${owed}`;
	}
}
