/** How calls are repeated that could not be answered. */
export interface RetryOptions {
	/** How often a call is made at most, the first time included. */
	readonly attemptsMax?: number;
	/** Before the second attempt; it doubles with each, up to ten seconds, unless the server says how long. */
	readonly pauseMs?: number;
	readonly fetch?: typeof globalThis.fetch;
}

const pauseMsMax = 10_000;

/**
 * `fetch` that repeats what can be repeated: every POST is given an `Idempotency-Key`, so that a call whose answer was lost
 * happens once. Other calls that change something are repeated when the server says that it has not taken them, and not when
 * nobody knows.
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

/** Busy, limited, or (409, where the server says so) a call with the same key under way. */
function mayRetry({ status, headers }: Response): boolean {
	const asked = headers.get("x-should-retry");
	return asked !== "false" && (status === 429 || status === 503 || (status === 409 && asked === "true"));
}

/** Half of it by chance, so that many clients do not come back at once. */
export const backoff = (pauseMs: number, attempt: number): number =>
	Math.min(pauseMsMax, pauseMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
