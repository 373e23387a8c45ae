import { afterAll, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { start, startServer, temporaryFolder } from "../support/process";

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

test("the program loads the adapter at its first use and verifies an account of the stand-in", async () => {
	const standIn = await startByHand(join(folder, "stand-in.json"));
	const server = await startServer(folder, { TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" });
	const connect = (secretKey: string) =>
		server.call("POST", "/provider-connections", {
			...{ kind: "STRIPE", name: "Cards", mode: "TEST", secretKey, baseUrl: standIn.url },
		});
	const refused = await connect("sk_test_of_nobody");
	expect([refused.status, refused.body.code]).toEqual([400, "PaymentProviderError"]);
	expect(refused.body.message).not.toContain("sk_test_of_nobody");
	const made = await connect(standIn.secretKey);
	expect([made.status, made.body.data.account]).toEqual([201, "The stand-in (acct_1StandIn)"]);
	expect(server.output()).not.toContain(standIn.secretKey);
	await server.stop();
	await standIn.end();
}, 60_000);

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
