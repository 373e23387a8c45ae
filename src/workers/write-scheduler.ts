import { systemActor } from "../areas/access/rules.actors";
import type { GivenBack, TakenIn } from "../http/fast-path/forwarding";
import type { Log } from "../http/log";
import { HttpRefusal } from "../http/refusal";
import { DomainError } from "../kernel/errors";
import { storageMessage } from "../kernel/storage/failures";
import type { Write } from "../server/writer-calls";
import type { TimeSlices } from "../tasks/time-slices";
import type { Port } from "./links";
import { type Part, pack, unpack } from "./message-packing";
import type { WriterAnswer, WriterCall } from "./writer-messages";

/** Our choice: how long the calls of one turn take together, by what the last ones took. All of them share a commit. */
const turnMs = 5;

/** Our choice: more in one turn does not make a call cheaper. */
const callsAtOnceMax = 256;

/** Our choice: how long a job works before whoever else waits is served. What a request waits for a job, at most. */
const jobMs = 4;

export interface DeskOptions {
	readonly answer: (request: TakenIn, body: string) => Promise<GivenBack>;
	readonly write: Write;
	/** Of the transactions: whether what this turn has written is on disk. */
	readonly committed: () => Promise<void>;
	readonly log: Log;
}

interface Waiting {
	readonly call: Part<WriterCall>;
	readonly port: Port;
}

/**
 * Where calls to the writer wait, and jobs for their turns. In each turn of the event loop as many calls are begun as fit in
 * some milliseconds, and one job gets on; all that they write is one group (kernel/storage/group.ts). After a turn with a job, one of
 * calls alone: so a call never waits for more than one step of a job and its commit, however many jobs there are, and a job
 * never for more than two turns' calls.
 */
export class WriteScheduler implements TimeSlices {
	readonly #options: DeskOptions;
	readonly #waiting: Waiting[] = [];
	readonly #jobs: Array<() => void> = [];
	readonly #leaving = new Map<Port, Array<Part<WriterAnswer>>>();
	#underWay = 0;
	#isScheduled = false;
	/** What a call took of late, in milliseconds. */
	#callMs = 0.1;
	#jobEndsAt = 0;
	/** Whether a job got on in the turn before. */
	#hadJob = false;

	constructor(options: DeskOptions) {
		this.#options = options;
	}

	/** Takes the calls of another thread. */
	connect(port: Port): void {
		port.onmessage = ({ data }) => {
			for (const call of unpack<WriterCall>(data)) this.#waiting.push({ call, port });
			this.#schedule();
		};
	}

	/** Resolves when what the job has written is on disk and it may go on; rejects when nothing of that was kept. */
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

	/** Resolves when every call that has come is answered. */
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
		// After everything that these calls do at once, and before the group is committed, which their first write puts behind this:
		// how long the disk takes says nothing of how many of them fit.
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
			// The other end is of the same program, and has said it by its types.
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
