/**
 * `npm start` and `npm test` on a machine that has only Node and npm: installs what is missing, then runs Bun from
 * node_modules with the arguments given; so do the other scripts of package.json. With Bun at hand, `bun install` and
 * `bun …` do the same without this.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const windows = process.platform === "win32";
const bun = join(root, "node_modules", "bun", "bin", "bun.exe");

const works = () => existsSync(bun) && spawnSync(bun, ["--version"]).stdout?.toString().trim() === dependencies.bun;

/** Installed means: everything the lockfile names was put there after the lockfile was written. */
const marker = join(root, "node_modules", ".installed");
const installed = () =>
	existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(root, "bun.lock")).mtimeMs && works();

function step(command, args) {
	// NODE_ENV=production would leave the tools out; the tests need them.
	const env = { ...process.env, NODE_ENV: "development" };
	const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], env, shell: windows });
	if (status !== 0) {
		console.error(`'${command} ${args.join(" ")}' failed; is the npm registry within reach?`);
		process.exit(status ?? 1);
	}
}

if (!installed()) {
	console.error("Installing (once) …");
	step("npx", ["--yes", `bun@${dependencies.bun}`, "install", "--frozen-lockfile"]);
	// Where install scripts are switched off, the package's binary is still a stub.
	if (!works()) step("node", [join("node_modules", "bun", "install.js")]);
	spawnSync(process.execPath, ["-e", `require("fs").writeFileSync(${JSON.stringify(marker)}, "")`]);
}

const parent = process.ppid;
const child = spawn(bun, process.argv.slice(2), { cwd: root, stdio: "inherit" });
// Whatever ends this ends what it runs, in order: a signal, a terminal that is closed, the end of npm itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill("SIGTERM"));
setInterval(() => {
	if (process.ppid !== parent) child.kill("SIGTERM");
}, 500).unref();
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
