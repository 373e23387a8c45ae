import { expect, test } from "bun:test";
import { evictRenders, findRender, insertRender } from "../../../src/areas/invoices/store.renders";
import { invoiceRenders } from "../../../src/areas/invoices/table.renders";
import { dayMs, invoiceWorld } from "./support";

const kept = (world: ReturnType<typeof invoiceWorld>): string[] =>
	world.renders.read(world.actor, (work) =>
		work.tx
			.select()
			.from(invoiceRenders)
			.orderBy(invoiceRenders.sequence)
			.all()
			.map(({ taskId }) => taskId),
	);

function keep(world: ReturnType<typeof invoiceWorld>, taskId: string, sizeBytes: number, actor = world.actor) {
	world.renders.write(actor, (work) => {
		insertRender(
			work,
			{ invoiceId: taskId, revision: 1, taskId, bytes: Buffer.alloc(sizeBytes) },
			world.context.limits,
		);
		evictRenders(work, world.context.limits);
	});
}

test("the oldest PDFs go first once all together are too large, over all environments", () => {
	const world = invoiceWorld({ keptMs: dayMs, bytesMax: 1000 });
	keep(world, "a", 400);
	keep(world, "b", 300, world.foreignActor);
	keep(world, "c", 300);
	expect(kept(world)).toEqual(["a", "b", "c"]);
	keep(world, "d", 1);
	expect(kept(world)).toEqual(["b", "c", "d"]);
	keep(world, "e", 700);
	expect(kept(world)).toEqual(["d", "e"]);
});

test("the newest PDF stays even when it is too large by itself", () => {
	const world = invoiceWorld({ keptMs: dayMs, bytesMax: 1000 });
	keep(world, "a", 10);
	keep(world, "b", 5000);
	expect(kept(world)).toEqual(["b"]);
});

test("expired renders are removed with the next render of their environment", () => {
	const world = invoiceWorld();
	keep(world, "a", 10);
	keep(world, "b", 10, world.foreignActor);
	world.clock.at = (world.clock.at + dayMs + 1) as typeof world.clock.at;
	keep(world, "c", 10);
	expect(kept(world)).toEqual(["b", "c"]);
});

test("an evicted PDF is PENDING until it is asked for again", async () => {
	const world = invoiceWorld({ keptMs: dayMs, bytesMax: 1 });
	const [first, second] = [world.issue(), world.issue()];
	await world.generate(first);
	await world.generate(second);
	await world.runRenderer();
	expect((await world.status(first)).body.data.status).toBe("PENDING");
	expect((await world.status(second)).body.data.status).toBe("READY");
	await world.generate(first);
	await world.runRenderer();
	expect((await world.status(first)).body.data.status).toBe("READY");
});

test("a render replaces the PDF of an earlier revision", async () => {
	const world = invoiceWorld();
	const invoice = world.issue();
	await world.generate(invoice);
	await world.runRenderer();
	world.db.$client.run("UPDATE invoices SET revision = 2");
	await world.generate(invoice);
	await world.runRenderer();
	expect(kept(world)).toHaveLength(1);
	world.transactions.read(world.actor, (work) => {
		expect(findRender(work, { ...invoice, revision: 1 })).toBeUndefined();
		expect(findRender(work, { ...invoice, revision: 2 })?.sizeBytes).toBeGreaterThan(1000);
	});
});

test("a task that is run twice, as after a crash, renders once", async () => {
	const world = invoiceWorld();
	const invoice = world.issue();
	const { taskId } = (await world.generate(invoice)).body.data;
	await world.runRenderer();
	const sequence = () => world.db.$client.query("SELECT sequence FROM invoice_renders").values();
	const before = sequence();
	// Killed after the PDF was kept and before the task was ended: at the next start the task is put back.
	world.db.$client.run("UPDATE tasks SET status = 'PENDING', ended_at = NULL");
	await world.runRenderer();
	expect(sequence()).toEqual(before);
	expect((await world.call("GET", `/tasks/${taskId}`)).body.data.status).toBe("COMPLETED");
	expect((await world.generate(invoice)).body.data).toMatchObject({ status: "READY", taskId });
});
