/** Lets what goes on failing be told once: again only when it fails in another way, or after it has worked. */
export class ErrorDeduplicator {
	#told: string | undefined;

	/** Whether nobody has been told of it yet; from now on somebody has. */
	isNew(error: unknown): boolean {
		const { message, cause } = error instanceof Error ? error : new Error(String(error));
		const told = `${message} ${cause instanceof Error ? cause.message : cause}`;
		if (told === this.#told) return false;
		this.#told = told;
		return true;
	}

	/** It works. Answers whether that is news too. */
	works(): boolean {
		const hasFailed = this.#told !== undefined;
		this.#told = undefined;
		return hasFailed;
	}
}
