import { readFileSync } from "node:fs";
import { median } from "../bench/serving";

/** One look at the server's process. Sizes are in MiB. */
export interface Sample {
	/** Minutes since the load began. */
	readonly minute: number;
	readonly residentMiB: number;
	/** Heaps and stacks: what the process has not mapped from a file. */
	readonly anonymousMiB: number;
	/** Requests answered since the load began. */
	readonly requests: number;
	/** CPU time of all threads since the load began. */
	readonly cpuSeconds: number;
}

/** Our choice: the memory of a server whose data does not grow may grow by this much. Garbage collection alone moves it by more in a minute. */
const growthPerHourMaxMiB = 10;

/** Reads the memory of a process, in MiB. */
export function memoryOf(pid: number): Pick<Sample, "residentMiB" | "anonymousMiB"> {
	const status = readFileSync(`/proc/${pid}/status`, "latin1");
	const mib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
	return { residentMiB: mib("VmRSS"), anonymousMiB: mib("RssAnon") };
}

/** Returns the slope of the least-squares line through `points`, in units of y for each unit of x. */
export function slopeOf(points: ReadonlyArray<readonly [x: number, y: number]>): number {
	const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
	const covariance = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)));
	return covariance / mean(points.map(([x]) => (x - meanX) ** 2));
}

export interface Verdict {
	readonly isFlat: boolean;
	readonly text: string;
}

/** Judges the second half of a run: the first half fills caches and compiles what the load runs. */
export function judge(samples: readonly Sample[]): Verdict {
	const half = samples.slice(Math.floor(samples.length / 2));
	const slope = slopeOf(half.map(({ minute, residentMiB }) => [minute / 60, residentMiB]));
	const isFlat = slope <= growthPerHourMaxMiB;
	const typical = median(half.map(({ residentMiB }) => residentMiB)).toFixed(0);
	const minutes = ((half.at(-1)?.minute ?? 0) - (half[0]?.minute ?? 0)).toFixed(0);
	return {
		isFlat,
		text: `${isFlat ? "flat" : "grows"}: ${slope.toFixed(1)} MiB an hour over the last ${minutes} minutes, around ${typical} MiB (at most ${growthPerHourMaxMiB} MiB an hour)`,
	};
}
