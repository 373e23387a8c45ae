import { beforeAll, describe, expect, test } from "bun:test";
import { consoleAssets, consolePage } from "../../src/console/assets";
import { consoleRoutes } from "../../src/http/pages/console";

const app = consoleRoutes();
const fetchPath = (path: string, headers: Record<string, string> = {}) =>
	Promise.resolve(app.handle(new Request(`http://localhost${path}`, { headers })));

let names: string[];
beforeAll(async () => {
	names = [...(await consoleAssets()).keys()];
});

describe("the page", () => {
	for (const path of ["/console", "/console/", "/console/customers/customer-acme"])
		test(`is at ${path}`, async () => {
			const response = await fetchPath(path);
			expect(response.status).toBe(200);
			expect(response.headers.get("content-type")).toStartWith("text/html");
			expect(await response.text()).toContain('<div id="console">');
		});

	test("is asked for each time and sent once", async () => {
		const first = await fetchPath("/console");
		expect(first.headers.get("cache-control")).toBe("no-cache");
		const again = await fetchPath("/console/tasks", { "if-none-match": first.headers.get("etag") ?? "" });
		expect([again.status, await again.text()]).toEqual([304, ""]);
	});

	test("may load its own files and call its own server; it stands in no other page", async () => {
		const policy = (await fetchPath("/console")).headers.get("content-security-policy") ?? "";
		for (const part of [
			"default-src 'none'",
			"script-src 'self'",
			"style-src 'self'",
			"connect-src 'self'",
			"frame-ancestors 'none'",
			"base-uri 'none'",
			"require-trusted-types-for 'script'",
		])
			expect(policy.split("; ")).toContain(part);
		expect(policy).not.toContain("unsafe");
	});

	test("names its files, and has nothing inline", async () => {
		const html = await (await fetchPath("/console")).text();
		expect(html).toMatch(/<script[^>]* src="\/console\/assets\/[^"]+\.js"/);
		expect(html).toMatch(/<link[^>]* href="\/console\/assets\/[^"]+\.css"/);
		expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=|onload=/);
	});
});

describe("its files", () => {
	test("never change under their names", async () => {
		for (const name of names.filter((one) => one !== consolePage)) {
			const response = await fetchPath(`/console/assets/${name}`);
			expect([name, response.status, response.headers.get("cache-control")]).toEqual([
				name,
				200,
				"public, max-age=31536000, immutable",
			]);
		}
	});

	for (const path of ["/console/assets/none.js", "/console/assets/..%2Findex.html"])
		test(`what is none of them is not found: ${path}`, async () => {
			expect((await fetchPath(path)).status).toBe(404);
		});
});

test("/ leads browsers to the console, and nobody else", async () => {
	const browser = await fetchPath("/", { accept: "text/html,application/xhtml+xml" });
	expect([browser.status, browser.headers.get("location")]).toEqual([302, "/console"]);
	expect((await fetchPath("/", { accept: "application/json" })).status).toBe(404);
	expect((await fetchPath("/")).status).toBe(404);
});
