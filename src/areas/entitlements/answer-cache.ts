import { type Instant, parseInstant } from "../../kernel/clock";
import type { Doors, Work } from "../../kernel/work";

/** How many answers are remembered; beyond it all are forgotten. Our choice: about 50 MB at the most. */
const rememberedMax = 50_000;

interface Remembered<Answer> {
	readonly answer: Answer;
	/** The answer holds from then on, and until then: half open; null is without end. */
	readonly from: Instant;
	readonly until: Instant | null;
}

/**
 * Remembers whole answers until anything in the main file or in the usage totals changes, or until the instant from which
 * an answer could be another one. A cache changes cost, never meaning.
 */
export class AnswerCache<Answer> {
	readonly #doors: Doors;
	#epoch: number | undefined;
	#usageEpoch = 0;
	readonly #remembered = new Map<string, Remembered<Answer>>();

	constructor(doors: Doors) {
		this.#doors = doors;
	}

	/** `parts` say what is asked for; the environment is added here. */
	answer(work: Work, parts: readonly unknown[], compute: () => { answer: Answer; until: Instant | null }): Answer {
		this.#forgetStale();
		const key = JSON.stringify([work.actor.environmentId, ...parts]);
		const remembered = this.#remembered.get(key);
		if (remembered && holds(remembered, work.now)) return remembered.answer;
		const computed = compute();
		this.#remembered.set(key, { ...computed, from: work.now });
		return computed.answer;
	}

	#forgetStale(): void {
		const epoch = this.#doors.epoch();
		const usageEpoch = this.#doors.usageEpoch();
		if (epoch === this.#epoch && usageEpoch === this.#usageEpoch && this.#remembered.size < rememberedMax) return;
		this.#remembered.clear();
		this.#epoch = epoch;
		this.#usageEpoch = usageEpoch;
	}
}

const holds = ({ from, until }: Remembered<unknown>, now: Instant): boolean =>
	from <= now && (until === null || now < until);

/** The first of the `validUntil` of an answer's entries and of when the subscriptions and grants behind it end. */
export function answerUntil(
	entries: ReadonlyArray<{ readonly validUntil?: string }>,
	endsAt: Instant | null,
): Instant | null {
	let until = endsAt;
	for (const { validUntil } of entries) {
		const at = validUntil === undefined ? undefined : parseInstant(validUntil);
		if (at !== undefined && (until === null || at < until)) until = at;
	}
	return until;
}
