import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openLog } from "../../src/http/log";
import { Thread, type ThreadOptions } from "../../src/workers/thread";
import { eventually, temporaryFolder } from "../support/process";

const threads: Thread[] = [];
afterEach(async () => {
	for (const thread of threads.splice(0)) await thread.stop();
});

function recorder(options: Partial<ThreadOptions> = {}) {
	const { folder } = temporaryFolder();
	const answers: unknown[] = [];
	const thread = new Thread({
		name: "recorder",
		spawn: () => new Worker(new URL("./recorder.ts", import.meta.url).href),
		settings: { folder, logLevel: "silent", pdfLifetimeMs: 1, pdfBytesMax: 1 },
		log: openLog("silent"),
		onAnswer: (answer) => answers.push(answer),
		...options,
	});
	threads.push(thread);
	const file = join(folder, "record.txt");
	const record = (): string[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
	const seen = (...lines: string[]) =>
		eventually(async () => (record().join() === lines.join() ? record() : undefined));
	return { thread, answers, record, seen };
}

describe("a thread", () => {
	test("opens, looks for work at once, and looks again when it is woken", async () => {
		const { thread, seen } = recorder();
		await thread.start();
		await seen("open", "wake");
		thread.wake();
		await seen("open", "wake", "wake");
		expect(thread.isReady).toBe(true);
	});

	test("answers requests that came before it was open", async () => {
		const { thread, answers } = recorder();
		const started = thread.start();
		expect(thread.request("early")).toBe(true);
		await started;
		await eventually(async () => (answers.length === 1 ? true : undefined));
		expect(answers).toEqual(["early"]);
	});

	test("takes no request when it does not run", () => {
		expect(recorder().thread.request("nobody hears")).toBe(false);
	});

	test("is started again when it dies, and those who wait are told", async () => {
		let deaths = 0;
		const { thread, seen } = recorder({ onDeath: () => (deaths += 1) });
		await thread.start();
		await seen("open", "wake");
		thread.request("die");
		await seen("open", "wake", "open", "wake");
		expect(deaths).toBe(1);
		await thread.start();
		expect(thread.isReady).toBe(true);
	});

	test("finishes what it has begun before it stops", async () => {
		const { thread, seen, record } = recorder();
		await thread.start();
		await seen("open", "wake");
		await thread.stop();
		expect(record().at(-1)).toBe("stop");
		expect(thread.isReady).toBe(false);
	});

	test("ends when it has had nothing to do, and starts with the next work", async () => {
		const { thread, seen } = recorder({ idleMs: 1 });
		thread.wake();
		await seen("open", "wake", "stop");
		await eventually(async () => (thread.isReady ? undefined : true));
		thread.wake();
		await seen("open", "wake", "stop", "open", "wake", "stop");
	});

	test("does not lose the work that comes while it is ending", async () => {
		const { thread, record, seen } = recorder({ idleMs: 1 });
		thread.wake();
		await eventually(async () => (record().includes("wake") ? true : undefined));
		// Within the 50 ms that its stop takes.
		await Bun.sleep(20);
		thread.wake();
		await seen("open", "wake", "stop", "open", "wake", "stop");
	});

	test("that may not start yet is tried again with pauses, and is not ready meanwhile", async () => {
		let asked = 0;
		const mayStart = () => {
			asked += 1;
			return asked > 2;
		};
		const { thread, seen } = recorder({ mayStart });
		const started = thread.start();
		expect(thread.isReady).toBe(false);
		await started;
		expect(asked).toBe(3);
		await seen("open", "wake");
	});

	test("that is stopped while it waits for its next start does not start any more", async () => {
		const { thread, record } = recorder({ mayStart: () => true });
		await thread.start();
		thread.request("die");
		await eventually(async () => (thread.isReady ? undefined : true));
		await thread.stop();
		const before = record().length;
		// Four times the pause.
		await Bun.sleep(200);
		expect(record()).toHaveLength(before);
		expect(thread.isReady).toBe(false);
	});
});
