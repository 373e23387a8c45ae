/** The files that Tollgate rebuilds when they are damaged, and how. */
export const replaceable = {
	usage: "totals are counted again from the log of events",
	renders: "PDFs are rendered again when they are requested",
} as const;

export type ReplaceableFile = keyof typeof replaceable;

export const replaceableFiles = Object.keys(replaceable) as ReplaceableFile[];

type Report = (files: readonly ReplaceableFile[]) => void;

let report: Report = () => {};

/** Sets the listener of this thread for files that may be damaged. */
export const onSuspected = (listener: Report): void => {
	report = listener;
};

/** Reports the files that a failed statement has read, by their names in the folder. Files that cannot be rebuilt are omitted. */
export function suspect(names: readonly string[]): void {
	const files = replaceableFiles.filter((file) => names.includes(`${file}.db`));
	if (files.length > 0) report(files);
}
