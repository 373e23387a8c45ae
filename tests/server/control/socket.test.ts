import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openLog } from "../../../src/http/log";
import { SharedLogLevel } from "../../../src/http/log-level";
import { controlPathOf } from "../../../src/server/control/address";
import { openControl } from "../../../src/server/control/socket";
import type { Inspected } from "../../../src/workers/inspection";
import { eventually, type RunningServer, runTollgate, startServer, temporaryFolder } from "../../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

describe("commands that control a running server", () => {
	const folder = join(parent, "data");
	const files = join(parent, "files");
	let server: RunningServer;

	beforeAll(async () => {
		mkdirSync(files);
		server = await startServer(folder, { TOLLGATE_HTTP_THREADS: "2" });
	});
	afterAll(() => server.kill());

	test("only the owner of the folder may open the socket", () => {
		expect(statSync(controlPathOf(folder)).mode & 0o777).toBe(0o600);
	});

	test("a change of the log level has its effect on every thread, and ends", async () => {
		const check = () => server.call("GET", "/customers/nobody/entitlements");
		const answered = () => server.output().split('"answered"').length - 1;
		await server.call("POST", "/customers", { id: "acme" });
		const quick = () => server.call("GET", "/customers/acme/entitlements");
		await quick();
		expect(answered()).toBe(0);
		expect(await runTollgate(folder, ["log-level", "debug"])).toMatchObject({
			status: 0,
			output: "debug; before: info\n",
		});
		// Both threads have cached the answer by then, or will not.
		for (let times = 0; times < 8; times += 1) await quick();
		await eventually(async () => answered() === 8 || undefined);
		expect((await runTollgate(folder, ["log-level"])).output).toBe("debug\n");
		await runTollgate(folder, ["log-level", "error"]);
		await check();
		await quick();
		expect(answered()).toBe(8);
	});

	test("a profile has a file for each thread, in the format of Chrome", async () => {
		const running = runTollgate(folder, ["profile", "--seconds", "1", "--to", files]);
		const until = performance.now() + 900;
		while (performance.now() < until) await server.call("GET", "/customers");
		const { status, output } = await running;
		expect(status).toBe(0);
		const threads = ["main", "http-2", "writer", "ingester", "aggregator"];
		const names = readdirSync(files).toSorted();
		expect(names.map((name) => /Z-(.*)\.cpuprofile$/.exec(name)?.[1])).toEqual(threads.toSorted());
		for (const name of names) {
			expect(output).toContain(name);
			const profile = JSON.parse(readFileSync(join(files, name), "utf8"));
			expect(profile).toMatchObject({
				nodes: expect.any(Array),
				samples: expect.any(Array),
				timeDeltas: expect.any(Array),
			});
			expect(profile.endTime).toBeGreaterThanOrEqual(profile.startTime);
			expect(statSync(join(files, name)).mode & 0o777).toBe(0o600);
		}
	});

	test("the memory of each thread, and every object of one", async () => {
		const { output } = await runTollgate(folder, ["heap"]);
		expect(output.trim().split("\n")).toHaveLength(5);
		expect(output).toMatch(/^writer +\d+\.\d MiB of \d+\.\d MiB in use, \d+ objects: \d+ \w+/m);
		const { output: path } = await runTollgate(folder, ["heap", "--snapshot", "--thread", "ingester", "--to", files]);
		expect(JSON.parse(readFileSync(path.trim(), "utf8"))).toMatchObject({ snapshot: { meta: expect.anything() } });
	});

	test.each([
		[["log-level", "loud"], 2, "Allowed choices are trace, debug"],
		[["profile", "--seconds", "0"], 2, "from 1 to 60"],
		[["profile", "--seconds", "61"], 2, "from 1 to 60"],
		[
			["profile", "--thread", "nobody"],
			1,
			"No thread 'nobody' runs: choose one of main, writer, ingester, aggregator, http-2",
		],
		[["profile", "--to", join(parent, "missing")], 1, "does not exist"],
		[["heap", "--snapshot"], 2, "--snapshot needs --thread"],
	] as const)("%j is refused", async (args, status, message) => {
		const ran = await runTollgate(folder, args);
		expect(ran.status).toBe(status);
		expect(ran.errors).toContain(message);
	});

	test("the socket of a killed server controls nothing, and the next start replaces it", async () => {
		await server.kill();
		expect(existsSync(controlPathOf(folder))).toBe(true);
		const ran = await runTollgate(folder, ["heap"]);
		expect(ran).toMatchObject({ status: 1, errors: expect.stringContaining("No server runs on the data folder") });
		server = await startServer(folder);
		expect((await runTollgate(folder, ["log-level"])).output).toBe("info\n");
		await server.stop();
		expect(existsSync(controlPathOf(folder))).toBe(false);
		expect((await runTollgate(folder, ["profile"])).errors).toContain("No server runs on the data folder");
	});
});

describe("the control socket", () => {
	/** Opens a socket, with one thread that answers when the test lets it. */
	function opened(folder: string) {
		mkdirSync(folder, { recursive: true });
		const answered = Promise.withResolvers<Inspected | undefined>();
		const threads = new Map([["slow", { isReady: true, inspect: () => answered.promise }]]);
		const close = openControl({ folder, log: openLog("silent"), logLevel: new SharedLogLevel("info"), threads });
		const call = async (method: string, path: string) => {
			const answer = await fetch(`http://tollgate${path}`, { method, unix: controlPathOf(folder) });
			return { status: answer.status, body: await answer.text() };
		};
		return { call, close, answered };
	}

	test("a thread looks at itself for one command at a time, and may end meanwhile", async () => {
		const { call, close, answered } = opened(join(parent, "busy"));
		const first = call("POST", "/profile?seconds=1&thread=slow");
		await Bun.sleep(20);
		expect(await call("GET", "/heap?thread=slow")).toMatchObject({
			status: 409,
			body: expect.stringContaining("wait"),
		});
		answered.resolve(undefined);
		expect(await first).toMatchObject({ status: 409, body: expect.stringContaining("has ended meanwhile") });
		expect((await call("GET", "/heap?thread=main")).status).toBe(200);
		await close();
	});

	test.each([
		["POST", "/profile?seconds=1e9", 400],
		["POST", "/profile?seconds=NaN", 400],
		["POST", "/log-level?level=loud", 400],
		["POST", "/log-level", 400],
		["POST", "/snapshot", 400],
		["DELETE", "/heap", 404],
		["GET", "/anything", 404],
	] as const)("refuses %s %s", async (method, path, status) => {
		const { call, close } = opened(join(parent, "refusing"));
		expect(await call(method, path)).toMatchObject({ status, body: expect.stringContaining("message") });
		await close();
	});

	test("the path of the folder may be longer than that of a socket", async () => {
		const folder = join(parent, "long".repeat(30));
		const { close } = opened(folder);
		const { run } = await import("../../../src/cli/commands");
		const lines: string[] = [];
		const out = { write: (text: string) => lines.push(text) };
		expect(await run(["log-level", "warn"], { TOLLGATE_DATA_DIR: folder }, { stdout: out, stderr: out })).toBe(0);
		expect(lines).toEqual(["warn; before: info\n"]);
		await close();
	});
});
