import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { hostOf, isPublicAddress } from "../kernel/addresses";

/** Our choice: how long the addresses of a name are taken to be the same, as calls to it follow each other. */
const addressesMs = 5_000;
const namesMax = 1000;

interface Addresses {
	readonly found: Promise<readonly string[]>;
	readonly untilMs: number;
}

/** Whether the other side has packed its answer, though it was asked not to. */
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
 * Calls addresses that somebody else has named: a name is looked up, its addresses are checked, and the connection is made to
 * the very address that was checked. Redirects are not followed, and answers come as they were sent: nothing is unpacked.
 */
export class OutgoingCalls {
	readonly #allowPrivate: boolean;
	readonly #addresses = new Map<string, Addresses>();

	/** `allowPrivate`: whether private and loopback addresses may be called. */
	constructor(allowPrivate: boolean) {
		this.#allowPrivate = allowPrivate;
	}

	/** Rejects with PrivateAddress, or as `fetch` does. */
	async fetch(target: string | URL, { headers, ...call }: Call): Promise<Response> {
		const url = new URL(target);
		const name = hostOf(url);
		const { host } = url;
		// To the very address that was checked: a name may mean another one a moment later.
		const address = await this.#checkedAddress(name);
		url.hostname = ipaddr.IPv6.isValid(address) ? `[${address}]` : address;
		const isSecure = url.protocol === "https:";
		return fetch(url, {
			...call,
			redirect: "manual",
			// Some kilobytes may hold gigabytes, and the runtime would unpack all that came before anybody counts.
			decompress: false,
			// A connection was made for one name; to an address that several share it is not used for another.
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
		// Whoever waits is told; nobody else has to.
		found.catch(() => this.#addresses.delete(name));
		this.#addresses.set(name, { found, untilMs: performance.now() + addressesMs });
		return found;
	}
}
