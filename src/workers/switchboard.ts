import type { LinkedTo, Port } from "./links";
import type { Thread } from "./thread";

/** A caller of other threads: a thread, or the main thread. */
export interface Caller {
	readonly calls: readonly LinkedTo[];
	link(to: LinkedTo, port: Port): void;
	unlink(to: LinkedTo): void;
}

/** Connects callers with the threads that they call, by a port for each pair, also after a restart of either. */
export class Switchboard {
	readonly #called = new Map<LinkedTo, Thread>();
	readonly #callers = new Set<Caller>();

	/** A thread that is called has been made: everybody gets a port to it. */
	spawned(to: LinkedTo, thread: Thread): void {
		this.#called.set(to, thread);
		for (const caller of this.#callers) this.#join(caller, to, thread);
	}

	/** Called when a thread has died: calls that wait for its answers fail. */
	died(to: LinkedTo): void {
		this.#called.delete(to);
		for (const caller of this.#callers) if (caller.calls.includes(to)) caller.unlink(to);
	}

	/** Somebody who calls has been made. */
	add(caller: Caller): void {
		this.#callers.add(caller);
		for (const [to, thread] of this.#called) this.#join(caller, to, thread);
	}

	remove(caller: Caller): void {
		this.#callers.delete(caller);
	}

	#join(caller: Caller, to: LinkedTo, thread: Thread): void {
		if (!caller.calls.includes(to)) return;
		const { port1, port2 } = new MessageChannel();
		thread.tell({ kind: "connect", port: port1 });
		caller.link(to, port2);
	}
}

/** A thread that calls others. */
export const callerOf = (thread: Thread, calls: readonly LinkedTo[]): Caller => ({
	calls,
	link: (to, port) => void thread.tell({ kind: "link", to, port }),
	unlink: (to) => void thread.tell({ kind: "unlink", to }),
});
