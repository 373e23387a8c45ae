import { readdirSync, readFileSync } from "node:fs";

/** The system does not let this process open enough: told to the person who started it. */
export class TooFewDescriptors extends Error {}

/** Our choice: the files of the folder on every thread, and what they open for a moment. */
const neededMin = 128;

/**
 * How many files and connections this process may have open at a time. (The runtime raises its limit at its start to the most
 * that the system lets it have.) Infinity where the system does not say. Throws TooFewDescriptors below what the files need.
 */
export function descriptorsMax(): number {
	let limits: string;
	try {
		limits = readFileSync("/proc/self/limits", "utf8");
	} catch {
		return Number.POSITIVE_INFINITY;
	}
	const max = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
	if (max < neededMin)
		throw new TooFewDescriptors(
			`This process may open ${max} files and connections; let it have at least ${neededMin}, better 4096 (ulimit -n).`,
		);
	return max;
}

/** How many are open now: all, when not even that can be looked at. */
export function descriptorsUsed(): number {
	try {
		return readdirSync("/proc/self/fd").length;
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
