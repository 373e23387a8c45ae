import type { CountedFile, Epochs } from "./epochs";
import type { Database } from "./work";

/** Our choice: how soon a commit of another process is seen, such as the command line's. */
const lookEveryMs = 1;

/**
 * A file's version as this connection sees it: another number after any other connection has committed (SQLite's
 * `data_version`). To ask costs system calls, and a request asks several times. With the shared counters it is asked when
 * those have changed, and for what other processes do once a millisecond; without them once for each turn of the event loop.
 */
export function versionOf(db: Database, file: CountedFile, epochs: Epochs | undefined): () => number {
	// Prepared when first asked for: not every connection has every file attached.
	let statement: ReturnType<typeof prepare> | undefined;
	const prepare = () => db.$client.prepare<{ data_version: number }, []>(`PRAGMA ${file}.data_version`);
	const ask = (): number => {
		statement ??= prepare();
		return statement.get()?.data_version ?? 0;
	};
	return epochs ? askedWhenCounted(ask, () => epochs.of(file)) : askedOnceATurn(ask);
}

function askedWhenCounted(ask: () => number, count: () => number): () => number {
	let version = 0;
	let counted: number | undefined;
	let askedAtMs = 0;
	return () => {
		// Looked at before the version: what is counted meanwhile is asked for again.
		const now = count();
		const nowMs = performance.now();
		if (now === counted && nowMs - askedAtMs < lookEveryMs) return version;
		counted = now;
		askedAtMs = nowMs;
		version = ask();
		return version;
	};
}

function askedOnceATurn(ask: () => number): () => number {
	let version: number | undefined;
	return () => {
		if (version !== undefined) return version;
		queueMicrotask(() => {
			version = undefined;
		});
		version = ask();
		return version;
	};
}
