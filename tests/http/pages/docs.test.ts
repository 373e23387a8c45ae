import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { createApp } from "../../../src/app";
import { world } from "../../support/world";

const app = createApp(world().services);
await app.modules;

const get = (path: string, headers: Record<string, string> = {}) =>
	app.handle(new Request(`http://localhost${path}`, { headers }));

const served = [
	"/openapi.json",
	"/docs",
	"/docs/swagger-ui.js",
	"/docs/swagger-ui.css",
	"/docs/page.js",
	"/docs/page.css",
];

describe("the documentation", () => {
	test.each(served)("%s: compressed for who takes it, the same plain, without a key", async (path) => {
		const zipped = await get(path, { "accept-encoding": "gzip, deflate, br" });
		expect(zipped.status).toBe(200);
		expect(zipped.headers.get("content-encoding")).toBe("gzip");
		expect(zipped.headers.get("vary")).toBe("Accept-Encoding");
		const plain = await get(path, { "accept-encoding": "br, gzip;q=0" });
		expect(plain.headers.get("content-encoding")).toBeNull();
		const text = await plain.text();
		expect(text.length).toBeGreaterThan(100);
		expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(text);
	});

	test.each(served)("%s: is not sent again to who has it", async (path) => {
		const tag = (await get(path)).headers.get("etag") ?? "";
		const again = await get(path, { "if-none-match": tag });
		expect(again.status).toBe(304);
		expect(await again.text()).toBe("");
		expect((await get(path, { "if-none-match": '"another"' })).status).toBe(200);
	});

	test("all that the page loads is less than 700 KiB on the wire", async () => {
		const sizes = await Promise.all(
			served.map(async (path) => (await (await get(path, { "accept-encoding": "gzip" })).arrayBuffer()).byteLength),
		);
		expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(700 * 1024);
	});

	test("the page loads its own files only: no inline script, no other host", async () => {
		const response = await get("/docs");
		const page = await response.text();
		const references = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, reference]) => reference);
		expect(references.filter((one) => one !== "data:," && !served.includes(one ?? ""))).toEqual([]);
		expect(page).not.toMatch(/<script>|<style>| on\w+=/);
		expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
	});

	test("the page keeps no key and asks nobody else to check the document", async () => {
		const settings: Record<string, unknown>[] = [];
		const script = await (await get("/docs/page.js")).text();
		new Function("SwaggerUIBundle", script)((given: Record<string, unknown>) => settings.push(given));
		expect(settings).toMatchObject([{ url: "/openapi.json", persistAuthorization: false, validatorUrl: null }]);
	});
});
