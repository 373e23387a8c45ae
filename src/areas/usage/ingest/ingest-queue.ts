import { type Checked, checkInSteps } from "../log/event-check";
import type { EventLog } from "../log/event-log";
import { type IngestRequest, type IngestResult, retryAfterSeconds } from "../schema.ingest";
import type { IngesterAnswer, IngesterMessage } from "./messages";

/** The size of one transaction, so that no request waits long for others of its group. */
const groupRequestsMax = 512;
const groupCharactersMax = 4 * 1024 * 1024;

/**
 * A larger body is read in steps and then written, each in a turn of the event loop, between the groups of other
 * requests.
 */
const largeCharactersMin = 256 * 1024;

/** Sends the results of a thread's requests to it. */
type Answer = (answer: IngesterAnswer) => void;

interface Waiting extends IngestRequest {
	readonly id: number;
	readonly answer: Answer;
	/** The state of a large body that is being read. */
	readonly reading?: Generator<void, Checked>;
	/** The result of a large body that has been read. */
	readonly checked?: Checked;
}

export interface IngestQueueOptions {
	readonly log: EventLog;
	/** Whether senders must wait, for a given end of the log. */
	readonly isHeldOff?: (lastEvent: number) => boolean;
	/** Called with the results of a group, the number of its new events, and the milliseconds that it took to write them. */
	readonly measure?: ((results: readonly IngestResult[], newEvents: number, ms: number) => void) | undefined;
	/** Called when events were added or canceled, so that the aggregator counts them. */
	readonly onGrown?: () => void;
}

/**
 * The requests that wait for the next transaction. Requests that arrive during a commit share the next one: under
 * higher load, a flush to disk serves more requests.
 */
export class IngestQueue {
	readonly #log: EventLog;
	readonly #isHeldOff: (lastEvent: number) => boolean;
	readonly #onGrown: () => void;
	readonly #measure: IngestQueueOptions["measure"];
	#waiting: Waiting[] = [];
	#large: Waiting[] = [];
	#scheduled = false;
	#finished = false;

	constructor({ log, isHeldOff = () => false, onGrown = () => {}, measure }: IngestQueueOptions) {
		this.#log = log;
		this.#isHeldOff = isHeldOff;
		this.#onGrown = onGrown;
		this.#measure = measure;
	}

	/** `answer` is always the same function for a thread. */
	add(messages: readonly IngesterMessage[], answer: Answer): void {
		for (const { firstId, texts, ...alike } of messages)
			for (const [at, text] of texts.entries()) {
				const queue = text.length > largeCharactersMin ? this.#large : this.#waiting;
				queue.push({ ...alike, id: firstId + at, text, answer });
			}
		this.#schedule();
	}

	/** Writes all waiting requests, and accepts no more: the log is about to be closed. */
	finish(): void {
		while (this.#isWaiting) this.#takeTurn();
		this.#finished = true;
	}

	get #isWaiting(): boolean {
		return this.#waiting.length > 0 || this.#large.length > 0;
	}

	#schedule(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		// After the messages that have arrived already, which belong to this group.
		setImmediate(() => {
			this.#scheduled = false;
			if (this.#finished) return;
			const more = this.#takeTurn();
			if (more) this.#schedule();
		});
	}

	/** Writes a group, then continues with the first large body. Returns whether there is anything left to do. */
	#takeTurn(): boolean {
		const before = this.#log.lastEvent;
		this.#write(this.#waiting.splice(0, this.#groupSize()));
		this.#continueLarge();
		const left = this.#log.tidy(Math.max(1, this.#log.lastEvent - before));
		return left || this.#isWaiting;
	}

	#continueLarge(): void {
		const [large] = this.#large;
		if (!large) return;
		const { text, now, format, checked, reading: started } = large;
		if (checked || format === "cancellation" || format === "look-up") {
			this.#write(this.#large.splice(0, 1));
			return;
		}
		const reading = started ?? checkInSteps(text, now, format);
		const { done, value } = reading.next();
		this.#large[0] = done ? { ...large, checked: value } : { ...large, reading };
	}

	#write(group: readonly Waiting[]): void {
		if (group.length === 0) return;
		const begunAtMs = performance.now();
		const before = this.#log.lastEvent;
		const results = this.#isHeldOff(before) ? group.map(holdOff) : this.#log.ingest(group);
		answerAll(group, results);
		this.#measure?.(results, this.#log.lastEvent - before, performance.now() - begunAtMs);
		if (this.#log.lastEvent > before || results.some(({ kind }) => kind === "canceled")) this.#onGrown();
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
}

/** Sends one message to each thread that has requests in the group. */
function answerAll(group: readonly Waiting[], results: readonly IngestResult[]): void {
	const byThread = new Map<Answer, { accepted: number[]; others: Array<{ id: number; result: IngestResult }> }>();
	for (const [at, { id, answer }] of group.entries()) {
		const reported = byThread.get(answer) ?? { accepted: [], others: [] };
		byThread.set(answer, reported);
		const result = results[at];
		if (result?.kind === "accepted" && !result.rejected) reported.accepted.push(id);
		else if (result) reported.others.push({ id, result });
	}
	for (const [answer, reported] of byThread) answer(reported);
}

const holdOff = (): IngestResult => ({
	kind: "unavailable",
	message: "Events arrive faster than they can be counted; nothing of this request was kept. Send it again shortly.",
	retryAfterSeconds,
});
