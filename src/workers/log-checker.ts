import { useStorage } from "../areas/usage/archive/operations.storage";
import { type LogCheckAnswer, type LogCheckOrder, type RunningLogCheck, startLogCheck } from "../folder/check-log";
import { FolderError } from "../kernel/errors";

declare const self: Worker;

// Checks the log and its files while the main thread of `tollgate check` reads main.db.
self.onmessage = async ({ data: { settings, ...check } }: MessageEvent<LogCheckOrder>) => {
	useStorage(check.folder, settings);
	const running = startLogCheck(check);
	await answer(running, "files");
	await answer(running, "log");
};

async function answer(running: RunningLogCheck, part: keyof RunningLogCheck): Promise<void> {
	const message = await running[part].then(
		(result): LogCheckAnswer => ({ part, result }),
		(error): LogCheckAnswer => {
			if (error instanceof FolderError) return { refusal: error.message };
			throw error;
		},
	);
	self.postMessage(message);
}
