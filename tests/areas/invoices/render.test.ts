import { expect, test } from "bun:test";
import { systemActor } from "../../../src/areas/access/rules.actors";
import type { Instant } from "../../../src/kernel/clock";
import { claimTask, releaseTasks } from "../../../src/tasks/operations";
import type { FromWorker } from "../../../src/workers/messages";
import { WriteScheduler } from "../../../src/workers/write-scheduler";
import { input, manyScripts } from "./samples";
import { dayMs, invoiceWorld } from "./support";

/** The real thread on the world's folder, with a writer to ask, until it has nothing left to do. */
async function runThread({ folder, transactions, services }: ReturnType<typeof invoiceWorld>): Promise<void> {
	const worker = new Worker(new URL("../../../src/workers/threads/renderer.ts", import.meta.url).href);
	const until = (kind: FromWorker["kind"]) =>
		new Promise<void>((resolve, reject) => {
			worker.onerror = ({ message }) => reject(new Error(message));
			worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
				if (data.kind === kind) resolve();
			};
		});
	const { port1, port2 } = new MessageChannel();
	const { write, log } = services;
	new WriteScheduler({
		write,
		log,
		committed: transactions.committed,
		answer: () => Promise.reject(new Error("it draws")),
	}).connect(port1);
	const idle = until("idle");
	const settings = { folder, logLevel: "silent", pdfLifetimeMs: dayMs, pdfBytesMax: 1_000_000 };
	worker.postMessage({ kind: "start", settings });
	worker.postMessage({ kind: "link", to: "writer", port: port2 }, [port2]);
	worker.postMessage({ kind: "wake" });
	await idle;
	const stopped = until("stopped");
	worker.postMessage({ kind: "stop" });
	await stopped;
	worker.terminate();
	port1.close();
}

test("the thread renders what is queued, also what a dead thread had claimed", async () => {
	const world = invoiceWorld();
	// The thread lives by the machine's clock.
	world.clock.at = Date.now() as Instant;
	const invoices = [world.issue(), world.issue(input({ customer: manyScripts, customerId: world.customer.id }))];
	for (const invoice of invoices) await world.generate(invoice);
	const claimed = world.transactions.write(systemActor(""), (work) => claimTask(work, ["RENDER_INVOICE"]));
	expect(claimed?.status).toBe("IN_PROGRESS");
	expect(world.transactions.write(systemActor(""), (work) => releaseTasks(work, ["RENDER_INVOICE"]))).toBe(1);

	await runThread(world);
	for (const invoice of invoices) {
		const { data } = (await world.status(invoice)).body;
		expect(data).toMatchObject({ status: "READY", fileName: `${invoice.number}.pdf` });
		expect(Buffer.from(data.contentBase64, "base64").toString("latin1")).toContain("%%EOF");
	}
});
