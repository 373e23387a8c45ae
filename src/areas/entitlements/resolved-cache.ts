import type { Instant } from "../../kernel/clock";
import { underEpoch } from "../../kernel/remembered";
import type { Doors, Work } from "../../kernel/work";
import { type Resolved, resolveEntitlements } from "./resolve";

/** How many customers' entitlements are remembered; beyond it all are forgotten. Our choice: about 100 MB at the most. */
const rememberedMax = 20_000;

/**
 * Remembers what customers are entitled to, until anything in the main file changes, or a subscription or a promotional
 * grant ends. Usage is not part of it and is read each time. A cache changes cost, never meaning: what is kept under an
 * epoch was read no earlier.
 */
export class ResolvedCache {
	readonly #remembered: () => Map<string, Resolved>;

	constructor(doors: Doors) {
		this.#remembered = underEpoch(doors.epoch, () => new Map());
	}

	readonly resolve = (work: Work, customerRef: string, resourceRef: string | null): Resolved => {
		const all = this.#remembered();
		if (all.size >= rememberedMax) all.clear();
		// Ids hold no line break, so the parts cannot run into each other.
		const key = `${work.actor.environmentId}\n${customerRef}\n${resourceRef ?? ""}`;
		const remembered = all.get(key);
		if (remembered && !hasEnded(remembered, work.now)) return remembered;
		const resolved = resolveEntitlements(work, customerRef, resourceRef);
		all.set(key, resolved);
		return resolved;
	};
}

const hasEnded = ({ endsAt }: Resolved, now: Instant): boolean => endsAt !== null && endsAt <= now;
