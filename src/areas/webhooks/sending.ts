import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import type { Instant } from "../../kernel/clock";
import { hostOf, isPublicAddress } from "./rules";
import { signedHeaders, signingSecrets } from "./rules.secrets";
import type { WebhookRow } from "./table";
import type { Attempt } from "./table.deliveries";

/** Source: docs/webhooks.md. */
const timeoutMs = 30_000;
/** What is kept of an answer. */
const bodyBytesMax = 1024;
/** Our choice: how long the addresses of a name are taken to be the same, as deliveries to it follow each other. */
const addressesMs = 5_000;
const namesMax = 1000;

export interface Message {
	readonly messageId: string;
	readonly body: string;
}

type Target = Pick<WebhookRow, "id" | "endpoint" | "secretVersion" | "formerSecretUntil" | "sendsSecret">;

export interface SenderOptions {
	readonly folderSecret: string;
	/** Whether private and loopback addresses may be called. */
	readonly allowPrivate: boolean;
	/** The machine's. */
	readonly now: () => Instant;
	readonly timeoutMs?: number;
}

interface Addresses {
	readonly found: Promise<readonly string[]>;
	readonly untilMs: number;
}

/** Sends messages to endpoints, signed, and tells what came of it. */
export class Sender {
	readonly #options: SenderOptions;
	readonly #addresses = new Map<string, Addresses>();

	constructor(options: SenderOptions) {
		this.#options = options;
	}

	/** Never rejects: what goes wrong is the attempt's error. */
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

	async #post(target: Target, { messageId, body }: Message, at: Instant): Promise<Response> {
		const url = new URL(target.endpoint);
		const name = hostOf(url);
		const { host } = url;
		// To the very address that was checked: a name may mean another one a moment later.
		const address = await this.#checkedAddress(name);
		url.hostname = ipaddr.IPv6.isValid(address) ? `[${address}]` : address;
		const secrets = signingSecrets(this.#options.folderSecret, target, at);
		const isSecure = url.protocol === "https:";
		return fetch(url, {
			method: "POST",
			body,
			redirect: "manual",
			signal: AbortSignal.timeout(this.#options.timeoutMs ?? timeoutMs),
			// A connection was made for one name; to an address that several share it is not used for another.
			keepalive: !isSecure,
			...(isSecure && !ipaddr.isValid(name) && { tls: { serverName: name } }),
			headers: {
				host,
				"content-type": "application/json",
				"user-agent": "Tollgate-Webhooks",
				...signedHeaders(secrets, messageId, at, body),
				...(target.sendsSecret && { "Tollgate-Webhooks-Secret": secrets[0] ?? "" }),
			},
		});
	}

	async #checkedAddress(name: string): Promise<string> {
		const found = ipaddr.isValid(name) ? [name] : await this.#addressesOf(name);
		const allowed = this.#options.allowPrivate ? found : found.filter(isPublicAddress);
		const [address] = allowed;
		if (address === undefined) throw new Refused("The address leads to this machine or a private network.");
		return address;
	}

	#addressesOf(name: string): Promise<readonly string[]> {
		const known = this.#addresses.get(name);
		if (known && performance.now() < known.untilMs) return known.found;
		if (this.#addresses.size >= namesMax) this.#addresses.clear();
		const found = lookup(name, { all: true }).then((all) => all.map(({ address }) => address));
		// Whoever waits is told; nobody else has to.
		found.catch(() => this.#addresses.delete(name));
		this.#addresses.set(name, { found, untilMs: performance.now() + addressesMs });
		return found;
	}
}

class Refused extends Error {}

function reasonOf(error: unknown): string {
	if (error instanceof Refused) return error.message;
	if (!(error instanceof Error)) return "The receiver could not be called.";
	if (error.name === "TimeoutError") return "The receiver did not answer in time.";
	const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
	return `The receiver could not be called: ${code}.`;
}

async function firstBytes(response: Response): Promise<string> {
	if (!response.body) return "";
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
