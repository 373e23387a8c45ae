import type { Instant } from "../../../kernel/clock";
import { utc } from "../../../kernel/period";
import type { StoredPhase } from "../../packages/rules.phases";
import type { VersionRow } from "../../packages/table";
import { layOutPhases, type PhasePosition, placeAt, placesAfter } from "../../pricing/rules.phases";
import { isBilledHere } from "../rules.due";
import type { SubscriptionRow } from "../table";

/** The columns of a subscription that decide its phases. */
export type PhaseTerms = RunningTerms & Pick<SubscriptionRow, "timeZone" | "startAt" | "trialEndAt">;

type RunningTerms = Pick<SubscriptionRow, "phases" | "phase" | "pricingType" | "paymentCollectionMethod">;

type PlanPhases = Pick<VersionRow, "phases">;

/** Returns the phases of a subscription: its own, else those of its version. */
export const phasesOf = ({ phases }: Pick<SubscriptionRow, "phases">, plan: PlanPhases): readonly StoredPhase[] =>
	phases ?? plan.phases ?? [];

/** Returns the phase that runs, by the terms of a version. */
export function runningPhase(row: RunningTerms, plan: PlanPhases): StoredPhase | undefined {
	const { phase } = row;
	return phase && isBilledHere(row) ? phasesOf(row, plan).find(({ id }) => id === phase.id) : undefined;
}

const billingStart = ({ startAt, trialEndAt }: Pick<SubscriptionRow, "startAt" | "trialEndAt">): Instant =>
	trialEndAt ?? startAt;

/** Returns the places of all phases, from the start of billing. */
const allPlaces = (row: PhaseTerms, plan: PlanPhases): PhasePosition[] =>
	layOutPhases(phasesOf(row, plan), billingStart(row), row.timeZone ?? utc);

/** Returns the place of a subscription at an instant, counted from the start of billing. A contract's terms have no phases. */
export const placeFromStart = (row: PhaseTerms, plan: PlanPhases, at: Instant): PhasePosition | null =>
	isBilledHere(row) ? placeAt(allPlaces(row, plan), at) : null;

/**
 * Returns the place at an instant by the place so far. A version that has the running phase continues it to its end; one that does
 * not have it ends all phases.
 */
export function placeAfter(row: PhaseTerms, plan: PlanPhases, at: Instant): PhasePosition | null {
	const { phase } = row;
	if (!phase || !runningPhase(row, plan)) return null;
	return at < phase.endAt ? phase : placeAt(placesAfter(phasesOf(row, plan), phase, row.timeZone ?? utc), at);
}

/** A phase with its place. */
export type PlacedPhase = StoredPhase & { readonly place: PhasePosition };

/** Returns the running phase and those that follow it. */
export function placedPhases(
	row: PhaseTerms & Pick<SubscriptionRow, "status">,
	plan: PlanPhases,
): { readonly running: PlacedPhase | undefined; readonly scheduled: PlacedPhase[] } {
	const { phase: place } = row;
	const phases = phasesOf(row, plan);
	if (phases.length === 0) return { running: undefined, scheduled: [] };
	const phase = runningPhase(row, plan);
	return {
		running: phase && place ? { ...phase, place } : undefined,
		scheduled: scheduledPlaces(row, plan).flatMap((one) => {
			const follows = phases.find(({ id }) => id === one.id);
			return follows ? [{ ...follows, place: one }] : [];
		}),
	};
}

/** Returns the places that follow: those after the running phase, or all of them before billing starts. */
function scheduledPlaces(row: PhaseTerms & Pick<SubscriptionRow, "status">, plan: PlanPhases): PhasePosition[] {
	const { phase, status } = row;
	if (phase) return runningPhase(row, plan) ? placesAfter(phasesOf(row, plan), phase, row.timeZone ?? utc) : [];
	const isWaiting = status === "NOT_STARTED" || status === "IN_TRIAL";
	return isWaiting && isBilledHere(row) ? allPlaces(row, plan) : [];
}
