import { expect, test } from "bun:test";
import { banner } from "../src/banner";
import { testKey, testPublishableKey } from "./support/process";

const firstKeys = { environmentId: "e", accountId: "a", fullAccessKey: testKey, publishableKey: testPublishableKey };
const server = { url: "http://127.0.0.1:4280", stop: async () => {} };

test("a person at a terminal sees the keys at the first start, where they lie, and commands to try", () => {
	const shown = banner({ ...server, firstKeys }, "/data", false);
	for (const text of [server.url, testKey, testPublishableKey, "/data/initial-keys.txt", "curl -H"])
		expect(shown).toContain(text);
});

test("the demo has a person; without it the first one is made by a command; the console comes last", () => {
	const person = { email: "owner@example.com", password: "shown-this-once" };
	const demo = banner({ ...server, firstKeys: { ...firstKeys, person } }, "/data", true);
	expect(demo).toContain(`Sign in to the console as ${person.email} with the password ${person.password}`);
	const own = banner({ ...server, firstKeys }, "/data", false);
	expect(own).toContain("tollgate users create --email");
	for (const shown of [demo, own])
		expect(shown.trim().split("\n").at(-1)).toBe(`The console is at ${server.url}/console`);
});

test("at a later start there are no keys to show", () => {
	expect(banner({ ...server, firstKeys: undefined }, "/data", false)).toBe(
		`Tollgate runs at ${server.url}  (documentation: ${server.url}/docs, console: ${server.url}/console)\n`,
	);
});
