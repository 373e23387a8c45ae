import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address and how many of its leading bits count. */
export interface AddressRange {
	readonly network: Address;
	readonly bits: number;
}

/** "10.0.0.0/8" or one address, such as "::1"; undefined when the text is neither. */
export function readRange(text: string): AddressRange | undefined {
	if (ipaddr.isValidCIDR(text)) {
		const [network, bits] = ipaddr.parseCIDR(text);
		return { network, bits };
	}
	const address = readAddress(text);
	return address && { network: address, bits: address.kind() === "ipv4" ? 32 : 128 };
}

/** Who sent a request. */
export interface Sender {
	/** "local" when there is no network in between. */
	readonly address: string;
	/** Whether it came to a trusted proxy by HTTPS. */
	readonly isSecure: boolean;
}

interface Peers {
	requestIP(request: Request): { readonly address: string } | null;
}

/**
 * Who sent each request: the other end of the connection, or, where that is a trusted proxy, whom the proxies name
 * (`TOLLGATE_TRUSTED_PROXIES`). What anybody else says of itself in `X-Forwarded-…` counts for nothing.
 */
export class Senders {
	readonly #trusted: readonly AddressRange[];
	readonly #known = new WeakMap<Request, Sender>();

	constructor(trusted: readonly AddressRange[]) {
		this.#trusted = trusted;
	}

	/** Asked for before the answer is sent; afterwards the connection may be gone, and only what is known is answered. */
	of(request: Request, peers: Peers | null): Sender {
		const known = this.#known.get(request);
		if (known) return known;
		const peer = readAddress(peers?.requestIP(request)?.address ?? "");
		const sender = {
			address: peer ? this.#addressBehind(peer, request.headers).toString() : "local",
			isSecure:
				peer !== undefined &&
				this.#isTrusted(peer) &&
				request.headers.get("x-forwarded-proto")?.split(",").at(-1)?.trim() === "https",
		};
		this.#known.set(request, sender);
		return sender;
	}

	/** Of a request that another thread has taken in, which knows who sent it. */
	remember(request: Request, sender: Sender): void {
		this.#known.set(request, sender);
	}

	known(request: Request): Sender | undefined {
		return this.#known.get(request);
	}

	/** Each proxy adds whom it heard to the end: the first from there that is no proxy of ours is the client. */
	#addressBehind(peer: Address, headers: Headers): Address {
		const named = headers.get("x-forwarded-for")?.split(",") ?? [];
		let client = peer;
		while (this.#isTrusted(client)) {
			const next = readAddress(named.pop()?.trim() ?? "");
			if (!next) break;
			client = next;
		}
		return client;
	}

	#isTrusted(address: Address): boolean {
		return this.#trusted.some(({ network, bits }) => network.kind() === address.kind() && address.match(network, bits));
	}
}

/** What attempts are counted by: an IPv4 address, or the network of 64 bits that every user of IPv6 has whole. */
export function networkOf({ address }: Sender): string {
	const read = readAddress(address);
	return read?.kind() === "ipv6" ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString() : address;
}

/** As proxies write it: some add the port. IPv4 inside IPv6 is IPv4. */
function readAddress(text: string): Address | undefined {
	const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
	const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
	return isAddress ? ipaddr.process(bare) : undefined;
}
