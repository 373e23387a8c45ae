/** How calls are repeated that could not be answered. */
export interface RetryOptions {
	/** How often a call is made at most, the first time included. */
	readonly attemptsMax?: number;
	/** Before the second attempt; it doubles with each, up to ten seconds, unless the server says how long. */
	readonly pauseMs?: number;
	readonly fetch?: typeof globalThis.fetch;
}

const pauseMsMax = 10_000;

/** Busy, limited, or a call with the same key under way. */
const retried = new Set([409, 429, 503]);

/**
 * `fetch` that repeats what can be repeated: every POST is given an `Idempotency-Key`, so that a call whose answer was lost
 * happens once. Other calls that change something are repeated when the server says that it has not taken them, and not when
 * nobody knows.
 */
export function retrying({ attemptsMax = 5, pauseMs = 200, fetch = globalThis.fetch }: RetryOptions = {}) {
	return async (request: Request): Promise<Response> => {
		const { method, headers } = request;
		if (method === "POST" && !headers.has("idempotency-key")) headers.set("idempotency-key", crypto.randomUUID());
		const isRepeatable = method === "GET" || method === "POST";
		for (let attempt = 1; ; attempt += 1) {
			const isLast = attempt >= attemptsMax;
			try {
				const response = await fetch(request.clone());
				const mayRetry = retried.has(response.status) && response.headers.get("x-should-retry") !== "false";
				if (isLast || !mayRetry || (response.status === 409 && response.headers.get("x-should-retry") !== "true"))
					return response;
				await response.body?.cancel();
				await pause(waitOf(response) ?? backoff(pauseMs, attempt), request.signal);
			} catch (error) {
				if (isLast || !isRepeatable || request.signal.aborted) throw error;
				await pause(backoff(pauseMs, attempt), request.signal);
			}
		}
	};
}

/** In milliseconds, as the server asks for. */
function waitOf({ headers }: Response): number | undefined {
	const seconds = Number(headers.get("retry-after") ?? "NaN");
	return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** Half of it by chance, so that many clients do not come back at once. */
export const backoff = (pauseMs: number, attempt: number): number =>
	Math.min(pauseMsMax, pauseMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
	new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, ms);
		signal.addEventListener("abort", () => {
			clearTimeout(timer);
			reject(signal.reason);
		});
	});
