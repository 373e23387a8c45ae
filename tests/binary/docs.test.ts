import { expect, test } from "bun:test";
import { startServer, temporaryFolder } from "../support/process";

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
