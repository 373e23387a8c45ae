/** Reports a continuing failure once: again only if the error changes, or after a success. */
export class ErrorDeduplicator {
	#told: string | undefined;

	/** Whether the error has not been reported yet. Marks it as reported. */
	isNew(error: unknown): boolean {
		const { message, cause } = error instanceof Error ? error : new Error(String(error));
		const description = `${message} ${cause instanceof Error ? cause.message : cause}`;
		if (description === this.#told) return false;
		this.#told = description;
		return true;
	}

	/** Records a success. Returns true if a failure had been reported. */
	works(): boolean {
		const hasFailed = this.#told !== undefined;
		this.#told = undefined;
		return hasFailed;
	}
}
