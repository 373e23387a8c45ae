import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTollgate, startServer, temporaryFolder } from "../support/process";
import { spawned } from "../support/spawned";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);
let count = 0;
const fresh = () => join(parent, String(++count));

describe("a start that fails", () => {
	test("on a port that is taken ends by itself, says so, and holds the folder no more", async () => {
		const first = await startServer(fresh());
		try {
			const folder = fresh();
			const port = new URL(first.url).port;
			const failed = await runTollgate(folder, ["serve"], { TOLLGATE_PORT: port });
			expect(failed.status).toBe(1);
			expect(failed.errors).toBe(
				`tollgate: Cannot listen on 127.0.0.1:${port} (EADDRINUSE): another process uses it: stop that one, or set TOLLGATE_PORT (0 picks a free one).\n`,
			);
			// Nothing was made but the lock: keys of a start that failed would have been shown to nobody.
			expect(readdirSync(folder)).toEqual(["lock.db"]);
			// And that is held no more.
			const second = await startServer(folder);
			expect((await second.call("GET", "/products")).status).toBe(200);
			expect(await second.stop()).toBe(0);
		} finally {
			await first.stop();
		}
	});

	test.each(["203.0.113.1", "nowhere.invalid"])("on the address %p, which the machine has not", async (host) => {
		const failed = await runTollgate(fresh(), ["serve"], { TOLLGATE_HOST: host });
		expect(failed.status).toBe(1);
		expect(failed.errors).toMatch(/^tollgate: Cannot listen on .*: set TOLLGATE_HOST to .*\n$/);
	});
});

describe("settings", () => {
	test("a misspelt one stops the start, before anything is made", async () => {
		const folder = fresh();
		const failed = await runTollgate(folder, ["serve"], { TOLLGATE_PROT: "4281" });
		expect(failed.status).toBe(2);
		expect(failed.errors).toContain("There is no setting 'TOLLGATE_PROT'; did you mean TOLLGATE_PORT?");
		expect(existsSync(folder)).toBe(false);
	});

	test("serve --help lists them", async () => {
		const { output, status } = await runTollgate(fresh(), ["serve", "--help"]);
		expect(status).toBe(0);
		for (const name of ["HOST", "PORT", "DATA_DIR", "LOG_LEVEL", "BOOTSTRAP_API_KEY", "PDF_MIB"])
			expect(output).toContain(`TOLLGATE_${name}`);
	});
});

describe("an unreadable setting or file is reported in a sentence, not a stack", () => {
	test("a catalogue that is nested without end", async () => {
		const file = join(parent, "deep.yaml");
		writeFileSync(file, "[".repeat(200_000));
		const failed = await runTollgate(fresh(), ["catalog", "plan", file]);
		expect(failed.status).toBe(1);
		expect(failed.errors).toBe("tollgate: The file is nested far deeper than any catalogue; it cannot be read.\n");
	});

	test.each(["main", "events", "usage"])("check of a damaged %s.db", async (name) => {
		const folder = fresh();
		await (await startServer(folder)).stop();
		writeFileSync(join(folder, `${name}.db`), "This is no database, whatever its name says. ".repeat(200));
		const failed = await runTollgate(folder, ["check"]);
		expect(failed.status).toBe(1);
		expect(failed.output).toContain(`${name}.db: `);
		expect(failed.output + failed.errors).not.toContain("    at ");
	});
});

describe("scripts/run.mjs, which npm start runs", () => {
	const script = join(import.meta.dir, "../../scripts/run.mjs");
	const sources = join(import.meta.dir, "../../src/main.ts");

	test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
		"%s stops the server in order",
		async (signal) => {
			const { child, ended, output } = await spawned(["node", script, sources, "serve"], fresh());
			child.kill(signal);
			await ended;
			expect(output()).toContain("stopped");
		},
		30_000,
	);

	test("the death of what started it does too", async () => {
		const parentOf = `require("child_process").spawn("node", ${JSON.stringify([script, sources, "serve"])}, { stdio: "inherit" })`;
		const { child, ended, output } = await spawned(["node", "-e", parentOf], fresh());
		child.kill("SIGKILL");
		await ended;
		expect(output()).toContain("stopped");
	}, 30_000);
});
