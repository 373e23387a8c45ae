import type { Stripe } from "stripe";
import { type Credentials, ProviderError } from "../provider";

/** Each method of the adapter ends within 30 s, whatever number of requests it makes. */
const methodMs = 28_000;

/** The client, and the options of a request: its key and the time that is left. */
export interface Call {
	readonly client: Stripe;
	options(key?: string): { timeout: number; idempotencyKey?: string };
}

/** Runs one method of the adapter with the official client. All errors become `ProviderError`. */
export type Caller = <T>(run: (call: Call) => Promise<T>) => Promise<T>;

/** Opens the client of an account. The client loads at the first call, so that the executable starts without it. */
export function callerOf({ secretKey, baseUrl }: Credentials): Caller {
	let opened: Promise<Stripe> | undefined;
	return async (run) => {
		const end = performance.now() + methodMs;
		const options = (key?: string) => {
			const left = Math.floor(end - performance.now());
			if (left <= 0) throw new ProviderError("UNANSWERED", "the provider did not answer in time");
			return { timeout: left, ...(key !== undefined && { idempotencyKey: key }) };
		};
		try {
			opened ??= openClient(secretKey, baseUrl);
			return await run({ client: await opened, options });
		} catch (error) {
			throw providerError(error, secretKey);
		}
	};
}

async function openClient(secretKey: string, baseUrl: string | null): Promise<Stripe> {
	const { Stripe } = await import("stripe");
	const address = baseUrl === null ? undefined : new URL(baseUrl);
	return new Stripe(secretKey, {
		// The collector owns the keys, and so the repetitions.
		...{ maxNetworkRetries: 0, telemetry: false, httpClient: Stripe.createFetchHttpClient(fetchOnce) },
		...(address && {
			host: address.hostname,
			port: address.port || (address.protocol === "http:" ? 80 : 443),
			protocol: address.protocol === "http:" ? "http" : "https",
		}),
	});
}

/** The client repeats a request after these errors, even if its retries are off. */
const repeated: readonly unknown[] = ["ECONNRESET", "EPIPE"];

/** Sends a request once: hides the codes at which the client would send it again, and the notices that it would print. */
const fetchOnce: typeof fetch = Object.assign(sendOnce, { preconnect: () => {} });

async function sendOnce(url: string | URL | Request, init?: RequestInit): Promise<Response> {
	try {
		const { body, status, headers } = await fetch(url, { ...init, redirect: "error" });
		const kept = new Headers(headers);
		kept.delete("stripe-notice");
		// `fetch` has decoded the body.
		kept.delete("content-encoding");
		kept.delete("content-length");
		return new Response(body, { status, headers: kept });
	} catch (error) {
		if (error instanceof Error && "code" in error && repeated.includes(error.code))
			throw new TypeError("the connection ended");
		throw error;
	}
}

/** The fields of the client's errors that the adapter reads. */
interface ClientError {
	readonly type: string;
	readonly message: string;
	readonly statusCode?: number;
	readonly code?: string;
	readonly decline_code?: string;
	readonly raw?: { readonly payment_intent?: unknown };
}

export const isClientError = (error: unknown): error is ClientError =>
	error instanceof Error && "type" in error && typeof error.type === "string" && error.type.startsWith("Stripe");

/** Whether the provider does not know an object. */
export const isMissing = (error: unknown): boolean =>
	isClientError(error) && (error.code === "resource_missing" || error.statusCode === 404);

function providerError(error: unknown, secretKey: string): unknown {
	if (error instanceof ProviderError || !isClientError(error)) return error;
	const { type, statusCode = 0, code = null } = error;
	const message = withoutSecrets(error.message, secretKey);
	if (type === "StripeConnectionError") return new ProviderError("UNANSWERED", `no answer arrived: ${message}`);
	if (statusCode === 401 || statusCode === 403) return new ProviderError("CREDENTIALS", message, code);
	// The first request with this key is still under way: nothing is known yet.
	if (statusCode === 409) return new ProviderError("UNANSWERED", message, code);
	if (statusCode === 429 || statusCode >= 500 || type === "StripeRateLimitError")
		return new ProviderError("LATER", message, code);
	// An answer that is no JSON, as a proxy gives it.
	if (statusCode === 0) return new ProviderError("UNANSWERED", message, code);
	return new ProviderError("REJECTED", message, code);
}

const secretPattern = /\b(?:sk|rk|pk|whsec)_[A-Za-z0-9_*]+|_secret_[A-Za-z0-9]+/g;

function withoutSecrets(message: string, secretKey: string): string {
	const plain = message.replaceAll(secretKey, "[key]").replace(secretPattern, "[key]");
	return plain.replace(/\.\s*$/, "").slice(0, 500);
}
