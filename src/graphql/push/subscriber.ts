import type { ExecutionResult } from "graphql";

const over: IteratorResult<ExecutionResult, undefined> = { done: true, value: undefined };

/** One subscription of one connection: an ordered queue of results. */
export class Subscriber implements AsyncGenerator<ExecutionResult, undefined> {
	/** Results that wait. There are few: a connection takes them at once and is closed when it cannot send. */
	readonly #waiting: ExecutionResult[] = [];
	#take: ((result: IteratorResult<ExecutionResult, undefined>) => void) | undefined;
	#isOver = false;
	readonly #onEnd: () => void;

	constructor(onEnd: (subscriber: Subscriber) => void) {
		this.#onEnd = () => onEnd(this);
	}

	push(result: ExecutionResult): void {
		const take = this.#take;
		this.#take = undefined;
		if (take) take({ done: false, value: result });
		else if (!this.#isOver) this.#waiting.push(result);
	}

	next(): Promise<IteratorResult<ExecutionResult, undefined>> {
		const value = this.#waiting.shift();
		if (value) return Promise.resolve({ done: false, value });
		if (this.#isOver) return Promise.resolve(over);
		return new Promise((resolve) => {
			this.#take = resolve;
		});
	}

	async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
		if (!this.#isOver) {
			this.#isOver = true;
			this.#waiting.length = 0;
			this.#take?.(over);
			this.#onEnd();
		}
		return over;
	}

	async throw(error: unknown): Promise<never> {
		await this.return();
		throw error;
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.return();
	}
}
