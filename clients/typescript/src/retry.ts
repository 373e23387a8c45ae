/** How the client repeats failed calls. */
export interface RetryOptions {
	/** The maximum number of attempts, including the first one. */
	readonly attemptsMax?: number;
	/** The pause before the second attempt. It doubles up to ten seconds, unless the server sends `Retry-After`. */
	readonly pauseMs?: number;
	readonly fetch?: typeof globalThis.fetch;
}

const pauseMsMax = 10_000;

/**
 * A `fetch` with retries. Every POST gets an `Idempotency-Key`, so that a repeated call has no second effect. Other writes are
 * repeated only if the server has rejected them, not if their outcome is unknown.
 */
export function retrying({ attemptsMax = 5, pauseMs = 200, fetch = globalThis.fetch }: RetryOptions = {}) {
	return async (request: Request): Promise<Response> => {
		const { method, headers, signal } = request;
		if (method === "POST" && !headers.has("idempotency-key")) headers.set("idempotency-key", crypto.randomUUID());
		const isRepeatable = method === "GET" || method === "POST";
		for (let attempt = 1; ; attempt += 1) {
			const isLast = attempt >= attemptsMax;
			let waitMs = backoff(pauseMs, attempt);
			try {
				const response = await fetch(request.clone());
				if (isLast || !mayRetry(response)) return response;
				const seconds = Number(response.headers.get("retry-after") ?? "NaN");
				if (Number.isFinite(seconds)) waitMs = seconds * 1000;
				await response.body?.cancel();
			} catch (error) {
				if (isLast || !isRepeatable || signal.aborted) throw error;
			}
			await new Promise((resolve) => setTimeout(resolve, waitMs));
			signal.throwIfAborted();
		}
	};
}

/** The server is busy or limits the rate, or, with 409, still processes a call with the same key. */
function mayRetry({ status, headers }: Response): boolean {
	const advice = headers.get("x-should-retry");
	return advice !== "false" && (status === 429 || status === 503 || (status === 409 && advice === "true"));
}

/** Half of the pause is random, so that clients do not retry at the same time. */
export const backoff = (pauseMs: number, attempt: number): number =>
	Math.min(pauseMsMax, pauseMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
