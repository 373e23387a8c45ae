import { statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { logLevels } from "../http/log-level";
import { codeOf } from "../kernel/errors";
import { fileMode } from "../kernel/storage/disk";
import { controlAddressOf, controlPathOf } from "../server/control/address";
import type { CpuProfile, HeapFigures } from "../workers/inspection";
import type { CliContext } from "./context";
import { CannotReach } from "./explain";

export function logLevelCommand({ config, print }: CliContext): Command {
	return new Command("log-level")
		.description("Show or change the log level of the running server, until it ends.")
		.addArgument(new Argument("[level]", "the new level").choices(logLevels))
		.action(async (level?: string) => {
			const { dataDir } = config();
			if (level === undefined) return print((await read<{ level: string }>(dataDir, "GET", "/log-level")).level);
			const changed = await read<{ before: string }>(dataDir, "POST", `/log-level?level=${level}`);
			print(changed.before === level ? `${level}, as before` : `${level}; before: ${changed.before}`);
		});
}

const threadOption = new Option("--thread <name>", "one thread, such as main or writer");
const folderOption = new Option("--to <folder>", "where the files go").default(".");

export function profileCommand({ config, print }: CliContext): Command {
	return new Command("profile")
		.description("Record what the threads of the running server compute, as files for Chrome's developer tools.")
		.option("--seconds <number>", "how long", secondsOf, 10)
		.addOption(threadOption)
		.addOption(folderOption)
		.action(async ({ seconds, thread, to }: { seconds: number; thread?: string; to: string }) => {
			const { dataDir } = config();
			assertFolder(to);
			const path = `/profile?${new URLSearchParams({ seconds: String(seconds), ...(thread !== undefined && { thread }) })}`;
			const { threads } = await read<{ threads: Array<{ thread: string; profile: CpuProfile }> }>(
				dataDir,
				"POST",
				path,
			);
			for (const { thread: name, profile } of threads) {
				const file = save(to, `${name}.cpuprofile`, JSON.stringify(profile));
				print(`${file}  ${busiestOf(profile)}`);
			}
		});
}

export function heapCommand({ config, print }: CliContext): Command {
	return new Command("heap")
		.description("Show the memory of the threads of the running server; with --snapshot, save every object of one.")
		.addOption(threadOption)
		.option("--snapshot", "write a heap snapshot for Chrome's developer tools; the thread stops meanwhile")
		.addOption(folderOption)
		.action(async ({ thread, snapshot, to }: { thread?: string; snapshot?: true; to: string }) => {
			const { dataDir } = config();
			const given = thread === undefined ? "" : `?${new URLSearchParams({ thread })}`;
			if (snapshot) {
				if (thread === undefined)
					throw new InvalidArgumentError("--snapshot needs --thread: the snapshot stops the thread.");
				assertFolder(to);
				const answer = await call(dataDir, "POST", `/snapshot${given}`);
				return print(save(to, `${thread}.heapsnapshot`, new Uint8Array(await answer.arrayBuffer())));
			}
			const { threads } = await read<{ threads: Array<{ thread: string } & HeapFigures> }>(
				dataDir,
				"GET",
				`/heap${given}`,
			);
			for (const { thread: name, usedBytes, capacityBytes, objects, types } of threads)
				print(
					`${name.padEnd(12)} ${mebibytes(usedBytes)} of ${mebibytes(capacityBytes)} in use, ${objects} objects: ${types
						.slice(0, 5)
						.map(([type, count]) => `${count} ${type}`)
						.join(", ")}`,
				);
		});
}

function secondsOf(text: string): number {
	const seconds = Number(text);
	if (!(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60))
		throw new InvalidArgumentError("Give whole seconds, from 1 to 60.");
	return seconds;
}

/** Refuses before the server works for nothing. The system's error is explained for the path. */
function assertFolder(path: string): void {
	if (!statSync(path).isDirectory()) throw new InvalidArgumentError(`'${path}' is a file: --to takes a folder.`);
}

/** Writes a file with the time in its name, for its owner only: it has texts of customers. Returns its path. */
function save(folder: string, name: string, content: string | Uint8Array): string {
	const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
	const path = join(folder, `tollgate-${time}-${name}`);
	writeFileSync(path, content, { mode: fileMode });
	return path;
}

/** Returns the functions in which most samples were taken, with their files: names are short in the executable. */
function busiestOf({ nodes, samples = [] }: CpuProfile): string {
	const counts = new Map<string, number>();
	for (const { callFrame, hitCount = 0 } of nodes)
		if (hitCount > 0 && callFrame.functionName !== "(root)") {
			const { functionName, url, lineNumber } = callFrame;
			const place = url === "" ? "" : ` ${url.split("/").at(-1)}:${lineNumber + 1}`;
			const name = `${functionName || "(anonymous)"}${place}`;
			counts.set(name, (counts.get(name) ?? 0) + hitCount);
		}
	const busiest = [...counts].toSorted(([, some], [, others]) => others - some).slice(0, 3);
	if (busiest.length === 0) return "idle";
	return `${samples.length} samples, most in ${busiest.map(([name, count]) => `${name} (${count})`).join(", ")}`;
}

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

const read = async <Answer>(folder: string, method: string, path: string): Promise<Answer> =>
	(await call(folder, method, path)).json() as Promise<Answer>;

/** Calls the server that runs on the data folder. Throws CannotReach with its message, or with the reason why none answers. */
async function call(folder: string, method: string, path: string): Promise<Response> {
	const none = `No server runs on the data folder '${resolve(folder)}': start it, or set TOLLGATE_DATA_DIR to its folder.`;
	let address: ReturnType<typeof controlAddressOf>;
	try {
		if (!statSync(folder).isDirectory()) throw new CannotReach(`The data folder '${folder}' is a file.`);
		assertOwn(controlPathOf(folder));
		address = controlAddressOf(folder);
	} catch (error) {
		switch (codeOf(error)) {
			case "ENOENT":
				throw new CannotReach(none);
			case "EACCES":
			case "EPERM":
				throw new CannotReach(notOwner(folder));
			default:
				throw error;
		}
	}
	try {
		const answer = await fetch(`http://tollgate${path}`, {
			method,
			unix: address.path,
			signal: AbortSignal.timeout(300_000),
		}).catch(() => {
			throw new CannotReach(none);
		});
		if (answer.ok) return answer;
		const { message } = (await answer.json()) as { message: string };
		throw new CannotReach(message);
	} finally {
		address.release();
	}
}

/** Refuses another user than the owner of the socket and the machine's administrator. The system would refuse too. */
function assertOwn(path: string): void {
	const { uid } = statSync(path);
	const own = process.getuid?.();
	if (own !== undefined && own !== 0 && own !== uid) throw new CannotReach(notOwner(path));
}

const notOwner = (path: string): string =>
	`Only the owner of the data folder may control its server: run this as the user of the server. ('${path}' belongs to another user.)`;
