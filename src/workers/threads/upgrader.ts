import { schemas } from "../../files";
import { copyBeforeUpgrade } from "../../folder/upgrade-copy";
import { codeOf, FolderError } from "../../kernel/errors";
import { prepareFiles } from "../../kernel/storage/db";
import type { Upgrade } from "../../kernel/storage/migrate";

declare const self: Worker;

export interface UpgradeOrder {
	readonly folder: string;
	/** Whether to copy the folder first. */
	readonly hasCopy: boolean;
}

/** The copy of a file, or the upgrade of its schema, begins, continues, or has ended after `tookMs`. */
export type UpgradeStep =
	| { readonly kind: "copy"; readonly file: string; readonly bytes: number; readonly tookMs?: number }
	| ({ readonly kind: "upgrade"; readonly file: string } & Upgrade);

export type UpgradeAnswer =
	| UpgradeStep
	| { readonly kind: "done" }
	/** The error's parts: its class and its code would be lost between threads. */
	| { readonly kind: "failed"; readonly message: string; readonly code: string; readonly isRefusal: boolean };

const tell = (answer: UpgradeAnswer): void => self.postMessage(answer);

// Upgrades an older folder, so that the main thread can answer probes meanwhile.
self.onmessage = async ({ data: { folder, hasCopy } }: MessageEvent<UpgradeOrder>) => {
	try {
		if (hasCopy) await copyBeforeUpgrade({ folder, onCopy: (file, copied) => tell({ kind: "copy", file, ...copied }) });
		prepareFiles(folder, schemas, (file, upgrade) => tell({ kind: "upgrade", file, ...upgrade }));
		tell({ kind: "done" });
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		tell({ kind: "failed", message, code: codeOf(error), isRefusal: error instanceof FolderError });
	}
};
