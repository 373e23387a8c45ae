import { readdirSync, readFileSync, statSync } from "node:fs";

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

const openFolder = "/proc/self/fd";

/**
 * How many are open now: all, when not even that can be looked at. Since 6.2 Linux says the number at once, as the size of
 * the folder; before, it is 0. To list sixteen thousand of them takes 50 ms of the thread that answers requests.
 */
export function descriptorsUsed(): number {
	try {
		return statSync(openFolder).size || readdirSync(openFolder).length;
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
