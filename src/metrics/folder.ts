import { statfs } from "node:fs/promises";
import { basename } from "node:path";
import { type Figure, figure } from "../kernel/metrics/meter";
import { type FileName, filePath } from "../kernel/storage/db";

const files = ["main", "events", "usage", "renders", "deliveries"] as const satisfies readonly FileName[];

/** Returns the sizes of the files of a data folder, and the free space of its disk. */
export async function figuresOfFolder(folder: string): Promise<Figure[]> {
	const { bavail, bsize } = await statfs(folder);
	const paths = files.map((file) => filePath(folder, file)).flatMap((path) => [path, `${path}-wal`]);
	const sizes = await Promise.all(paths.map((path) => sizeOf(path)));
	return [
		figure("tollgate_disk_free_bytes", {}, bavail * bsize),
		...paths.map((path, at) => figure("tollgate_file_bytes", { file: basename(path) }, sizes[at] ?? 0)),
	];
}

/** A write-ahead log exists only while its file is open. */
const sizeOf = async (path: string): Promise<number> => ((await Bun.file(path).exists()) ? Bun.file(path).size : 0);
