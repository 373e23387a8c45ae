import { checkFile } from "../../folder/check-files";
import type { ReplaceableFile } from "../../kernel/storage/damage";

declare const self: Worker;

export interface CheckOrder {
	readonly folder: string;
	readonly files: readonly ReplaceableFile[];
}

export interface Checked {
	readonly file: ReplaceableFile;
	/** Describes the damage; undefined for a sound file. */
	readonly finding: string | undefined;
}

// Reads every page of files that may be damaged. It takes seconds, so no thread that serves requests does it.
self.onmessage = ({ data: { folder, files } }: MessageEvent<CheckOrder>) => {
	const checked = files.map((file): Checked => ({ file, finding: checkFile(folder, file)[0] }));
	self.postMessage(checked);
};
