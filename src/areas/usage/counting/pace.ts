/** Writes take at most a third of the time, and are frequent enough for counted amounts to be read soon. */
const restsPerWrite = 2;
const restMsMin = 20;
const restMsMax = 3_000;

/**
 * The shortest time between two writes of the totals. Until then, readers of the totals add new amounts only. A change
 * of the main file may bring a new meter or customer.
 */
const totalsEveryMs = 5_000;
const followingEveryMs = 1_000;

/** Decides when counted amounts are written: after each write, the next one waits in proportion to its duration. */
export class Pace {
	/** On the monotonic clock. */
	#publishDueMs = Number.NEGATIVE_INFINITY;
	#writeDueMs = Number.NEGATIVE_INFINITY;
	#followingDueMs = Number.NEGATIVE_INFINITY;
	#totalsDueMs = Number.NEGATIVE_INFINITY;

	/** Whether counted amounts may be published next to the totals: soon after each write of the totals. */
	get isPublishDue(): boolean {
		return performance.now() >= this.#publishDueMs;
	}

	/** Whether a transaction may write again. */
	get isWriteDue(): boolean {
		return performance.now() >= this.#writeDueMs;
	}

	/** Whether the totals are due: they take longer than amounts next to them. */
	get areTotalsDue(): boolean {
		return performance.now() >= this.#totalsDueMs;
	}

	/** Whether the totals are due after a change of the main file. */
	get isFollowingDue(): boolean {
		return performance.now() >= this.#followingDueMs;
	}

	/** Records the end of a write. */
	wrote(what: "totals" | "next to them", beganAtMs: number): void {
		const endedAtMs = performance.now();
		const restMs = Math.min(restMsMax, (endedAtMs - beganAtMs) * restsPerWrite);
		this.#writeDueMs = endedAtMs + Math.max(restMsMin, restMs);
		this.#publishDueMs = what === "totals" ? endedAtMs + restMsMin : this.#writeDueMs;
		if (what === "next to them") return;
		this.#followingDueMs = endedAtMs + Math.max(followingEveryMs, restMs);
		this.#totalsDueMs = endedAtMs + Math.max(totalsEveryMs, restMs);
	}
}
