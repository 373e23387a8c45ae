import { readdirSync, readFileSync, statSync } from "node:fs";

/** The system does not let this process open enough files. The command line prints the message. */
export class TooFewDescriptors extends Error {}

/** Enough descriptors for the files of every thread, and for files that are open for a moment. */
const neededMin = 128;

/**
 * Returns the number of files and connections that this process may have open. (The runtime raises its limit to the system's maximum when it
 * starts.) Infinity if the system does not report it. Throws TooFewDescriptors if the files need more.
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
 * Returns the number of open descriptors; infinity if it cannot be read. Since 6.2 Linux reports it as the size of the folder; before, the
 * size is 0. Listing sixteen thousand of them takes 50 ms of the thread that answers requests.
 */
export function descriptorsUsed(): number {
	try {
		return statSync(openFolder).size || readdirSync(openFolder).length;
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
