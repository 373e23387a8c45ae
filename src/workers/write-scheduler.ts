import { systemActor } from "../areas/access/rules.actors";
import type { ForwardedAnswer, ForwardedRequest } from "../http/fast-path/forwarding";
import type { Log } from "../http/log";
import { HttpRefusal } from "../http/refusal";
import { DomainError } from "../kernel/errors";
import { storageMessage } from "../kernel/storage/failures";
import type { Write } from "../server/writer-calls";
import type { TimeSlices } from "../tasks/time-slices";
import type { Port } from "./links";
import { type Part, pack, unpack } from "./message-packing";
import type { WriterAnswer, WriterCall } from "./writer-messages";

/** The time of all calls of one turn, estimated from the last ones. They share a commit. */
const turnMs = 5;

/** More calls in one turn do not make a call cheaper. */
const callsAtOnceMax = 256;

/** The time slice of a job, and so the longest wait of a request for a job. */
const jobMs = 4;

export interface WriteSchedulerOptions {
	readonly answer: (request: ForwardedRequest, body: string) => Promise<ForwardedAnswer>;
	readonly write: Write;
	/** Resolves when the writes of this turn are on disk. */
	readonly committed: () => Promise<void>;
	readonly log: Log;
}

interface Waiting {
	readonly call: Part<WriterCall>;
	readonly port: Port;
}

/**
 * Schedules the calls and the jobs of the writer. Each turn of the event loop starts as many calls as fit in a few milliseconds, and lets
 * one job continue; their writes are one group (kernel/storage/group.ts). A turn with a job is followed by a turn of calls alone. So a call
 * waits for at most one step of a job and its commit, and a job for the calls of at most two turns.
 */
export class WriteScheduler implements TimeSlices {
	readonly #options: WriteSchedulerOptions;
	readonly #waiting: Waiting[] = [];
	readonly #jobs: Array<() => void> = [];
	readonly #leaving = new Map<Port, Array<Part<WriterAnswer>>>();
	#underWay = 0;
	#isScheduled = false;
	/** The moving average of the time of a call, in milliseconds. */
	#callMs = 0.1;
	#jobEndsAt = 0;
	/** Whether a job ran in the previous turn. */
	#hadJob = false;

	constructor(options: WriteSchedulerOptions) {
		this.#options = options;
	}

	/** Receives the calls of another thread. */
	connect(port: Port): void {
		port.onmessage = ({ data }) => {
			for (const call of unpack<WriterCall>(data)) this.#waiting.push({ call, port });
			this.#schedule();
		};
	}

	/** Resolves when the writes of the job are on disk and it may continue. Rejects if they were rolled back. */
	async next(): Promise<void> {
		await this.#options.committed();
		await new Promise<void>((resolve) => {
			this.#jobs.push(resolve);
			this.#schedule();
		});
		this.#jobEndsAt = performance.now() + jobMs;
	}

	isOver(): boolean {
		return performance.now() >= this.#jobEndsAt;
	}

	/** Resolves when every received call is answered. */
	async drained(): Promise<void> {
		while (this.#waiting.length > 0 || this.#underWay > 0 || this.#leaving.size > 0)
			await new Promise((resolve) => setImmediate(resolve));
	}

	#schedule(): void {
		if (this.#isScheduled) return;
		this.#isScheduled = true;
		setImmediate(() => this.#turn());
	}

	#turn(): void {
		this.#send();
		const begunAt = performance.now();
		const calls = this.#waiting.splice(0, Math.min(callsAtOnceMax, Math.max(1, Math.floor(turnMs / this.#callMs))));
		// Runs after the synchronous work of these calls and before the group commits: the time of the disk says nothing about how many
		// calls fit.
		setImmediate(() => {
			this.#isScheduled = false;
			if (calls.length > 0) this.#callMs = (3 * this.#callMs + (performance.now() - begunAt) / calls.length) / 4;
			if (this.#waiting.length > 0 || this.#jobs.length > 0 || this.#leaving.size > 0) this.#schedule();
			const job = calls.length > 0 && this.#hadJob ? undefined : this.#jobs.shift();
			this.#hadJob = job !== undefined;
			job?.();
		});
		for (const waiting of calls) void this.#serve(waiting);
	}

	async #serve({ call: { head, text }, port }: Waiting): Promise<void> {
		this.#underWay += 1;
		const answer = await this.#carryOut(head, text);
		this.#underWay -= 1;
		const leaving = this.#leaving.get(port);
		if (leaving) leaving.push(answer);
		else this.#leaving.set(port, [answer]);
		this.#schedule();
	}

	async #carryOut(call: WriterCall, body: string): Promise<Part<WriterAnswer>> {
		const { id } = call;
		try {
			if (call.kind === "request") {
				const { text, ...answer } = await this.#options.answer(call.request, body);
				return { head: { id, kind: "answered", answer }, text };
			}
			const { name, environmentId, accountId, input } = call;
			const actor = systemActor(environmentId, accountId);
			// The caller is of the same program, and its types guarantee the input.
			const answer = await this.#options.write(actor, name, input as never);
			return { head: { id, kind: "written", answer }, text: "" };
		} catch (error) {
			if (error instanceof DomainError)
				return { head: { id, kind: "refused", code: error.code, message: error.message }, text: "" };
			if (error instanceof HttpRefusal) {
				const { status, message, headers } = error;
				return { head: { id, kind: "turned away", status, message, headers }, text: "" };
			}
			const message = storageMessage(error);
			if (message !== undefined) return { head: { id, kind: "storage", message }, text: "" };
			this.#options.log.error({ err: error }, "internal error");
			return { head: { id, kind: "failed", message: String(error) }, text: "" };
		}
	}

	#send(): void {
		for (const [port, parts] of this.#leaving) port.postMessage(pack(parts));
		this.#leaving.clear();
	}
}
