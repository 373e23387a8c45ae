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

	test("is revalidated on each request", async () => {
		const first = await fetchPath("/console");
		expect(first.headers.get("cache-control")).toBe("no-cache");
		const again = await fetchPath("/console/tasks", { "if-none-match": first.headers.get("etag") ?? "" });
		expect([again.status, await again.text()]).toEqual([304, ""]);
	});

	test("may load only its own files and cannot be framed", async () => {
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

	test("references its files and has no inline script or style", async () => {
		const html = await (await fetchPath("/console")).text();
		expect(html).toMatch(/<script[^>]* src="\/console\/assets\/[^"]+\.js"/);
		expect(html).toMatch(/<link[^>]* href="\/console\/assets\/[^"]+\.css"/);
		expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=|onload=/);
	});
});

describe("its files", () => {
	test("are immutable", async () => {
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
		test(`answers 404 for other paths: ${path}`, async () => {
			expect((await fetchPath(path)).status).toBe(404);
		});
});

test("/ redirects only browsers to the console", async () => {
	const browser = await fetchPath("/", { accept: "text/html,application/xhtml+xml" });
	expect([browser.status, browser.headers.get("location")]).toEqual([302, "/console"]);
	expect((await fetchPath("/", { accept: "application/json" })).status).toBe(404);
	expect((await fetchPath("/")).status).toBe(404);
});
