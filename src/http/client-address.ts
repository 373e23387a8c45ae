import { type Address, type AddressRange, isWithin, networkOfIpv6, readAddress } from "../kernel/addresses";

/** Who sent a request. */
export interface Sender {
	/** "local" when there is no network in between. */
	readonly address: string;
	/** Whether it came to a trusted proxy by HTTPS. */
	readonly isSecure: boolean;
}

/** Knows the other end of each connection. */
export interface Peers {
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
		return isWithin(this.#trusted, address);
	}
}

/** What attempts are counted by: an IPv4 address, or the network of 64 bits that every user of IPv6 has whole. */
export function networkOf({ address }: Sender): string {
	const read = readAddress(address);
	return read?.kind() === "ipv6" ? networkOfIpv6(address, 64) : address;
}
