import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openLog } from "../../src/http/log";
import { Thread, type ThreadOptions } from "../../src/workers/thread";
import { eventually, temporaryFolder } from "../support/process";
import { threadSettings } from "../support/threads";

const threads: Thread[] = [];
const ports: MessagePort[] = [];
afterEach(async () => {
	for (const thread of threads.splice(0)) await thread.stop();
	for (const port of ports.splice(0)) port.close();
});

function recorder(options: Partial<ThreadOptions> = {}) {
	const { folder } = temporaryFolder();
	const answers: unknown[] = [];
	/** Each thread that is made is called by a port of its own. */
	let calling: MessagePort | undefined;
	const connect = () => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = ({ data }) => answers.push(data);
		ports.push(port1);
		calling = port1;
		thread.tell({ kind: "connect", port: port2 });
	};
	const thread = new Thread({
		name: "recorder",
		spawn: () => new Worker(new URL("./recorder.ts", import.meta.url).href),
		settings: threadSettings(folder),
		log: openLog("silent"),
		onSpawn: connect,
		...options,
	});
	threads.push(thread);
	const file = join(folder, "record.txt");
	const record = (): string[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
	const seen = (...lines: string[]) =>
		eventually(async () => (record().join() === lines.join() ? record() : undefined));
	return { thread, answers, record, seen, call: (request: unknown) => calling?.postMessage(request) };
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

	test("has its ways to others when it looks for work first", async () => {
		const { port1, port2 } = new MessageChannel();
		ports.push(port1);
		const { thread, seen } = recorder({ onSpawn: () => void thread.tell({ kind: "link", to: "writer", port: port2 }) });
		await thread.start();
		await seen("open", "wake with a link");
	});

	test("answers requests that came before it was open", async () => {
		const { thread, answers, call } = recorder();
		const started = thread.start();
		call("early");
		await started;
		await eventually(async () => (answers.length === 1 ? true : undefined));
		expect(answers).toEqual(["early"]);
	});

	test("takes no message when it does not run", () => {
		expect(recorder().thread.tell({ kind: "wake" })).toBe(false);
	});

	test("is started again when it dies, and waiting callers are notified", async () => {
		let deaths = 0;
		const { thread, seen, call } = recorder({ onDeath: () => (deaths += 1) });
		await thread.start();
		await seen("open", "wake");
		call("die");
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

	test("does not start after its end, even if it never ran", async () => {
		for (const hasRun of [true, false]) {
			let spawned = 0;
			const { thread } = recorder({ onSpawn: () => (spawned += 1) });
			if (hasRun) await thread.start();
			const ending = thread.end();
			thread.wake();
			await ending;
			// The writer wakes the renderer with its last commits, when no writer is left that it could call.
			thread.wake();
			void thread.start();
			expect([spawned, thread.isReady]).toEqual([hasRun ? 1 : 0, false]);
		}
	});

	test("not allowed to start yet is tried again with pauses, and is not ready meanwhile", async () => {
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

	test("stopped while it waits for its next start does not start any more", async () => {
		const { thread, record, call } = recorder({ mayStart: () => true });
		await thread.start();
		call("die");
		await eventually(async () => (thread.isReady ? undefined : true));
		await thread.stop();
		const before = record().length;
		// Four times the pause.
		await Bun.sleep(200);
		expect(record()).toHaveLength(before);
		expect(thread.isReady).toBe(false);
	});
});
