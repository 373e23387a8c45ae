import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openLog } from "../../src/http/log";
import { HttpRefusal } from "../../src/http/refusal";
import { fail } from "../../src/kernel/errors";
import type { Port } from "../../src/workers/links";
import { WriteScheduler, type WriteSchedulerOptions } from "../../src/workers/write-scheduler";
import { WriterClient } from "../../src/workers/writer-client";

const request = { method: "POST", path: "/", headers: {}, sender: { address: "local", isSecure: false } };
const actor = { kind: "SYSTEM", id: "system", accountId: "", environmentId: "env", scopes: "everything" } as const;

const ports: Port[] = [];
afterEach(() => {
	for (const port of ports.splice(0)) port.close();
});

/** A scheduler and a client, joined as threads are. */
function joined(options: Partial<WriteSchedulerOptions> = {}) {
	const desk = new WriteScheduler({
		answer: async ({ path }, body) => ({ status: 200, headers: [["x-path", path]], text: `${body}!` }),
		write: async () => null as never,
		committed: async () => {},
		log: openLog("silent"),
		...options,
	});
	const client = new WriterClient();
	const { port1, port2 } = new MessageChannel();
	ports.push(port1, port2);
	desk.connect(port1);
	client.link.connect(port2);
	return { desk, client };
}

describe("calls to the writer", () => {
	test("come with their bodies and go with their answers, however many there are at once", async () => {
		const { client } = joined();
		const bodies = Array.from({ length: 1000 }, (_, at) => `"${at}"\n`);
		const answers = await Promise.all(bodies.map((body) => client.answer(request, body)));
		expect(answers.map(({ text }) => text)).toEqual(bodies.map((body) => `${body}!`));
		expect(answers[0]).toMatchObject({ status: 200, headers: [["x-path", "/"]] });
	});

	test("are refused as on the writer", async () => {
		const refusing = fail("CustomerNotFound", "There is none.");
		const { client } = joined({ write: () => Promise.reject(refusing) });
		await expect(client.write(actor, "claimTask", [])).rejects.toMatchObject({
			code: "CustomerNotFound",
			message: "There is none.",
		});
	});

	test("beyond what may be under way are refused at once; nothing is lost of the others", async () => {
		const { promise: opened, resolve: open } = Promise.withResolvers<void>();
		const { client } = joined({
			answer: async () => {
				await opened;
				return { status: 200, headers: [], text: "" };
			},
		});
		const calls = Array.from({ length: 4096 }, () => client.answer(request, ""));
		await expect(client.answer(request, "")).rejects.toMatchObject({ status: 503, headers: { "Retry-After": "1" } });
		open();
		expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true);
	});

	test("share a flush also where the disk is slow", async () => {
		const groups: number[] = [];
		let group: PromiseWithResolvers<void> | undefined;
		let calls = 0;
		const flush = (ended: PromiseWithResolvers<void>): void => {
			Bun.sleepSync(15);
			groups.push(calls);
			[group, calls] = [undefined, 0];
			ended.resolve();
		};
		const { client } = joined({
			// As a group of writes: the first one has the commit follow the turn.
			write: async () => {
				const ended = group ?? Promise.withResolvers<void>();
				if (!group) setImmediate(() => flush(ended));
				group = ended;
				calls += 1;
				await ended.promise;
				return null as never;
			},
		});
		const rounds = 12;
		for (let round = 0; round < rounds; round += 1)
			await Promise.all(Array.from({ length: 32 }, () => client.write(actor, "releaseTasks", [])));
		expect(groups.reduce((sum, size) => sum + size, 0)).toBe(rounds * 32);
		// Not one flush for some few of them.
		expect(groups.length).toBeLessThan(3 * rounds);
	});

	test("report an unknown outcome when the writer dies; without a writer nothing was stored", async () => {
		const { client } = joined({ answer: () => new Promise(() => {}) });
		const lost = client.answer(request, "");
		await Bun.sleep(1);
		client.link.disconnect();
		await expect(lost).rejects.toThrow("is not known");
		const refused = client.answer(request, "");
		await expect(refused).rejects.toThrow("nothing of this call was kept");
		await expect(refused).rejects.toBeInstanceOf(HttpRefusal);
	});
});

describe("jobs on the writer", () => {
	let ended: string[];
	beforeEach(() => {
		ended = [];
	});

	test("take turns, and a call that comes waits for one step of one of them", async () => {
		const { desk, client } = joined({
			answer: async () => {
				ended.push("call");
				return { status: 200, headers: [], text: "" };
			},
		});
		const job = async (name: string) => {
			for (let step = 0; step < 50; step += 1) {
				await desk.next();
				ended.push(name);
			}
		};
		const jobs = [job("one"), job("other")];
		while (ended.length < 10) await new Promise((resolve) => setImmediate(resolve));
		const before = ended.length;
		await client.answer(request, "");
		await Promise.all(jobs);
		expect(ended.slice(0, 6)).toEqual(["one", "other", "one", "other", "one", "other"]);
		// The message itself takes some turns of the loop.
		expect(ended.indexOf("call") - before).toBeLessThan(30);
	});

	test("learn at their next turn that what they wrote was not kept", async () => {
		const { desk } = joined({ committed: () => Promise.reject(new Error("full")) });
		await expect(desk.next()).rejects.toThrow("full");
	});
});
