import { afterEach, expect, test } from "bun:test";
import { eventually, startServer, temporaryFolder } from "../../support/process";

const cleanups: Array<() => void> = [];
afterEach(() => {
	for (const clean of cleanups.splice(0)) clean();
});

test("kill -9 as soon as an erasure was answered: it is finished after the restart", async () => {
	const { folder, remove } = temporaryFolder();
	cleanups.push(remove);
	// It answers by what it was told.
	const receiver = Bun.serve({ port: 0, fetch: async (request) => new Response(await request.text()) });
	cleanups.push(() => void receiver.stop(true));
	let server = await startServer(folder, { TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" });
	cleanups.push(() => void server.kill());
	const hook = (await server.call("POST", "/webhooks", { endpoint: `http://127.0.0.1:${receiver.port}/` })).body.data;
	/** What the receiver has answered to what it was told of the customer. */
	const answers = async () =>
		JSON.stringify((await server.call("GET", `/webhooks/${hook.id}/deliveries?limit=100`)).body.data);
	await server.call("POST", "/customers", { id: "a", name: "Ada", email: "ada@example.org" });
	await eventually(async () => ((await answers()).includes("ada@example.org") ? true : undefined), 30_000);
	for (let at = 0; at < 300; at += 1)
		await server.call("POST", "/customers/a/balance/entries", { amount: 1, currency: "usd", reason: `r${at}` });
	const { status, body } = await server.call("POST", "/customers/a/erase");
	expect([status, body.data.customerId]).toEqual([200, "a"]);
	await server.kill();
	server = await startServer(folder, { TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" });
	const erasure = await eventually(async () => {
		const [found] = (await server.call("GET", "/customers/a/erasures")).body.data;
		return found.completedAt === null ? undefined : found;
	}, 30_000);
	expect(erasure).toMatchObject({ id: body.data.id, status: "COMPLETED", certificate: { erased: { customers: 1 } } });
	expect(erasure.certificate.erased.deliveries).toBeGreaterThan(0);
	expect(await answers()).not.toContain("ada@example.org");
	const kept = erasure.certificate.kept.find(({ table }: { table: string }) => table === "customer_balance_entries");
	expect(kept.rows).toBe(300);
	expect((await server.call("GET", "/customers/a")).body.data).toMatchObject({ email: null });
}, 60_000);
