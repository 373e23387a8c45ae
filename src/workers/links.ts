import type { MessagePort } from "node:worker_threads";

/** The threads that others talk to without the main thread in between. */
export type LinkedTo = "writer" | "ingester";

/** Ports as the runtime has them at both ends. */
export type Port = Pick<MessagePort, "postMessage" | "close"> & {
	onmessage: ((event: MessageEvent) => void) | null;
};

/** What the client of a linked thread does with what it hears. */
export interface LinkEnd {
	hear(message: unknown): void;
	/** The thread has died: whoever waits is told, and what is sent until the next one runs is refused. */
	lost(): void;
}

/** One thread's way to another: a port that the pool hands over, and a new one whenever the other was started anew. */
export class Link {
	readonly #end: LinkEnd;
	#port: Port | undefined;

	constructor(end: LinkEnd) {
		this.#end = end;
	}

	connect(port: Port): void {
		this.disconnect();
		this.#port = port;
		port.onmessage = ({ data }) => this.#end.hear(data);
	}

	disconnect(): void {
		if (!this.#port) return;
		this.#port.close();
		this.#port = undefined;
		this.#end.lost();
	}

	/** Messages keep their order. False when there is nobody to take it. */
	post(message: unknown): boolean {
		this.#port?.postMessage(message);
		return this.#port !== undefined;
	}
}
