import { type Address, type AddressRange, isWithin, networkOfIpv6, readAddress } from "../kernel/addresses";

/** The sender of a request. */
export interface Sender {
	/** "local" without a network connection. */
	readonly address: string;
	/** Whether the trusted proxy received it by HTTPS. */
	readonly isSecure: boolean;
}

/** Returns the remote address of a connection. */
export interface Peers {
	requestIP(request: Request): { readonly address: string } | null;
}

/**
 * Finds the sender of a request: the remote address or, behind a trusted proxy (`TOLLGATE_TRUSTED_PROXIES`), the
 * address that the proxies report. `X-Forwarded-…` headers of other senders are ignored.
 */
export class Senders {
	readonly #trusted: readonly AddressRange[];
	readonly #known = new WeakMap<Request, Sender>();

	constructor(trusted: readonly AddressRange[]) {
		this.#trusted = trusted;
	}

	/** Call it before the response is sent; afterwards the connection may be closed, and only a cached sender is returned. */
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

	/** Stores the sender of a request that another thread received. */
	remember(request: Request, sender: Sender): void {
		this.#known.set(request, sender);
	}

	known(request: Request): Sender | undefined {
		return this.#known.get(request);
	}

	/** Each proxy appends the address of its client. The last address that is not a trusted proxy is the client. */
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

/**
 * Returns the key by which attempts are counted: an IPv4 address, or the /64 network of an IPv6 address, because a user
 * has a whole one.
 */
export function networkOf({ address }: Sender): string {
	const read = readAddress(address);
	return read?.kind() === "ipv6" ? networkOfIpv6(address, 64) : address;
}
