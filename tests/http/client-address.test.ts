import { describe, expect, test } from "bun:test";
import { networkOf, Senders } from "../../src/http/client-address";
import { type AddressRange, readRange } from "../../src/kernel/addresses";

const ranges = (...texts: string[]): AddressRange[] => texts.flatMap((text) => readRange(text) ?? []);

const sender = (trusted: AddressRange[], peer: string, headers: Record<string, string> = {}) =>
	new Senders(trusted).of(new Request("http://localhost", { headers }), { requestIP: () => ({ address: peer }) });

const proxies = ranges("10.0.0.0/8", "2001:db8::1");

describe("the sender of a request", () => {
	test.each<[string, string, string | undefined, string]>([
		["somebody unknown is believed nothing", "192.0.2.7", "198.51.100.1", "192.0.2.7"],
		["behind a proxy it is whom the proxy names", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
		["what the client itself had sent does not count", "10.1.2.3", "203.0.113.9, 198.51.100.1", "198.51.100.1"],
		["behind two proxies it is the first that is none", "10.1.2.3", "198.51.100.1, 10.9.9.9", "198.51.100.1"],
		["IPv6, with a port", "2001:db8::1", "[2001:db8:5::9]:4711", "2001:db8:5::9"],
		["IPv4, with a port", "10.0.0.1", "198.51.100.1:80", "198.51.100.1"],
		["IPv4 inside IPv6 is IPv4", "::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
		["nonsense ends the search", "10.1.2.3", "198.51.100.1, unknown", "10.1.2.3"],
		["a proxy that names nobody", "10.1.2.3", undefined, "10.1.2.3"],
	])("%s", (_, peer, forwarded, client) => {
		const { address } = sender(proxies, peer, forwarded === undefined ? {} : { "x-forwarded-for": forwarded });
		expect(address).toBe(client);
	});

	test("uses HTTPS when a trusted proxy says so, and by nobody else's word", () => {
		const headers = { "x-forwarded-proto": "https" };
		expect(sender(proxies, "10.0.0.1", headers).isSecure).toBe(true);
		expect(sender(proxies, "10.0.0.1").isSecure).toBe(false);
		expect(sender(proxies, "192.0.2.7", headers).isSecure).toBe(false);
		expect(sender([], "10.0.0.1", headers).isSecure).toBe(false);
	});

	test("counts as its network of 64 bits in IPv6, where everybody has one", () => {
		const one = networkOf(sender([], "2001:db8:1:2:3:4:5:6"));
		expect(networkOf(sender([], "2001:db8:1:2:ffff::1"))).toBe(one);
		expect(networkOf(sender([], "2001:db8:1:3::1"))).not.toBe(one);
		expect(networkOf(sender([], "192.0.2.7"))).toBe("192.0.2.7");
	});
});

test.each(["10.0.0.0/33", "10.0.0", "example.com", "1", "::1/129", "*"])("%s is no range of addresses", (text) => {
	expect(readRange(text)).toBeUndefined();
});
