import type { Instant } from "../../kernel/clock";
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
	readonly #doors: Doors;
	#epoch: number | undefined;
	readonly #remembered = new Map<string, Resolved>();

	constructor(doors: Doors) {
		this.#doors = doors;
	}

	readonly resolve = (work: Work, customerRef: string, resourceRef: string | null): Resolved => {
		const epoch = this.#doors.epoch();
		if (epoch !== this.#epoch || this.#remembered.size >= rememberedMax) this.#remembered.clear();
		this.#epoch = epoch;
		// Ids hold no line break, so the parts cannot run into each other.
		const key = `${work.actor.environmentId}\n${customerRef}\n${resourceRef ?? ""}`;
		const remembered = this.#remembered.get(key);
		if (remembered && !hasEnded(remembered, work.now)) return remembered;
		const resolved = resolveEntitlements(work, customerRef, resourceRef);
		this.#remembered.set(key, resolved);
		return resolved;
	};
}

const hasEnded = ({ endsAt }: Resolved, now: Instant): boolean => endsAt !== null && endsAt <= now;
