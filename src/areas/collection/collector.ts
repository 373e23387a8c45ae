import type { Instant } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { systemActor } from "../access/rules.actors";
import { listDueAttempts } from "./attempts/operations";
import { listDueCalls } from "./calls/operations";
import type { CollectorOptions } from "./collector-options";
import { detachMethod } from "./detach-method";
import { listDueDisputes } from "./disputes/operations";
import { listDueEvents } from "./events/operations";
import { lookUpPage, makeCall } from "./make-call";
import { listDetached } from "./methods/operations.choose";
import { msUntilCollection } from "./operations.due";
import { listLookedPages } from "./pages/operations";
import { listDueRefunds } from "./refunds/operations";
import { runAttempt } from "./run-attempt";
import { runDispute } from "./run-dispute";
import { eventKey, runEvent } from "./run-event";
import { runRefund } from "./run-refund";

/** Calls at a time. Each waits for the network. */
const runningMax = 16;
/** The pause until the tables are read again while calls run. */
const lookMs = 25;
/** The pause after a failure of our own doubles from and up to these. */
const pauseMsMin = 1000;
const pauseMsMax = 60_000;

/** One thing to do at a provider. */
interface Errand {
	/** No two errands of one key run at the same time. */
	readonly key: string;
	run(): Promise<void>;
}

/** Failures of our own, such as a stopped writer: the errand waits before it runs again. */
interface Failed {
	readonly untilMs: number;
	readonly pauseMs: number;
}

/**
 * Makes the calls to payment providers. The tables are its queue: the writer stores a row before each call and applies each answer, so
 * the collector can be killed at any moment. It holds no transaction during a call.
 */
export class Collector {
	readonly #options: CollectorOptions;
	readonly #running = new Map<string, Promise<void>>();
	readonly #failed = new Map<string, Failed>();

	constructor(options: CollectorOptions) {
		this.#options = options;
	}

	/** Works until nothing is due. Returns in how many milliseconds something is; undefined if nothing waits. */
	async drain(): Promise<number | undefined> {
		const { transactions, isStopping } = this.#options;
		while (!isStopping()) {
			for (const errand of this.#due()) this.#start(errand);
			if (this.#running.size === 0) break;
			await Promise.race([...this.#running.values(), Bun.sleep(lookMs)]);
		}
		await Promise.all(this.#running.values());
		const inMs = transactions.read(systemActor(""), msUntilCollection);
		return inMs === undefined ? undefined : Math.max(inMs, this.#pauseMs());
	}

	/** Returns the time until the first failed errand may run again. */
	#pauseMs(): number {
		const waits = [...this.#failed.values()].map(({ untilMs }) => untilMs - performance.now());
		return waits.length === 0 ? 0 : Math.max(0, Math.min(...waits));
	}

	#due(): Errand[] {
		const free = runningMax - this.#running.size;
		if (free <= 0) return [];
		// Rows of running and failed errands are still due.
		const rowsMax = runningMax + this.#running.size + this.#failed.size;
		const errands = this.#options.transactions.read(systemActor(""), (work) => this.#errands(work, rowsMax));
		const byKey = new Map(errands.map((errand) => [errand.key, errand]));
		return [...byKey.values()].filter(({ key }) => this.#mayRun(key)).slice(0, free);
	}

	#errands(work: Work, rowsMax: number): Errand[] {
		const options = this.#options;
		const isDue = ({ dueAt }: { readonly dueAt: Instant | null }) => dueAt !== null && dueAt <= work.machineNow;
		return [
			...listDueCalls(work, rowsMax)
				.filter(isDue)
				.map((call) => ({ key: call.id, run: () => makeCall(options, call) })),
			...listLookedPages(work, rowsMax)
				.filter(isDue)
				.map((page) => ({ key: page.id, run: () => lookUpPage(options, page) })),
			...listDetached(work, rowsMax)
				.filter(isDue)
				.map((method) => ({ key: method.id, run: () => detachMethod(options, method) })),
			...listDueEvents(work, rowsMax)
				.filter(isDue)
				.map((event) => ({ key: eventKey(event), run: () => runEvent(options, event) })),
			...listDueDisputes(work, rowsMax)
				.filter(isDue)
				.map((dispute) => ({ key: dispute.id, run: () => runDispute(options, dispute) })),
			...listDueRefunds(work, rowsMax)
				.filter(isDue)
				.map((refund) => ({ key: refund.id, run: () => runRefund(options, refund) })),
			...listDueAttempts(work, rowsMax)
				.filter(isDue)
				.map((attempt) => ({ key: attempt.id, run: () => runAttempt(options, attempt) })),
		];
	}

	#mayRun(key: string): boolean {
		return !this.#running.has(key) && (this.#failed.get(key)?.untilMs ?? 0) <= performance.now();
	}

	#start({ key, run }: Errand): void {
		this.#running.set(
			key,
			run()
				.then(() => void this.#failed.delete(key))
				.catch((error) => this.#fail(key, error))
				.finally(() => this.#running.delete(key)),
		);
	}

	#fail(key: string, error: unknown): void {
		const pauseMs = Math.min(pauseMsMax, 2 * (this.#failed.get(key)?.pauseMs ?? pauseMsMin / 2));
		this.#failed.set(key, { pauseMs, untilMs: performance.now() + pauseMs });
		this.#options.log.error({ err: error, errand: key, pauseMs }, "the collector failed; it tries again");
	}
}
