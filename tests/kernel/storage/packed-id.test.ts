import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import fc from "fast-check";
import { migrations } from "../../../drizzle/main";
import { migrateFile } from "../../../src/kernel/storage/migrate";
import { packedIn, packId, unpackedIn, unpackId } from "../../../src/kernel/storage/packed-id";

const id = "01997c11-780e-7000-8000-0123456789ab";
const texts = [id, id.toUpperCase(), id.replaceAll("-", ""), "-".repeat(36), "acme", "Customer", "", `${id} `];

test("a packed id reads as it was, and any other text stays as it is", () => {
	fc.assert(fc.property(fc.oneof(fc.uuid(), fc.string()), (text) => unpackId(packId(text)) === text));
	expect(packId(id)).toHaveLength(16);
	for (const text of texts.slice(1)) expect(packId(text)).toBe(text);
	expect(() => unpackId(new Uint8Array(15))).toThrow("16 bytes");
});

test("packed ids have the order of their texts", () => {
	fc.assert(
		fc.property(fc.uuid(), fc.uuid(), (one, other) => {
			const [first, second] = [packId(one), packId(other)].map((packed) => Buffer.from(packed));
			return Math.sign(Buffer.compare(first as Buffer, second as Buffer)) === (one < other ? -1 : one > other ? 1 : 0);
		}),
	);
});

test("SQL packs and unpacks an id as the code does", () => {
	using file = new Database(":memory:");
	const db = drizzle(file);
	const [row] = db.values(
		sql`select ${packedIn(sql`${id}`)}, ${unpackedIn(sql`${packId(id)}`)}, ${unpackedIn(sql`'acme'`)}`,
	);
	expect(row).toEqual([new Uint8Array(packId(id) as Buffer), id, "acme"]);
});

test("the upgrade packs ids of the audit log's index and of events as the code does", () => {
	using file = new Database(":memory:");
	const at = migrations.findIndex(({ name }) => name.endsWith("packed-ids"));
	migrateFile(file, migrations.slice(0, at));
	for (const text of texts) {
		file.run("INSERT INTO audit_subjects (environment_id, key, entry_id, entity_type) VALUES (?, ?, ?, 'Customer')", [
			...[id, text, id],
		]);
		file.run("INSERT INTO audit_personal (entry_id, position, subject_id, salt) VALUES (?, 0, ?, NULL)", [text, id]);
		file.run(
			"INSERT INTO outbox_events (environment_id, message_id, trace_id, type, entity_id, actor_type, payload, at, recorded_at) VALUES (?, ?, ?, 'customer.created', ?, 'SYSTEM', '{}', 0, 0)",
			[id, id, id, text],
		);
	}
	file.run("DELETE FROM outbox_events WHERE position = ?", [texts.length]);
	migrateFile(file, migrations.slice(0, at + 1));
	const bytes = (text: string) => {
		const packed = packId(text);
		return typeof packed === "string" ? packed : new Uint8Array(packed);
	};
	expect(file.query("SELECT environment_id, key, entry_id FROM audit_subjects").values()).toEqual(
		expect.arrayContaining(texts.map((text) => [bytes(id), bytes(text), bytes(id)])),
	);
	expect(file.query("SELECT entry_id, position, subject_id, salt FROM audit_personal").values()).toEqual(
		expect.arrayContaining(texts.map((text) => [bytes(text), 0, bytes(id), null])),
	);
	expect(
		file.query("SELECT environment_id, message_id, trace_id, entity_id FROM outbox_events ORDER BY position").values(),
	).toEqual(texts.slice(0, -1).map((text) => [bytes(id), bytes(id), bytes(id), bytes(text)]));
	expect(file.query("SELECT seq FROM sqlite_sequence WHERE name = 'outbox_events'").values()).toEqual([[texts.length]]);
});
