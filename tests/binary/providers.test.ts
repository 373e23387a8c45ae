import { afterAll, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { start, temporaryFolder } from "../support/process";

const { folder, remove } = temporaryFolder();
afterAll(remove);

const standInProgram = resolve(import.meta.dir, "../support/providers/stripe/main.ts");

/** Starts the stand-in by hand, and reads what it prints. */
async function startByHand(file: string) {
	const child = start([process.execPath, standInProgram, "--port", "0", "--seed", "7", "--file", file], {});
	let printed = "";
	for await (const chunk of child.stdout) {
		printed += new TextDecoder().decode(chunk);
		if (printed.includes("webhook secret")) break;
	}
	return {
		url: /listens on (\S+)/.exec(printed)?.[1] ?? "",
		secretKey: /secret key\s+(\S+)/.exec(printed)?.[1] ?? "",
		end: async () => {
			child.kill("SIGTERM");
			await child.exited;
		},
	};
}

test("a stand-in with a file has its objects again after its end, and gives no id twice", async () => {
	const file = join(folder, "kept.json");
	const create = async ({ url, secretKey }: { url: string; secretKey: string }) => {
		const headers = { authorization: `Bearer ${secretKey}` };
		const made = (await (await fetch(`${url}/v1/customers`, { method: "POST", headers })).json()) as { id: string };
		const listed = await fetch(`${url}/v1/customers/${made.id}`, { headers });
		expect(listed.status).toBe(200);
		return { id: made.id, headers };
	};
	const first = await startByHand(file);
	const { id } = await create(first);
	await first.end();
	const second = await startByHand(file);
	const other = await create(second);
	expect(other.id).not.toBe(id);
	expect((await fetch(`${second.url}/v1/customers/${id}`, { headers: other.headers })).status).toBe(200);
	await second.end();
}, 60_000);
