/** The longest that a turn of the event loop has taken, and meanwhile of what. */
interface Pause {
	readonly ms: number;
	readonly what: string;
}

/** Starts measuring again: other load on the machine, or code compiled for the first time, does not count. */
const suspectMs = 20;
const looksMax = 3;

/** How long what is asked holds up the event loop of this process. */
export class Pauses {
	#longest: Pause = { ms: 0, what: "" };

	get longest(): Pause {
		return this.#longest;
	}

	/** Asks, and measures the longest turn meanwhile; again where that is long, and the least of them counts. */
	async during<T>(what: string, ask: () => Promise<T>): Promise<T> {
		let { answer, ms } = await watched(ask);
		for (let looks = 1; ms > suspectMs && looks < looksMax; looks += 1) ms = Math.min(ms, (await watched(ask)).ms);
		if (ms > this.#longest.ms) this.#longest = { ms, what };
		return answer;
	}
}

/** A turn has taken what of it was work. */
async function watched<T>(ask: () => Promise<T>): Promise<{ readonly answer: T; readonly ms: number }> {
	let isOver = false;
	let longestMs = 0;
	const watch = async () => {
		for (let before = now(); !isOver; ) {
			await new Promise((resolve) => setImmediate(resolve));
			const after = now();
			longestMs = Math.max(longestMs, Math.min(after.wallMs - before.wallMs, after.cpuMs - before.cpuMs));
			before = after;
		}
	};
	const watching = watch();
	const answer = await ask();
	isOver = true;
	await watching;
	return { answer, ms: longestMs };
}

function now() {
	const { user, system } = process.cpuUsage();
	return { wallMs: performance.now(), cpuMs: (user + system) / 1000 };
}
