import type { EventLog } from "../log/event-log";
import type { IngesterAnswer, IngesterRequest } from "./messages";
import { type IngestResult, retryAfterSeconds } from "./schema";

/** Our choices: what one transaction takes at most, so that nobody waits long for the others in the group. */
const groupRequestsMax = 512;
const groupCharactersMax = 4 * 1024 * 1024;

/**
 * The requests that wait for the next transaction. While one commit goes to disk others arrive, and all of them share the
 * next: the busier it is, the more requests a flush carries.
 */
export class IngestQueue {
	readonly #log: EventLog;
	readonly #answer: (answer: IngesterAnswer) => void;
	readonly #isHeldOff: (lastEvent: number) => boolean;
	#waiting: IngesterRequest[] = [];
	#scheduled = false;
	#finished = false;

	/** `isHeldOff` says, by the end of the log, whether senders are to come again later. */
	constructor(
		log: EventLog,
		answer: (answer: IngesterAnswer) => void,
		isHeldOff: (lastEvent: number) => boolean = () => false,
	) {
		this.#log = log;
		this.#answer = answer;
		this.#isHeldOff = isHeldOff;
	}

	add(request: IngesterRequest): void {
		this.#waiting.push(request);
		this.#schedule();
	}

	/** Takes all that waits, and no more after it: the log is about to be closed. */
	finish(): void {
		while (this.#waiting.length > 0) this.#takeGroup();
		this.#finished = true;
	}

	#schedule(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		// After the messages that have arrived already: they all belong to this group.
		setImmediate(() => {
			this.#scheduled = false;
			if (this.#finished) return;
			const more = this.#takeGroup();
			if (more) this.#schedule();
		});
	}

	/** Answers whether there is anything left to do. */
	#takeGroup(): boolean {
		const group = this.#waiting.splice(0, this.#groupSize());
		const before = this.#log.lastEvent;
		if (group.length > 0)
			this.#answerAll(group, this.#isHeldOff(before) ? group.map(holdOff) : this.#log.ingest(group), before);
		const left = this.#log.tidy(Math.max(1, this.#log.lastEvent - before));
		return left || this.#waiting.length > 0;
	}

	#groupSize(): number {
		let characters = 0;
		let size = 0;
		for (const { text } of this.#waiting) {
			characters += text.length;
			if (size > 0 && (size >= groupRequestsMax || characters > groupCharactersMax)) break;
			size += 1;
		}
		return size;
	}

	#answerAll(group: readonly IngesterRequest[], results: readonly IngestResult[], before: number): void {
		const accepted: number[] = [];
		const others: Array<{ id: number; result: IngestResult }> = [];
		for (const [at, { id }] of group.entries()) {
			const result = results[at];
			if (result?.kind === "accepted" && !result.rejected) accepted.push(id);
			else if (result) others.push({ id, result });
		}
		const canceled = results.some(({ kind }) => kind === "canceled");
		this.#answer({ accepted, others, grown: canceled || this.#log.lastEvent > before });
	}
}

const holdOff = (): IngestResult => ({
	kind: "unavailable",
	message: "Events arrive faster than they can be counted; nothing of this request was kept. Send it again shortly.",
	retryAfterSeconds,
});
