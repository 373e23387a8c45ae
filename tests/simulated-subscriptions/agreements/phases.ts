/** Phases of a plan, from docs/pricing.md. It imports nothing of `src`. */
import { addMonths, dayMs } from "../calendar";
import type { ListedPhase } from "../price-list";

/** A phase and the instant at which it ends. */
export interface Place {
	readonly phase: ListedPhase;
	readonly endAt: number;
}

/** Returns the phases that have not ended at an instant. They follow each other from the start of billing; months do not drift. */
export function placesAt(phases: readonly ListedPhase[], startAt: number, at: number): Place[] {
	let base = startAt;
	let months = 0;
	let former = startAt;
	const places: Place[] = [];
	for (const phase of phases) {
		const { unit, count } = phase.duration;
		if (unit === "DAY") {
			former += count * dayMs;
			base = former;
			months = 0;
		} else {
			months += count;
			former = addMonths(base, months);
		}
		places.push({ phase, endAt: former });
	}
	return places.filter(({ endAt }) => at < endAt);
}
