import { join } from "node:path";

export const readme = await Bun.file(join(import.meta.dir, "README.md")).text();

/** Operations of the contract that no route answers yet, as the README lists them. */
export const notBuilt: readonly string[] = [...readme.matchAll(/^- `([\w.]+)`$/gm)].map(([, id = ""]) => id);
