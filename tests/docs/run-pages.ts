import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ended, start, startServer, temporaryFolder } from "../support/process";

const program = process.env.TOLLGATE_BINARY
	? resolve(process.env.TOLLGATE_BINARY)
	: `${process.execPath} ${resolve(import.meta.dir, "../../src/main.ts")}`;

/**
 * Runs the commands of pages as they are pasted, one page after the other in one shell, in a folder where a server with
 * demo data keeps its `data`. What each page printed; a page that fails is the last one.
 */
export async function runPages(
	scripts: ReadonlyMap<string, string>,
): Promise<{ status: number; printed: ReadonlyMap<string, string> }> {
	const { folder, remove } = temporaryFolder();
	mkdirSync(join(folder, "bin"));
	writeFileSync(join(folder, "bin/tollgate"), `#!/bin/sh\nexec ${program} "$@"\n`);
	chmodSync(join(folder, "bin/tollgate"), 0o755);
	const server = await startServer(join(folder, "data"), { TOLLGATE_DEMO: "1" });
	try {
		const script = [...scripts].map(([page, commands]) => `printf '\\n== %s\\n' '${page}'\n${commands}`).join("\n");
		const ran = await ended(
			start(
				["sh", "-eu", "-c", `exec >printed 2>&1\n${script.replaceAll("http://127.0.0.1:4280", server.url)}`],
				{ PATH: `${join(folder, "bin")}:${process.env.PATH}`, HOME: folder },
				{ cwd: folder },
			),
		);
		const parts = readFileSync(join(folder, "printed"), "utf8")
			.split(/^== (.*)$/m)
			.slice(1);
		const printed = new Map(parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] ?? ""] as const] : [])));
		return { status: ran.status, printed };
	} finally {
		await server.stop();
		remove();
	}
}
