import { Refusal } from "./errors";

interface Kept {
	readonly request: string;
	readonly at: number;
	answer: { readonly status: number; readonly body: string } | "running";
}

/** The provider prunes keys after 24 hours. */
const keptMs = 24 * 3_600_000;

/**
 * Idempotency keys as the provider documents them: the first answer is kept, a 500 too, and repeated; another request with the key is a
 * 400; a second request during the first is a 409. Failed validations, 409 and 429 keep nothing.
 */
export interface Keys {
	/** Returns the kept answer, or undefined if the caller has to run the request and then `keep` or `release` its key. */
	begin(key: string, request: string): { readonly status: number; readonly body: string } | undefined;
	keep(key: string, status: number, body: string): void;
	release(key: string): void;
}

export function idempotencyKeys(now: () => number): Keys {
	const kept = new Map<string, Kept>();
	return {
		begin: (key, request) => {
			const known = kept.get(key);
			if (!known || known.at + keptMs <= now()) {
				kept.set(key, { request, at: now(), answer: "running" });
				return undefined;
			}
			if (known.request !== request)
				throw new Refusal(400, {
					type: "idempotency_error",
					message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
				});
			if (known.answer === "running")
				throw new Refusal(409, {
					...{ type: "idempotency_error", code: "idempotency_key_in_use" },
					message: "There is currently another in-progress request using this Idempotency-Key.",
				});
			return known.answer;
		},
		keep: (key, status, body) => {
			const known = kept.get(key);
			if (known) known.answer = { status, body };
		},
		release: (key) => void kept.delete(key),
	};
}
