import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { checkAuditLog } from "../../../src/areas/audit/operations.check";
import { runErasure } from "../../../src/areas/privacy/erase";
import { erasedByItself, erasings, kept, keptUntil } from "../../../src/areas/privacy/rules.erasure";
import { leftOut } from "../../../src/areas/privacy/rules.sections";
import { type FileName, openFile } from "../../../src/kernel/storage/db";
import { unpackId } from "../../../src/kernel/storage/packed-id";
import { unpackText } from "../../../src/kernel/storage/packed-text";
import { claimTask, releaseTasks } from "../../../src/tasks/operations";
import { type World, world } from "../../support/world";
import { site } from "../entitlements/alerts/site";
import { erase, eraseElsewhere } from "./erasing";

const tables: ReadonlyArray<{ readonly name: string; readonly columns: readonly string[] }> = (
	await Promise.all([...new Bun.Glob("**/table*.ts").scanSync("src")].map((file) => import(`../../../src/${file}`)))
)
	.flatMap((module) =>
		Object.values(module).flatMap((table) => (is(table, SQLiteTable) ? [getTableConfig(table)] : [])),
	)
	.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }));

const erased = async (ours: World, id: string) => {
	const asked = await ours.call("POST", `/customers/${id}/erase`);
	expect([asked.status, asked.body.code ?? null]).toEqual([200, null]);
	await erase(ours);
	return (await ours.call("GET", `/customers/${id}/erasures`)).body.data[0];
};

describe("erased tables, kept tables, and tables that do not name a customer", () => {
	test("every table is one of the three", () => {
		const known = [...erasings, ...kept].map(({ table }) => table).concat(Object.keys(erasedByItself));
		expect(known.length).toBe(new Set(known).size);
		const names = new Set(tables.map(({ name }) => name));
		expect(known.filter((table) => !names.has(table))).toEqual([]);
		for (const { name, columns } of tables) {
			const reason = known.includes(name) ? undefined : leftOut[name];
			expect([name, known.includes(name) || reason !== undefined]).toEqual([name, true]);
			// Tables that name a customer are erased or kept; in the others, only counts and queued rows name one.
			if (!known.includes(name) && columns.some((column) => /^customer_(id|ref)$/.test(column)))
				expect([name, reason]).toEqual([name, expect.stringMatching(/^(Derived|Progress)/)]);
		}
	});

	test("each changes columns that there are", () => {
		for (const { table, set = {} } of erasings) {
			const columns = tables.find(({ name }) => name === table)?.columns;
			expect(columns).toEqual(expect.arrayContaining(Object.keys(set)));
		}
	});

	test("documents are kept for ten years after the year of their issue", () => {
		expect(new Date(keptUntil(Date.UTC(2026, 0, 1) as never)).toISOString()).toBe("2037-01-01T00:00:00.000Z");
		expect(new Date(keptUntil(Date.UTC(2026, 11, 31) as never)).toISOString()).toBe("2037-01-01T00:00:00.000Z");
	});
});

const marks = ["Zzname", "zzmail", "zzmeta", "Zzstreet", "ZZVAT", "zznote"];

/** Where one of the marks is found, by table, in all files. */
/** Tables whose long texts are compressed, or whose ids are packed. */
const packedTables: ReadonlySet<string> = new Set([
	...["audit_entries", "audit_subjects", "audit_personal", "outbox_events"],
	...["subscriptions", "invoices", "credit_notes", "invoice_lines", "credit_note_lines"],
]);

const idBytes = 16;

const textOf = (value: Uint8Array): string => (value.length === idBytes ? unpackId(value) : unpackText(value));

/** Hashes stay bytes. */
const unpacked = (row: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => [
			name,
			value instanceof Uint8Array && name !== "hash" ? textOf(value) : value,
		]),
	);

function found({ db }: Pick<World, "db">): string[] {
	const { $client } = db;
	return ["main", "events", "usage", "deliveries", "renders"].flatMap((file) =>
		$client
			.query<{ name: string }, []>(
				`SELECT name FROM ${file}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
			)
			.all()
			.filter(({ name }) => {
				const rows = $client.query<Record<string, unknown>, []>(`SELECT * FROM ${file}."${name}"`).all();
				const text = JSON.stringify(packedTables.has(name) ? rows.map(unpacked) : rows);
				return marks.some((mark) => text.includes(mark));
			})
			.map(({ name }) => name),
	);
}

/** `acme` with all that people write of a customer, its subscription ended. */
async function furnished() {
	const ours = await site();
	const { insist } = ours;
	const key = (name: string) => ({ headers: { "idempotency-key": name } });
	await ours.call("PATCH", "/customers/acme", {
		body: {
			...{ name: "Zzname", email: "zzmail@example.org", metadata: { a: "zzmeta" } },
			passthrough: { stripe: { billingAddress: { line1: "Zzstreet" }, taxIds: [{ type: "eu_vat", value: "ZZVAT" }] } },
		},
	});
	const made = await ours.call("POST", "/customers/acme/balance/entries", {
		...key("k1"),
		body: { amount: 5, currency: "usd", reason: "zznote" },
	});
	expect(made.status).toBeLessThan(300);
	await insist("POST", "/subscriptions", {
		...{ id: "second", customerId: "acme", planId: "pro", billingPeriod: "MONTHLY", metadata: { a: "zzmeta" } },
	});
	await insist("POST", "/events", {
		events: [{ eventName: "calls", customerId: "acme", idempotencyKey: "e1", dimensions: { n: 1, by: "zzmail" } }],
	});
	ours.countUsage();
	consumedAndNotified(ours);
	const again = await ours.call("POST", "/customers/acme/unarchive", key("k2"));
	expect(JSON.stringify(again.body)).toContain("zzmail");
	return ours;
}

/** A PDF of an invoice, and what a receiver has answered to an event, as their threads write them. */
function consumedAndNotified({ db, folder }: Pick<World, "db" | "folder">): void {
	const one = <Row>(sql: string) => db.$client.query<Row, []>(sql).get();
	const invoice = one<{ id: string; environment_id: string; revision: number }>("SELECT * FROM invoices");
	const event = one<{ position: number; environment_id: string; message_id: string }>(
		"SELECT * FROM outbox_events WHERE customer_ref = 'acme'",
	);
	const insert = (file: FileName, table: string, row: Record<string, string | number | null>) => {
		const { $client } = openFile(folder, file);
		const places = Object.keys(row).map(() => "?");
		$client.run(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${places})`, Object.values(row));
		$client.close();
	};
	insert("renders", "invoice_renders", {
		...{ environment_id: invoice?.environment_id ?? "", invoice_id: invoice?.id ?? "", revision: 1, task_id: "t" },
		...{ size_bytes: 6, rendered_at: 0, expires_at: Date.UTC(2100, 0, 1), bytes: "Zzname" },
	});
	insert("deliveries", "deliveries", {
		...{ id: "d", environment_id: invoice?.environment_id ?? "", webhook_id: "w", position: event?.position ?? 0 },
		...{ message_id: event?.message_id ?? "", type: "customer.updated", status: "DELIVERED", next_attempt_at: null },
		...{
			created_at: 0,
			attempts: JSON.stringify([{ at: 0, durationMs: 1, status: 200, body: "zzmail", error: null }]),
		},
	});
}

async function ended(ours: Awaited<ReturnType<typeof furnished>>) {
	const { body } = await ours.call("GET", "/subscriptions?customerId=acme");
	for (const { id, status } of body.data)
		if (status === "ACTIVE")
			await ours.insist("POST", `/subscriptions/${id}/cancel`, { cancellationTime: "IMMEDIATE" });
}

describe("an erasure", () => {
	test("leaves what is personal only where it says that it is kept; later it finishes", async () => {
		const ours = await furnished();
		const refused = await ours.call("POST", "/customers/acme/erase");
		expect([refused.status, refused.body.code]).toEqual([400, "CannotDeleteCustomerError"]);
		expect(refused.body.message).toContain("cancel it");
		await ended(ours);
		const before = found(ours);
		expect(before).toEqual(expect.arrayContaining(["customers", "invoices", "outbox_events", "idempotency_keys"]));
		expect(before).toEqual(expect.arrayContaining(["deliveries", "invoice_renders"]));

		const preview = (await ours.call("POST", "/customers/acme/erase?dryRun=true")).body.data;
		expect(preview.erases).toMatchObject({ customers: 1 });
		expect(found(ours)).toEqual(before);
		expect((await ours.call("GET", "/customers/acme/erasures")).body.data).toEqual([]);

		const invoices = ours.db.$client.query(
			"SELECT customer, notes, revision FROM invoices WHERE customer_id = (SELECT id FROM customers WHERE ref_id = 'acme')",
		);
		const issued = invoices.all();
		const { certificate, sha256, status } = await erased(ours, "acme");
		expect(status).toBe("COMPLETED");
		expect(createHash("sha256").update(JSON.stringify(certificate)).digest("hex")).toBe(sha256);
		for (const [table, rows] of Object.entries(preview.erases))
			if (rows !== null) expect([table, certificate.erased[table] >= Number(rows)]).toEqual([table, true]);
		expect(certificate.erased).toMatchObject({
			idempotency_keys: expect.any(Number),
			audit_personal: expect.any(Number),
			...{ deliveries: 1, invoice_renders: 1, event_blocks: 1 },
		});
		const said = certificate.kept.map(({ table }: { table: string }) => table);
		expect(found(ours).filter((table) => !said.includes(table))).toEqual([]);
		expect(found(ours)).toEqual(expect.arrayContaining(["invoices", "customer_balance_entries"]));
		for (const table of [
			"customers",
			"subscriptions",
			"outbox_events",
			"idempotency_keys",
			"audit_entries",
			"deliveries",
			"event_blocks",
		])
			expect(found(ours)).not.toContain(table);
		expect(found(ours)).not.toContain("audit_personal");
		expect(invoices.all()).toEqual(issued);
		expect(certificate.kept).toContainEqual(
			expect.objectContaining({ table: "invoices", until: "2037-01-01T00:00:00.000Z", rows: issued.length }),
		);
		const shown = (await ours.call("GET", "/customers/acme")).body.data;
		expect(shown).toMatchObject({ name: certificate.token, email: null, metadata: {} });
		expect(ours.transactions.read(systemActor(""), checkAuditLog)).toEqual([]);

		// Nothing new: nothing to do.
		expect((await erased(ours, "acme")).certificate.erased).toEqual({});
		// The same documents in the first year of which the legal time is not over, and in the last of which it is.
		const dated = (year: number) => {
			const at = Date.UTC(year, 11, 31);
			ours.db.$client.run("UPDATE invoices SET issued_at = ?", [at]);
			ours.db.$client.run("UPDATE credit_notes SET created_at = ?", [at]);
			ours.db.$client.run("UPDATE customer_balance_entries SET created_at = ?", [at]);
		};
		dated(2016);
		expect((await erased(ours, "acme")).certificate.erased).toEqual({});
		dated(2015);
		const last = (await erased(ours, "acme")).certificate;
		expect(last.erased).toMatchObject({ invoices: issued.length, customer_balance_entries: 1 });
		expect(last.kept.map(({ table }: { table: string }) => table)).not.toContain("invoices");
		expect(found(ours)).toEqual([]);
		expect(ours.transactions.read(systemActor(""), checkAuditLog)).toEqual([]);
	}, 60_000);

	test("waits for nobody twice: while it runs it is the same", async () => {
		const ours = world();
		await ours.call("POST", "/customers", { body: { id: "a", name: "Zzname" } });
		const first = (await ours.call("POST", "/customers/a/erase")).body.data;
		expect(first).toMatchObject({ status: "PENDING", certificate: null, completedAt: null });
		expect((await ours.call("POST", "/customers/a/erase")).body.data.id).toBe(first.id);
		const task = (await ours.call("GET", `/tasks/${first.taskId}`)).body.data;
		expect(task).toMatchObject({ taskType: "ERASE_CUSTOMER", progress: 0 });
		await erase(ours);
		expect((await ours.call("POST", "/customers/a/erase")).body.data.id).not.toBe(first.id);
	});

	test("goes on where it was stopped, between any two steps", async () => {
		const ours = world();
		await ours.call("POST", "/customers", { body: { id: "a", name: "Zzname", email: "zzmail@example.org" } });
		await ours.call("POST", "/customers/a/erase");
		let steps = 0;
		for (;;) {
			// As after a death: what was claimed is put back.
			const task = ours.transactions.write(systemActor(""), (work) => {
				releaseTasks(work, ["ERASE_CUSTOMER"]);
				return claimTask(work, ["ERASE_CUSTOMER"]);
			});
			if (!task) break;
			let asked = 0;
			const isStopping = () => {
				asked += 1;
				return asked > 1;
			};
			await runErasure({ ...ours.thread, isStopping }, task);
			await eraseElsewhere(ours);
			steps += 1;
		}
		expect(steps).toBeGreaterThan(erasings.length);
		expect(found(ours)).toEqual([]);
		const [{ certificate }] = (await ours.call("GET", "/customers/a/erasures")).body.data;
		expect(certificate.erased).toMatchObject({ customers: 1 });
	});

	test("bad input and others' keys", async () => {
		const ours = world();
		await ours.call("POST", "/customers", { body: { id: "a" } });
		const status = async (path: string, more: object = {}) => (await ours.call("POST", path, more)).status;
		expect(await status("/customers/nobody/erase")).toBe(404);
		expect(await status("/customers/a/erase", { key: ours.foreignKey })).toBe(404);
		expect(await status("/customers/a/erase", { key: ours.scopedKey("CUSTOMER:READ") })).toBe(403);
		expect(await status("/customers/a/erase?dryRun=yes")).toBe(400);
		expect(await status("/customers/a/erase", { body: { dryRun: true } })).toBe(400);
	});
});
