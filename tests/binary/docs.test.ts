import { expect, test } from "bun:test";
import { runTollgate, startServer, temporaryFolder } from "../support/process";

test("the program has all that its documentation needs inside", async () => {
	const { folder, remove } = temporaryFolder();
	const server = await startServer(folder);
	try {
		const page = await (await fetch(`${server.url}/docs`)).text();
		const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
		expect(files.length).toBeGreaterThan(3);
		for (const path of ["/openapi.json", ...files]) {
			const answer = await fetch(`${server.url}${path}`, { headers: { "accept-encoding": "gzip" } });
			expect({ path, status: answer.status, encoding: answer.headers.get("content-encoding") }).toEqual({
				path,
				status: 200,
				encoding: "gzip",
			});
			expect((await answer.text()).length).toBeGreaterThan(100);
		}
	} finally {
		await server.stop();
		remove();
	}
});

test("the document is the same whatever was called before it", async () => {
	const { folder, remove } = temporaryFolder();
	const printed = JSON.parse((await runTollgate(folder, ["openapi"])).output);
	const server = await startServer(folder);
	try {
		for (const [path, methods] of Object.entries<object>(printed.paths))
			for (const method of Object.keys(methods)) await fetch(`${server.url}${path}`, { method });
		expect(await (await fetch(`${server.url}/openapi.json`)).json()).toEqual(printed);
	} finally {
		await server.stop();
		remove();
	}
});
