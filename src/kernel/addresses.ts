import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address and the number of its leading bits that identify the network. */
export interface AddressRange {
	readonly network: Address;
	readonly bits: number;
}

/** Parses a range such as "10.0.0.0/8", or one address such as "::1". Returns undefined for any other text. */
export function readRange(text: string): AddressRange | undefined {
	if (ipaddr.isValidCIDR(text)) {
		const [network, bits] = ipaddr.parseCIDR(text);
		return { network, bits };
	}
	const address = readAddress(text);
	return address && { network: address, bits: address.kind() === "ipv4" ? 32 : 128 };
}

/** Parses an address as proxies write it: some add the port. IPv4 embedded in IPv6 becomes IPv4. */
export function readAddress(text: string): Address | undefined {
	const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
	const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
	return isAddress ? ipaddr.process(bare) : undefined;
}

export const isWithin = (ranges: readonly AddressRange[], address: Address): boolean =>
	ranges.some(({ network, bits }) => network.kind() === address.kind() && address.match(network, bits));

/** Whether one of these ranges contains the whole of another. */
export const isRangeWithin = (ranges: readonly AddressRange[], { network, bits }: AddressRange): boolean =>
	ranges.some((one) => one.bits <= bits && isWithin([one], network));

/** Returns the network of an IPv6 address, by the number of leading bits. */
export const networkOfIpv6 = (address: string, bits: number): string =>
	ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString();

/** Parses an IPv6 address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

/** The assigned range of IPv6. Addresses outside it include old notations of IPv4 addresses, such as `::7f00:1`. */
const globalIpv6 = ipaddr.IPv6.parse("2000::");

/** Whether an address is public: in no private, loopback, link-local or reserved range, also if it embeds an IPv4 address. */
export function isPublicAddress(text: string): boolean {
	const address = ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
	return address?.range() === "unicast" && (address.kind() === "ipv4" || address.match(globalIpv6, 3));
}

/** Whether a host is this machine or a private address by its text. The address of a name is checked when it is called. */
export function leadsInside(url: URL): boolean {
	const host = hostOf(url);
	return /(^|\.)localhost\.?$/.test(host) || (ipaddr.isValid(host) && !isPublicAddress(host));
}
