import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { templateFolder, testsFolder } from "./folders";

const sources: readonly string[] = [process.execPath, resolve(import.meta.dir, "../../src/main.ts")];

/** The command that starts the program: the executable that TOLLGATE_BINARY names, or else the sources. */
export const command: readonly string[] = process.env.TOLLGATE_BINARY
	? [resolve(process.env.TOLLGATE_BINARY)]
	: sources;

export const testKey = "server-test-key-0123456789";
export const testPublishableKey = "client-test-key-0123456789";

/**
 * The environment in which the program lets system calls fail on request; see failing-calls.ts. An executable preloads
 * nothing, so these tests start the sources.
 */
export const failing = (calls: string) => ({
	FAILING_CALLS: calls,
	BUN_OPTIONS: `--preload=${resolve(import.meta.dir, "failing-calls.ts")}`,
});

const settings = (folder: string) => ({
	TOLLGATE_PORT: "0",
	TOLLGATE_DATA_DIR: folder,
	TOLLGATE_BOOTSTRAP_API_KEY: testKey,
	TOLLGATE_BOOTSTRAP_PUBLISHABLE_KEY: testPublishableKey,
});

/** The processes that tests have started and not ended: a process by its number, a group of them by its number below zero. */
const started = new Set<number>();

/** The options of the JavaScript engine for the processes of a whole run (scripts/test.ts); none otherwise. */
const engineOptions: object = JSON.parse(process.env.TOLLGATE_TESTS_ENGINE ?? "{}");

/**
 * Every process that a test starts is started by this: whatever way the test ends, `endStarted` ends it; as a group, with
 * all that it has started in its turn.
 */
export function start(program: readonly string[], environment: object, { cwd = tmpdir(), asGroup = false } = {}) {
	const child = Bun.spawn([...program], {
		cwd,
		env: { PATH: process.env.PATH, HOME: process.env.HOME, ...engineOptions, ...environment },
		detached: asGroup,
		stdin: "ignore",
		stdout: "pipe",
		// Never the run's own: a process that is left would keep the reader of the run's output waiting for its end.
		stderr: "pipe",
	});
	started.add(asGroup ? -child.pid : child.pid);
	void child.exited.then(() => started.delete(child.pid));
	return child;
}

/** Ends what tests have left running; preload.ts calls it when a file has ended. */
export function endStarted(): void {
	for (const pid of started) {
		try {
			process.kill(pid, "SIGKILL");
		} catch {
			// It has ended in this moment.
		}
	}
	started.clear();
}

/** Shows what a process says on standard error. */
export async function showErrors(child: ReturnType<typeof start>): Promise<void> {
	for await (const chunk of child.stderr) process.stderr.write(chunk);
}

export interface Ran {
	readonly status: number;
	readonly output: string;
	readonly errors: string;
}

/** Starts the program on a folder, in a process of its own. */
export const spawnTollgate = (folder: string, args: readonly string[], environment: object = {}, program = command) =>
	start([...("FAILING_CALLS" in environment ? sources : program), ...args], { ...settings(folder), ...environment });

/** The output of a process, and how it has ended. */
export async function ended(child: ReturnType<typeof start>): Promise<Ran> {
	const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
	return { status: await child.exited, output, errors };
}

/** Runs one command of the command line to its end. */
export const runTollgate = (folder: string, args: readonly string[], environment: object = {}): Promise<Ran> =>
	ended(spawnTollgate(folder, args, environment));

export interface Reply {
	readonly status: number;
	readonly headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON that came, whatever it is.
	readonly body: any;
}

/** A running server in a process of its own. */
export interface RunningServer {
	readonly url: string;
	readonly pid: number;
	/** Returns the output so far. */
	output(): string;
	/** Closes the pipe that it prints to, as a log collector may end before it does. */
	stopReading(): Promise<void>;
	call(method: string, path: string, body?: unknown, key?: string, headers?: object): Promise<Reply>;
	/** `kill -9`: no handler runs. */
	kill(): Promise<void>;
	/** SIGTERM: drains. Answers the exit status. */
	stop(): Promise<number>;
	/** Makes the system calls fail that FAILING_CALLS names (failing-calls.ts); resolves when they do. */
	failCalls(): Promise<void>;
	/** The exit status, when it has ended by itself. */
	readonly ended: Promise<number>;
}

/**
 * Starts a server. An empty folder gets the demo data of the first server of this process that asked for them: the copy
 * takes a tenth of the time of a first start.
 */
export async function startServer(folder: string, environment: object = {}, program = command): Promise<RunningServer> {
	if ("TOLLGATE_DEMO" in environment && (!existsSync(folder) || readdirSync(folder).length === 0))
		cpSync(await demoOfServer(program), folder, { recursive: true });
	return startOn(folder, environment, program);
}

const demos = new Map<string, Promise<string>>();

/** Returns a folder in which a server has stored demo data. */
function demoOfServer(program: readonly string[]): Promise<string> {
	const known = demos.get(program.join(" "));
	if (known) return known;
	const seeded = (async () => {
		const folder = templateFolder();
		const server = await startOn(folder, { TOLLGATE_DEMO: "1" }, program);
		await eventually(hasCounted(server));
		await server.stop();
		return folder;
	})();
	demos.set(program.join(" "), seeded);
	return seeded;
}

async function startOn(folder: string, environment: object, program: readonly string[]): Promise<RunningServer> {
	const child = spawnTollgate(folder, ["serve"], environment, program);
	void showErrors(child);
	let printed = "";
	const listening = Promise.withResolvers<string>();
	const reader = child.stdout.getReader();
	void (async () => {
		const decoder = new TextDecoder();
		for (;;) {
			const { done, value } = await reader.read();
			if (done) break;
			printed += decoder.decode(value, { stream: true });
			const url = /listening on (http:\/\/[^"\s]+)/.exec(printed)?.[1];
			if (url) listening.resolve(url);
		}
		listening.reject(new Error(`The server ended before it listened:\n${printed}`));
	})();
	const url = await listening.promise;
	return {
		url,
		pid: child.pid,
		output: () => printed,
		stopReading: () => reader.cancel(),
		call: async (method, path, body, key = testKey, headers = {}) => {
			const response = await fetch(`${url}${path.startsWith("/graphql") ? path : `/api/v1${path}`}`, {
				method,
				headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
				...(body !== undefined && { body: JSON.stringify(body) }),
			});
			const text = await response.text();
			return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
		},
		kill: async () => {
			child.kill("SIGKILL");
			await child.exited;
		},
		stop: async () => {
			child.kill("SIGTERM");
			return child.exited;
		},
		failCalls: async () => {
			child.kill("SIGUSR2");
			await eventually(async () => (printed.includes("calls fail from now on") ? true : undefined));
		},
		ended: child.exited,
	};
}

/** An empty folder for one test's data, and the way to throw it away. */
export function temporaryFolder(): { readonly folder: string; remove(): void } {
	const folder = mkdtempSync(join(testsFolder, "process-"));
	return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Resolves when a request has asked the renderer of a world for a document. */
export const renderAsked = ({ woken }: { readonly woken: readonly string[] }) =>
	eventually(async () => woken.includes("renderer") || undefined);

/** Whether the totals hold every event of the log: the server is ready before they have caught up after a crash. */
export const hasCounted = (server: RunningServer) => async () => {
	const { uncountedEvents } = await (await fetch(`${server.url}/readyz`)).json();
	return uncountedEvents === 0 || undefined;
};

/** Polls until `look` finds what it waits for: on a busy machine a moment is long, and the test's own limit ends it. */
export async function eventually<T>(look: () => Promise<T | undefined>, timeoutMs = 30_000): Promise<T> {
	const end = performance.now() + timeoutMs;
	for (;;) {
		const found = await look();
		if (found !== undefined) return found;
		if (performance.now() > end) throw new Error(`Not seen within ${timeoutMs} ms.`);
		await Bun.sleep(20);
	}
}

/** Sends a request that the server accepts, and returns its data. Throws for any other answer. */
export async function ok(server: RunningServer, method: string, path: string, body?: object) {
	const answer = await server.call(method, path, body);
	if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	return answer.body.data;
}
