import type { MessagePort } from "node:worker_threads";

/** The threads that others call directly, without the main thread in between. */
export type LinkedTo = "writer" | "ingester";

/** The part of a message port that both ends use. */
export type Port = Pick<MessagePort, "postMessage" | "close"> & {
	onmessage: ((event: MessageEvent) => void) | null;
};

/** The client of a linked thread. */
export interface LinkEnd {
	hear(message: unknown): void;
	/** Called when the thread has died: waiting calls fail, and new calls are refused until the next thread runs. */
	lost(): void;
}

/** A link to another thread: the pool provides its port, and a new port after each restart of the other thread. */
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

	/** Sends a message; messages keep their order. Returns false if no thread receives it. */
	post(message: unknown): boolean {
		this.#port?.postMessage(message);
		return this.#port !== undefined;
	}
}
