import { isPacked, OutgoingCalls, PrivateAddress } from "../../http/outgoing";
import type { Instant } from "../../kernel/clock";
import { signedHeaders, signingSecrets } from "./rules.secrets";
import type { WebhookRow } from "./table";
import type { Attempt } from "./table.deliveries";

/** The timeout of a request (docs/webhooks.md). */
const timeoutMs = 30_000;
/** The stored part of a response. */
const bodyBytesMax = 1024;

export interface Message {
	readonly messageId: string;
	readonly body: string;
}

type Target = Pick<WebhookRow, "id" | "endpoint" | "secretVersion" | "formerSecretUntil" | "sendsSecret">;

export interface SenderOptions {
	readonly folderSecret: string;
	/** Whether Tollgate may send to private and loopback addresses. */
	readonly allowPrivate: boolean;
	/** The machine's clock. */
	readonly now: () => Instant;
	readonly timeoutMs?: number;
}

/** Sends signed messages to endpoints and reports the outcome. */
export class Sender {
	readonly #options: SenderOptions;
	readonly #calls: OutgoingCalls;

	constructor(options: SenderOptions) {
		this.#options = options;
		this.#calls = new OutgoingCalls(options.allowPrivate);
	}

	/** Sends one message. Never rejects: a failure is the attempt's `error`. */
	async send(target: Target, message: Message): Promise<Attempt> {
		const at = this.#options.now();
		const begun = performance.now();
		const ended = (result: Pick<Attempt, "status" | "body" | "error">): Attempt => ({
			at,
			durationMs: Math.round(performance.now() - begun),
			...result,
		});
		try {
			const response = await this.#post(target, message, at);
			const body = await firstBytes(response);
			const isRedirect = response.status >= 300 && response.status < 400;
			return ended({ status: response.status, body, error: isRedirect ? "Redirects are not followed." : null });
		} catch (error) {
			return ended({ status: null, body: null, error: reasonOf(error) });
		}
	}

	#post(target: Target, { messageId, body }: Message, at: Instant): Promise<Response> {
		const secrets = signingSecrets(this.#options.folderSecret, target, at);
		return this.#calls.fetch(target.endpoint, {
			method: "POST",
			body,
			signal: AbortSignal.timeout(this.#options.timeoutMs ?? timeoutMs),
			headers: {
				"content-type": "application/json",
				"user-agent": "Tollgate-Webhooks",
				...signedHeaders(secrets, messageId, at, body),
				...(target.sendsSecret && { "Tollgate-Webhooks-Secret": secrets[0] ?? "" }),
			},
		});
	}
}

function reasonOf(error: unknown): string {
	if (error instanceof PrivateAddress) return error.message;
	if (!(error instanceof Error)) return "The receiver could not be called.";
	if (error.name === "TimeoutError") return "The receiver did not answer in time.";
	const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
	return `The receiver could not be called: ${code}.`;
}

async function firstBytes(response: Response): Promise<string> {
	if (!response.body || isPacked(response)) return "";
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of response.body) {
		chunks.push(chunk);
		bytes += chunk.byteLength;
		if (bytes >= bodyBytesMax) break;
	}
	return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bodyBytesMax));
}

export const isDelivered = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300;
