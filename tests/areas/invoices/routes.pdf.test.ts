import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { createApp } from "../../../src/app";
import { cancelInvoice } from "../../../src/areas/invoices/operations";
import { markPaid } from "../../../src/areas/invoices/payments/operations";
import { documentRoutes } from "../../../src/areas/invoices/routes.pdf";
import { errors } from "../../../src/http/errors";
import { tasks } from "../../../src/tasks/table";
import { renderAsked } from "../../support/process";
import { instant } from "./samples";
import { dayMs, invoiceWorld } from "./support";

describe("GET …/pdf/status", () => {
	test("reports PENDING for an invoice that was never rendered, and never starts a render", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		for (let poll = 0; poll < 3; poll += 1)
			expect(await world.status(invoice)).toMatchObject({
				status: 200,
				body: {
					data: {
						invoiceId: invoice.id,
						externalId: "cust-1",
						status: "PENDING",
						fileName: null,
						contentType: null,
						contentBase64: null,
					},
				},
			});
		expect(world.transactions.read(world.actor, (work) => work.tx.select().from(tasks).all())).toEqual([]);
		expect(world.woken).not.toContain("renderer");
	});

	test("a key that may only read invoices may ask", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const answer = await world.call("GET", `/customers/cust-1/invoices/${invoice.id}/pdf/status`, {
			key: world.scopedKey("INVOICE:READ"),
		});
		expect(answer.status).toBe(200);
	});

	test("reads percent-encoded references, up to their last character", async () => {
		const world = invoiceWorld();
		const answer = await world.call("GET", `/customers/cust-1/invoices/${"%C3%A9".repeat(255)}/pdf/status`);
		expect(answer).toMatchObject({ status: 404, body: { code: "InvoiceNotFound" } });
		expect((await world.call("GET", `/customers/cust-1/invoices/${"%C3%A9".repeat(256)}/pdf/status`)).status).toBe(400);
	});
});

describe("POST …/pdf/generate", () => {
	test("queues one task, however many ask; the PDF is then there for both of the customer's ids", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, at) =>
				world.generate(invoice, at % 2 === 0 ? "cust-1" : world.customer.billingId),
			),
		);
		const taskIds = new Set<string>(answers.map(({ body }) => body.data.taskId));
		expect(taskIds.size).toBe(1);
		const [taskId = ""] = taskIds;
		expect(answers[0]).toMatchObject({
			status: 200,
			body: { data: { invoiceId: invoice.id, externalId: "cust-1", status: "PENDING", taskId } },
		});
		expect(answers[1]?.body.data.externalId).toBe(world.customer.billingId);
		expect(world.woken.filter((worker) => worker === "renderer")).toEqual(["renderer"]);

		await world.runRenderer();
		expect(await world.call("GET", `/tasks/${taskId}`)).toMatchObject({
			body: { data: { status: "COMPLETED", progress: 100 } },
		});
		const ready = await world.status(invoice, world.customer.billingId);
		expect(ready).toMatchObject({
			status: 200,
			body: {
				data: {
					invoiceId: invoice.id,
					externalId: world.customer.billingId,
					status: "READY",
					fileName: `${invoice.number}.pdf`,
					contentType: "application/pdf",
				},
			},
		});
		expect(Buffer.from(ready.body.data.contentBase64, "base64").subarray(0, 5).toString()).toBe("%PDF-");
		expect(await world.generate(invoice)).toMatchObject({ status: 200, body: { data: { status: "READY", taskId } } });
		expect(world.woken.filter((worker) => worker === "renderer")).toEqual(["renderer"]);
		// Nothing of it is seen, or queued, from elsewhere.
		expect((await world.status(invoice, "cust-2")).status).toBe(404);
	});

	test("a paid invoice is never served stale", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const { taskId } = (await world.generate(invoice)).body.data;
		await world.runRenderer();
		const before = (await world.status(invoice)).body.data.contentBase64;

		world.transactions.write(world.actor, (work) => markPaid(work, invoice.id, instant("2026-01-31T00:00:00Z")));
		expect((await world.status(invoice)).body.data).toMatchObject({ status: "PENDING", contentBase64: null });
		const creditOfLine = (await world.generate(invoice)).body.data;
		expect(creditOfLine.status).toBe("PENDING");
		expect(creditOfLine.taskId).not.toBe(taskId);
		await world.runRenderer();
		const after = (await world.status(invoice)).body.data.contentBase64;
		expect(after).toStartWith("JVBER");
		expect(after).not.toBe(before);
	});

	test("a change between asking and rendering is in the PDF", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		await world.generate(invoice);
		world.transactions.write(world.actor, (work) => cancelInvoice(work, invoice.id));
		await world.runRenderer();
		expect((await world.status(invoice)).body.data.status).toBe("READY");
	});

	test("after its time to live the PDF is PENDING again until somebody asks", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		await world.generate(invoice);
		await world.runRenderer();
		world.clock.at = (world.clock.at + dayMs - 1) as typeof world.clock.at;
		expect((await world.status(invoice)).body.data.status).toBe("READY");
		world.clock.at = (world.clock.at + 1) as typeof world.clock.at;
		expect((await world.status(invoice)).body.data.status).toBe("PENDING");
		expect((await world.generate(invoice)).body.data.status).toBe("PENDING");
		await world.runRenderer();
		expect((await world.status(invoice)).body.data.status).toBe("READY");
	});

	test("a render that keeps failing is abandoned, and can be requested again", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const { taskId } = (await world.generate(invoice)).body.data;
		let attempts = 0;
		for (let round = 0; round < 10; round += 1) {
			await world.runRenderer(() => {
				attempts += 1;
				throw new Error("no ink");
			});
			world.clock.at = (world.clock.at + 60_000) as typeof world.clock.at;
		}
		expect(attempts).toBe(5);
		expect((await world.call("GET", `/tasks/${taskId}`)).body.data).toMatchObject({
			status: "FAILED",
			importErrors: [{ id: taskId, error: `Internal error; the log has more, under '${taskId}'.` }],
		});
		expect((await world.status(invoice)).body.data.status).toBe("PENDING");
		const creditOfLine = (await world.generate(invoice)).body.data;
		expect(creditOfLine.taskId).not.toBe(taskId);
		await world.runRenderer();
		expect((await world.status(invoice)).body.data.status).toBe("READY");
	});
});

describe("GET …/pdf", () => {
	const file = (world: ReturnType<typeof invoiceWorld>, id: string) =>
		world.call("GET", `/customers/cust-1/invoices/${id}/pdf`, { key: world.scopedKey("INVOICE:READ") });

	test("has it made, waits, and answers the file itself", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const answers = [file(world, invoice.id), file(world, invoice.id)];
		await renderAsked(world);
		await world.runRenderer();
		for (const answer of await Promise.all(answers)) {
			expect(answer.status).toBe(200);
			expect(answer.headers.get("content-type")).toBe("application/pdf");
			expect(answer.headers.get("content-disposition")).toBe('inline; filename="INV-000001.pdf"');
			expect(answer.body).toStartWith("%PDF-");
		}
		expect(world.woken.filter((worker) => worker === "renderer")).toHaveLength(1);
		// It is there now, and asks for nothing more.
		expect((await file(world, invoice.id)).status).toBe(200);
		expect(world.transactions.read(world.actor, (work) => work.tx.select().from(tasks).all())).toHaveLength(1);
	});

	test("holds nothing while it waits: others read and write", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const answer = file(world, invoice.id);
		await renderAsked(world);
		expect(world.issue().number).toBe("INV-000002");
		expect((await world.status(invoice)).body.data.status).toBe("PENDING");
		await world.runRenderer();
		expect((await answer).status).toBe(200);
	});

	test("the bytes are those that the status tells", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		await world.generate(invoice);
		await world.runRenderer();
		const response = await createApp(world.services).handle(
			new Request(`http://localhost/api/v1/customers/cust-1/invoices/${invoice.id}/pdf`, {
				headers: { "x-api-key": world.key },
			}),
		);
		const encoded = (await world.status(invoice)).body.data.contentBase64;
		expect(Buffer.from(await response.arrayBuffer()).toString("base64")).toBe(encoded);
	});

	test("500 once its render was abandoned: the client is not sent to poll for ever", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const { taskId } = (await world.generate(invoice)).body.data;
		const answer = file(world, invoice.id);
		for (let round = 0; round < 5; round += 1) {
			await world.runRenderer(() => {
				throw new Error("no ink");
			});
			world.clock.at = (world.clock.at + 60_000) as typeof world.clock.at;
		}
		expect(await answer).toMatchObject({ status: 500, body: { code: null, message: expect.stringContaining(taskId) } });
	});

	test.each(["2038-02-01T00:00:00Z", "9999-12-31T00:00:00Z"])("is there for an invoice of %s", async (at) => {
		const world = invoiceWorld();
		world.clock.at = instant(at);
		const invoice = world.issue({ issuedAt: instant(at), dueAt: instant(at) });
		await world.generate(invoice);
		await world.runRenderer();
		expect((await world.status(invoice)).body.data).toMatchObject({ status: "READY", fileName: "INV-000001.pdf" });
	});

	test("503 with Retry-After when it is not ready in time", async () => {
		const world = invoiceWorld();
		const invoice = world.issue();
		const app = new Elysia()
			.use(errors(world.services, () => false))
			.use(documentRoutes(world.services, { waitMsMax: 50, waitersMax: 2 }));
		await app.modules;
		const response = await app.handle(
			new Request(`http://localhost/api/v1/customers/cust-1/invoices/${invoice.id}/pdf`, {
				headers: { "x-api-key": world.key },
			}),
		);
		expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
		expect(await response.json()).toEqual({ code: null, message: expect.stringContaining("INV-000001 is not ready") });
	});
});
