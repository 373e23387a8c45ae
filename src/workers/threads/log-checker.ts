import { useStorage } from "../../areas/usage/archive/operations.storage";
import { checkLog, type LogCheckAnswer, type LogCheckOrder } from "../../folder/check-log";
import { FolderError } from "../../kernel/errors";

declare const self: Worker;

// Checks the log while the main thread of `tollgate check` reads main.db.
self.onmessage = async ({ data: { settings, ...check } }: MessageEvent<LogCheckOrder>) => {
	useStorage(check.folder, settings);
	const answer = await checkLog(check).catch((error): LogCheckAnswer => {
		if (error instanceof FolderError) return { refusal: error.message };
		throw error;
	});
	self.postMessage(answer);
};
