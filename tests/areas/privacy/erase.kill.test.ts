import { afterEach, expect, test } from "bun:test";
import { eventually, startServer, temporaryFolder } from "../../support/process";

const cleanups: Array<() => void> = [];
afterEach(() => {
	for (const clean of cleanups.splice(0)) clean();
});

test("kill -9 as soon as an erasure was answered: it is finished after the restart", async () => {
	const { folder, remove } = temporaryFolder();
	cleanups.push(remove);
	let server = await startServer(folder);
	cleanups.push(() => void server.kill());
	await server.call("POST", "/customers", { id: "a", name: "Ada", email: "ada@example.org" });
	for (let at = 0; at < 300; at += 1)
		await server.call("POST", "/customers/a/balance/entries", { amount: 1, currency: "usd", reason: `r${at}` });
	const { status, body } = await server.call("POST", "/customers/a/erase");
	expect([status, body.data.customerId]).toEqual([200, "a"]);
	await server.kill();
	server = await startServer(folder);
	const erasure = await eventually(async () => {
		const [found] = (await server.call("GET", "/customers/a/erasures")).body.data;
		return found.completedAt === null ? undefined : found;
	}, 30_000);
	expect(erasure).toMatchObject({ id: body.data.id, status: "COMPLETED", certificate: { erased: { customers: 1 } } });
	const kept = erasure.certificate.kept.find(({ table }: { table: string }) => table === "customer_balance_entries");
	expect(kept.rows).toBe(300);
	expect((await server.call("GET", "/customers/a")).body.data).toMatchObject({ email: null });
}, 60_000);
