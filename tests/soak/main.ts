/**
 * `bun run soak [minutes]`: whether the memory of a server stays flat under a steady load, an hour by default. It prints the
 * memory of each minute and, at the end, the slope of the second half with a verdict; the exit status is 1 where it grows, where
 * the run is too short to tell, or where a request was refused. Builds the executable when there is none; TOLLGATE_BINARY names another, SOAK_RATE (1) multiplies
 * the load.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { judge, memoryOf, type Sample, sampleEveryMs } from "./memory";

const minutes = Number(process.argv[2] ?? 60);
const rate = Number(process.env.SOAK_RATE ?? 1);
if (!(minutes > 0) || !(rate > 0)) {
	console.error("How many minutes, and at which SOAK_RATE? Both are numbers above zero.");
	process.exit(2);
}
const samplesPerMinute = 60_000 / sampleEveryMs;

const root = join(import.meta.dir, "../..");
process.env.TOLLGATE_BINARY ??= join(root, "dist/tollgate");
if (!existsSync(process.env.TOLLGATE_BINARY)) await $`${process.execPath} scripts/build.ts`.cwd(root);
// Read only now: they start the program that is named here.
const { cpuMs, median, withServer } = await import("../bench/serving");
const { Load, populate } = await import("./load");

const receiver = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
const environment = { TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" };
const { samples, failed, failure } = await withServer(async (server) => {
	await populate(server, receiver.url.href);
	const load = new Load(server, rate);
	const samples: Sample[] = [];
	const begun = performance.now();
	const cpuBefore = cpuMs(server.pid);
	console.log("| Minute | Resident | Anonymous | Requests | CPU of a core |\n|---|---|---|---|---|");
	while (samples.length < minutes * samplesPerMinute) {
		await Bun.sleep(sampleEveryMs);
		const minute = (performance.now() - begun) / 60_000;
		const cpuSeconds = (cpuMs(server.pid) - cpuBefore) / 1000;
		samples.push({ minute, requests: load.requests, cpuSeconds, ...memoryOf(server.pid) });
		if (samples.length % samplesPerMinute === 0) console.log(rowOf(samples));
	}
	await load.stop();
	return { samples, failed: load.failed, failure: load.failure };
}, environment);
receiver.stop(true);

const { isFlat, text } = judge(samples);
console.log(`\n${text}`);
if (failed > 0) console.log(`${failed} requests were refused, first: ${failure}`);
process.exit(isFlat && failed === 0 ? 0 : 1);

/** The last minute: medians of its samples. */
function rowOf(samples: readonly Sample[]): string {
	const last = samples.slice(-samplesPerMinute);
	const [first, end] = [samples.at(-samplesPerMinute - 1), samples.at(-1)];
	const mib = (name: "residentMiB" | "anonymousMiB") => `${median(last.map((sample) => sample[name])).toFixed(1)} MiB`;
	const seconds = ((end?.minute ?? 0) - (first?.minute ?? 0)) * 60;
	const cpu = ((end?.cpuSeconds ?? 0) - (first?.cpuSeconds ?? 0)) / seconds;
	const cells = [
		end?.minute.toFixed(0),
		mib("residentMiB"),
		mib("anonymousMiB"),
		end?.requests,
		`${(cpu * 100).toFixed(1)} %`,
	];
	return `| ${cells.join(" | ")} |`;
}
