import { describe, expect, test } from "bun:test";
import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/app";
import { Disk } from "../../src/folder/disk";
import { freshFolder, world } from "../support/world";

/** A fresh look each time: what was seen is remembered for a second. */
const look = (folder: string, freeBytesMin = 0) => new Disk({ folder, freeBytesMin }).trouble();

/** Writes there meet a full disk. */
const fill = (folder: string) => symlinkSync("/dev/full", join(folder, ".disk-probe"));

describe("whether the data folder can be written", () => {
	test("a full disk is named with its remedy, and is well again once there is room", async () => {
		const folder = freshFolder();
		expect(await look(folder)).toBeUndefined();
		fill(folder);
		expect(await look(folder)).toMatch(/full \(ENOSPC\)\. Make room/);
		expect(await look(folder)).toBeUndefined();
	});

	test("a folder with too little free space is refused", async () => {
		expect(await look(freshFolder(), 2 ** 60)).toMatch(/full: \d+ MiB are left, and 1099511627776 MiB are needed/);
	});

	test("a missing folder is refused", async () => {
		const folder = freshFolder();
		rmSync(folder, { recursive: true });
		expect(await look(folder)).toContain("cannot be written (ENOENT)");
	});

	test("leaves nothing behind, and looks once for all who ask within a second", async () => {
		const folder = freshFolder();
		const before = readdirSync(folder);
		let nowMs = 0;
		const disk = new Disk({ folder, freeBytesMin: 0, clockMs: () => nowMs });
		expect(await disk.trouble()).toBeUndefined();
		expect(readdirSync(folder)).toEqual(before);
		fill(folder);
		nowMs = 999;
		expect(await disk.trouble()).toBeUndefined();
		nowMs = 1000;
		expect(await disk.trouble()).toContain("full");
		expect(readdirSync(folder)).toEqual(before);
	});
});

describe("GET /readyz", () => {
	const ready = async (disk: Disk) => {
		const app = createApp({ ...world().services, disk });
		await app.modules;
		const answer = await app.handle(new Request("http://localhost/readyz"));
		return { status: answer.status, body: await answer.json() };
	};

	test("tells how many events are not in the totals yet", async () => {
		const w = world();
		const app = createApp(w.services);
		await app.modules;
		const uncounted = async () => {
			const answer = await app.handle(new Request("http://localhost/readyz"));
			return (await answer.json()).uncountedEvents;
		};
		await w.call("POST", "/customers", { body: { id: "acme" } });
		expect(await uncounted()).toBe(0);
		const events = ["a", "b"].map((idempotencyKey) => ({ customerId: "acme", eventName: "call", idempotencyKey }));
		expect((await w.call("POST", "/events", { body: { events } })).status).toBe(200);
		expect(await uncounted()).toBe(2);
		w.countUsage();
		expect(await uncounted()).toBe(0);
	});

	test("is 503 on a full disk and says why", async () => {
		const folder = freshFolder();
		fill(folder);
		expect(await ready(new Disk({ folder, freeBytesMin: 0 }))).toEqual({
			status: 503,
			body: { status: "not ready", missing: ["disk"], message: expect.stringContaining("full") },
		});
		expect(await ready(new Disk({ folder, freeBytesMin: 0 }))).toEqual({
			status: 200,
			body: { status: "ready", uncountedEvents: 0 },
		});
	});
});
