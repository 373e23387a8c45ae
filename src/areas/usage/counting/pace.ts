/** Our choice: writing takes a third of the time at most, and so often that what is counted can soon be read. */
const restsPerWrite = 2;
const restMsMin = 20;
const restMsMax = 3_000;

/**
 * Our choices: how often the totals are written at most. Until then whoever has read them only adds what came since; where the
 * main file has changed, there may be a meter to follow, or a customer that events wait for.
 */
const totalsEveryMs = 5_000;
const followingEveryMs = 1_000;

/** When what was counted is written: after each write it rests, for as long as that has taken. */
export class Pace {
	/** On the monotonic clock. */
	#showDueMs = Number.NEGATIVE_INFINITY;
	#writeDueMs = Number.NEGATIVE_INFINITY;
	#followingDueMs = Number.NEGATIVE_INFINITY;
	#totalsDueMs = Number.NEGATIVE_INFINITY;

	/** Whether what was counted may be shown beside the totals: soon after they were written too. */
	get isShowDue(): boolean {
		return performance.now() >= this.#showDueMs;
	}

	/** Whether the totals may be written again, and what else goes with them. */
	get isWriteDue(): boolean {
		return performance.now() >= this.#writeDueMs;
	}

	/** Whether it is time for the totals too: they take longer than what is shown beside them. */
	get areTotalsDue(): boolean {
		return performance.now() >= this.#totalsDueMs;
	}

	/** The same, where the main file has changed. */
	get isFollowingDue(): boolean {
		return performance.now() >= this.#followingDueMs;
	}

	/** A write has ended. */
	wrote(what: "totals" | "beside them", beganAtMs: number): void {
		const endedAtMs = performance.now();
		const restMs = Math.min(restMsMax, (endedAtMs - beganAtMs) * restsPerWrite);
		this.#writeDueMs = endedAtMs + Math.max(restMsMin, restMs);
		this.#showDueMs = what === "totals" ? endedAtMs + restMsMin : this.#writeDueMs;
		if (what === "beside them") return;
		this.#followingDueMs = endedAtMs + Math.max(followingEveryMs, restMs);
		this.#totalsDueMs = endedAtMs + Math.max(totalsEveryMs, restMs);
	}
}
