import { expect, test } from "bun:test";
import { isPublicAddress, leadsInside } from "../../src/kernel/addresses";

test.each([
	...["127.0.0.1", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1"],
	...["192.0.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
	...["::", "::1", "fe80::1", "fe80::1%eth0", "fec0::1", "fd00::1", "ff02::1", "2001:db8::1", "100::1", "5f00::1"],
	// An IPv4 address in each way that IPv6 has had for it.
	...["::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "::7f00:1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1"],
	...["64:ff9b:1::7f00:1", "2002:7f00:1::", "2001::1", "localhost", ""],
])("%s is nobody's on the internet", (address) => {
	expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "203.0.114.1", "2606:4700::1111", "2a00:1450::1"])("%s is somebody's", (address) => {
	expect(isPublicAddress(address)).toBe(true);
});

test.each([
	...["http://2130706433", "http://0x7f.1", "http://0177.0.0.1", "http://127.1", "http://①②⑦.⓪.⓪.①"],
	...["http://[::1]", "http://[::127.0.0.1]", "http://[::ffff:127.0.0.1]", "http://localhost", "http://LOCALHOST."],
	...["http://any.localhost"],
])("%s leads inside, however it is written", (text) => {
	expect(leadsInside(new URL(text))).toBe(true);
});

test.each(["https://example.com", "https://8.8.8.8", "https://localhost.example.com"])(
	"%s may lead outside",
	(text) => {
		expect(leadsInside(new URL(text))).toBe(false);
	},
);
