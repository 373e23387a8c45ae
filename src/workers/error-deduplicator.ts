/** Reports a continuing failure once: again only if the error changes, or after a success. */
export class ErrorDeduplicator {
	#reported: string | undefined;

	/** Whether the error has not been reported yet. Marks it as reported. */
	isNew(error: unknown): boolean {
		const { message, cause } = error instanceof Error ? error : new Error(String(error));
		const description = `${message} ${cause instanceof Error ? cause.message : cause}`;
		if (description === this.#reported) return false;
		this.#reported = description;
		return true;
	}

	/** Records a success. Returns true if a failure had been reported. */
	recordSuccess(): boolean {
		const hasFailed = this.#reported !== undefined;
		this.#reported = undefined;
		return hasFailed;
	}
}
