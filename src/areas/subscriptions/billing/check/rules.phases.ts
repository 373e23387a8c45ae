import { type Instant, toIso } from "../../../../kernel/clock";
import { utc } from "../../../../kernel/period";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { StoredPhase } from "../../../packages/rules.phases";
import type { PricedCharge } from "../../../pricing/models/charge";
import { countedEnd } from "../../../pricing/rules.phases";
import type { SubscriptionRow } from "../../table";
import { type PhaseTerms, placeFromStart } from "../../terms/phases";
import { formatPeriod } from "./rules";
import { priceText } from "./rules.prices";

type Checked = PhaseTerms & Pick<SubscriptionRow, "billingAnchorAt" | "cycleStartsAt" | "nextDueAt">;

interface Terms {
	readonly plan: { readonly phases: StoredPhase[] | null };
	/** It came from another version, which may have had other phases. */
	readonly isMoved: boolean;
	readonly now: Instant;
}

/** Yields the differences between the phase of an active subscription and its terms. Phases count from the start of billing. */
export function* phaseDifferences(named: string, row: Checked, { plan, isMoved, now }: Terms): Generator<string> {
	const { phase } = row;
	// After a change of zone, the running phase ends where it was to end.
	const hasMoved = isMoved || row.cycleStartsAt !== null;
	if (phase && !hasMoved) {
		const end = countedEnd(phase, row.timeZone ?? utc);
		if (phase.endAt !== end) yield `${named}: its phase ${phase.id} ends ${toIso(phase.endAt)}, expected ${toIso(end)}`;
	}
	const isDue = row.nextDueAt !== null && row.nextDueAt <= now;
	if (hasMoved || isDue || row.billingAnchorAt === null) return;
	const expected = placeFromStart(row, plan, now);
	if (phase?.id !== expected?.id)
		yield `${named}: its phase is ${phase?.id ?? "none"}, expected ${expected?.id ?? "none"}`;
	else if (phase && phase.endAt !== expected?.endAt)
		yield `${named}: its phase ${phase.id} ends ${toIso(phase.endAt)}, expected ${expected ? toIso(expected.endAt) : "never"}`;
}

/** Yields charges of the plan that began in the running phase, and are not at its prices. */
export function* phasePriceDifferences(
	named: string,
	running: {
		readonly startAt: Instant;
		readonly phase: StoredPhase | undefined;
		readonly prices: readonly PricedCharge[];
	},
	charges: readonly PeriodOfCharge[],
): Generator<string> {
	const expected = running.phase?.percentOff === "0" ? undefined : running.phase;
	const ownPrices = new Set(running.prices.map(priceText));
	for (const { charge, period } of charges) {
		const { terms, key } = charge;
		if (terms === null || !("item" in terms) || terms.item.isAddon || !terms.item.pricedBy) continue;
		const { phase } = terms.item.pricedBy;
		if (period.startsAt < running.startAt) continue;
		const of = `${named}, ${key} for ${formatPeriod({ start: period.startsAt, end: period.endsAt })}`;
		// Phases of one percentage have one price, so that the charge of the former one goes on.
		const isSamePrice = phase?.percentOff !== undefined && phase.percentOff === expected?.percentOff;
		if (phase?.id !== expected?.id && !isSamePrice)
			yield `${of}: is charged in the phase ${phase?.id ?? "none"}, expected ${expected?.id ?? "none"}`;
		else if (expected?.charges && !ownPrices.has(priceText(terms.item.charge)))
			yield `${of}: its price is none of the phase ${expected.id}`;
	}
}
