import { readFileSync } from "node:fs";
import { median } from "../bench/serving";

/** How long apart two samples are. */
export const sampleEveryMs = 10_000;

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

/** Our choice: the memory of a server whose data does not grow may grow by this much. */
const growthPerHourMaxMiB = 10;

/** Reads the memory of a process, in MiB. */
export function memoryOf(pid: number): Pick<Sample, "residentMiB" | "anonymousMiB"> {
	const status = readFileSync(`/proc/${pid}/status`, "latin1");
	const mib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
	return { residentMiB: mib("VmRSS"), anonymousMiB: mib("RssAnon") };
}

export interface Verdict {
	/** False where memory grows, and where the run is too short to tell. */
	readonly isFlat: boolean;
	readonly text: string;
}

/** Our choice: a window is longer than one wave of garbage collection. With fewer windows one wave decides the slope. */
const windowSamples = (5 * 60_000) / sampleEveryMs;
const windowsMin = 4;

/** The least resident memory of each window, counted from the end: what a collection leaves. */
function leastOfWindows(samples: readonly Sample[]): Sample[] {
	const windows = Math.floor(samples.length / windowSamples);
	const from = samples.length - windows * windowSamples;
	return Array.from({ length: windows }, (_, at) => {
		const begin = from + at * windowSamples;
		const window = samples.slice(begin, begin + windowSamples);
		return window.reduce((least, sample) => (sample.residentMiB < least.residentMiB ? sample : least));
	});
}

/** The median of the slopes between any two points, in MiB an hour: one point that lies apart does not move it. */
function slopeOf(points: readonly Sample[]): number {
	const slopes = points.flatMap((from, at) =>
		points.slice(at + 1).map((to) => (to.residentMiB - from.residentMiB) / ((to.minute - from.minute) / 60)),
	);
	return median(slopes);
}

/**
 * Judges the second half of a run: the first half fills caches and compiles what the load runs. Garbage collection alone moves
 * memory up and down by 30 MiB, so that the least of each window counts.
 */
export function judge(samples: readonly Sample[]): Verdict {
	const half = samples.slice(Math.floor(samples.length / 2));
	const points = leastOfWindows(half);
	if (points.length < windowsMin) {
		const neededMinutes = (2 * windowsMin * windowSamples * sampleEveryMs) / 60_000;
		return { isFlat: false, text: `too short to tell: a run needs ${neededMinutes} minutes` };
	}
	const slope = slopeOf(points);
	const isFlat = slope <= growthPerHourMaxMiB;
	const typical = median(half.map(({ residentMiB }) => residentMiB)).toFixed(0);
	const minutes = ((half.at(-1)?.minute ?? 0) - (half[0]?.minute ?? 0)).toFixed(0);
	return {
		isFlat,
		text: `${isFlat ? "flat" : "grows"}: ${slope.toFixed(1)} MiB an hour over the last ${minutes} minutes, around ${typical} MiB (at most ${growthPerHourMaxMiB} MiB an hour)`,
	};
}
