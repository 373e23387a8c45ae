import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { hostOf, isPublicAddress } from "../kernel/addresses";

/** How long resolved addresses are cached. */
const addressesMs = 5_000;
const namesMax = 1000;

interface Addresses {
	readonly found: Promise<readonly string[]>;
	readonly untilMs: number;
}

/** Whether the response is compressed although the request asked for none. */
export const isPacked = ({ headers }: Response): boolean =>
	!/^(identity)?$/i.test(headers.get("content-encoding")?.trim() ?? "");

type Call = Omit<RequestInit, "redirect" | "keepalive" | "headers"> & {
	readonly headers: Readonly<Record<string, string>>;
};

/** The address leads to this machine or a private network, and the operator has not allowed that. */
export class PrivateAddress extends Error {
	constructor() {
		super("The address leads to this machine or a private network.");
	}
}

/**
 * Calls addresses that callers have configured. Resolves the name, checks its addresses, and connects to a checked one.
 * Follows no redirects and decompresses nothing.
 */
export class OutgoingCalls {
	readonly #allowPrivate: boolean;
	readonly #addresses = new Map<string, Addresses>();

	/** `allowPrivate` permits private and loopback addresses. */
	constructor(allowPrivate: boolean) {
		this.#allowPrivate = allowPrivate;
	}

	/** Rejects with PrivateAddress, or as `fetch` does. */
	async fetch(target: string | URL, { headers, ...call }: Call): Promise<Response> {
		const url = new URL(target);
		const name = hostOf(url);
		const { host } = url;
		// Connects to the checked address, because the name may resolve differently a moment later.
		const address = await this.#checkedAddress(name);
		url.hostname = ipaddr.IPv6.isValid(address) ? `[${address}]` : address;
		const isSecure = url.protocol === "https:";
		return fetch(url, {
			...call,
			redirect: "manual",
			// A small response may decompress to gigabytes, which the runtime would do before any limit applies.
			decompress: false,
			// A TLS connection belongs to one name, so it is not reused for another name at the same address.
			keepalive: !isSecure,
			...(isSecure && !ipaddr.isValid(name) && { tls: { serverName: name } }),
			headers: { ...headers, host, "accept-encoding": "identity" },
		});
	}

	async #checkedAddress(name: string): Promise<string> {
		const found = ipaddr.isValid(name) ? [name] : await this.#addressesOf(name);
		const allowed = this.#allowPrivate ? found : found.filter(isPublicAddress);
		const [address] = allowed;
		if (address === undefined) throw new PrivateAddress();
		return address;
	}

	#addressesOf(name: string): Promise<readonly string[]> {
		const known = this.#addresses.get(name);
		if (known && performance.now() < known.untilMs) return known.found;
		if (this.#addresses.size >= namesMax) this.#addresses.clear();
		const found = lookup(name, { all: true }).then((all) => all.map(({ address }) => address));
		// The caller gets the error from the promise; this handler only clears the cache.
		found.catch(() => this.#addresses.delete(name));
		this.#addresses.set(name, { found, untilMs: performance.now() + addressesMs });
		return found;
	}
}
