import type { Log } from "../http/log";
import type { ReplaceableFile } from "../kernel/storage/damage";
import { spawnThread } from "../threads";
import type { Checked, CheckOrder } from "./threads/checker";

/** The pause between two checks. While another file is damaged, each request suspects these files. */
const restMs = 60_000;

export interface DamageWatchOptions {
	readonly folder: string;
	readonly log: Log;
	/** Called for a damaged file: only a new start can rebuild it. */
	readonly onDamaged: (file: ReplaceableFile, finding: string) => void;
}

/** Checks a file that a thread could not read, on a thread of its own, and reports damage. */
export class DamageWatch {
	readonly #options: DamageWatchOptions;
	#checker: Worker | undefined;
	#restsUntilMs = 0;

	constructor(options: DamageWatchOptions) {
		this.#options = options;
	}

	readonly suspect = (files: readonly ReplaceableFile[]): void => {
		if (this.#checker || performance.now() < this.#restsUntilMs) return;
		const checker = spawnThread.checker();
		this.#checker = checker;
		checker.onmessage = ({ data }: MessageEvent<readonly Checked[]>) => {
			this.stop();
			for (const { file, finding } of data) if (finding !== undefined) this.#options.onDamaged(file, finding);
		};
		checker.onerror = ({ message }) => {
			this.stop();
			this.#options.log.error({ files, message }, "files that may be damaged could not be checked");
		};
		const order: CheckOrder = { folder: this.#options.folder, files };
		checker.postMessage(order);
	};

	stop(): void {
		this.#checker?.terminate();
		this.#checker = undefined;
		this.#restsUntilMs = performance.now() + restMs;
	}
}
