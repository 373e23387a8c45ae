import { afterAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { textOf } from "./pages";

/** Next to the tests, where the library is found. */
const file = join(import.meta.dir, "receiver.shown.ts");
const secret = `whsec_${btoa("a secret of twenty-four b")}`;

afterAll(() => rmSync(file, { force: true }));

test("docs/webhooks.md: its receiver takes what is signed, and nothing else", async () => {
	const [, shown = ""] = /```ts\n(.*?)```/s.exec(await textOf("docs/webhooks.md")) ?? [];
	expect(shown.split("\n").length).toBeLessThan(15);
	const started = shown.replace("Bun.serve(", "const shown = Bun.serve(").replace("port: 3000", "port: 0");
	writeFileSync(file, `${started}process.stdout.write(\`at \${shown.port}\\n\`);\n`);
	const receiver = Bun.spawn([process.execPath, file], {
		env: { ...process.env, WEBHOOK_SECRET: secret },
		stderr: "ignore",
	});
	try {
		const printed = receiver.stdout.pipeThrough(new TextDecoderStream()).getReader();
		const [, port] = /at (\d+)/.exec((await printed.read()).value ?? "") ?? [];
		const body = JSON.stringify({ type: "customer.created", id: "acme" });
		const send = (signature: string) =>
			fetch(`http://127.0.0.1:${port}/hook`, {
				method: "POST",
				body,
				headers: {
					"webhook-id": "one",
					"webhook-timestamp": String(Math.floor(Date.now() / 1000)),
					"webhook-signature": signature,
				},
			});
		const good = await send(new Webhook(secret).sign("one", new Date(), body));
		expect(good.status).toBe(200);
		expect((await printed.read()).value).toContain("acme");
		const bad = await send(new Webhook(`whsec_${btoa("another")}`).sign("one", new Date(), body));
		expect(bad.status).toBe(500);
	} finally {
		receiver.kill();
	}
});
