/**
 * `bun run record make BINARY FOLDER RECORDING`, `bun run record compare RECORDING BINARY`,
 * `bun run record upgrade RECORDING FOLDER BINARY`: see README.md.
 */
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { testsFolder } from "../support/folders";
import { endStarted } from "../support/process";
import { compareRecordings, describe } from "./compare";
import type { Recording } from "./entry";
import { loadRecorded, saveRecorded } from "./files";
import { makePlan } from "./make-plan";
import { fullSize, smallSize } from "./plan";
import { record, recordUpgraded } from "./record";

process.on("exit", () => {
	endStarted();
	rmSync(testsFolder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const say = (text: string) => process.stdout.write(`${text}\n`);
const { values, positionals } = parseArgs({
	options: {
		small: { type: "boolean", default: false },
		texts: { type: "boolean", default: false },
		shown: { type: "string", default: "60" },
		folder: { type: "string" },
	},
	allowPositionals: true,
});
const [command, ...paths] = positionals;
const path = (nth: number): string => {
	const given = paths[nth];
	if (given === undefined) throw new Error("Usage: see tests/recording/README.md.");
	return resolve(given);
};

switch (command) {
	case "make": {
		const [program, folder, target] = [path(0), path(1), path(2)];
		if (existsSync(folder)) throw new Error(`${folder} exists already.`);
		const plan = await makePlan(values.small ? smallSize : fullSize);
		const recorded = await record(plan, folder, { program });
		saveRecorded(target, recorded);
		for (const [kind, entries] of recorded.recording) say(`${entries.size} ${kind}`);
		process.exit(0);
		break;
	}
	case "compare": {
		const { recording, plan, queries } = loadRecorded(path(0));
		const folder = values.folder === undefined ? join(testsFolder, "compared") : resolve(values.folder);
		const after = await record(plan, folder, { program: path(1), queries });
		process.exit(report(recording, after.recording));
		break;
	}
	case "upgrade": {
		const recorded = loadRecorded(path(0));
		const after = await recordUpgraded(recorded, path(1), join(testsFolder, "upgraded"), path(2));
		const before = new Map([...recorded.recording].filter(([kind]) => kind !== "responses"));
		process.exit(report(before, after.recording));
		break;
	}
	default:
		throw new Error("Usage: see tests/recording/README.md.");
}

/** Prints the differences. Returns the exit status. */
function report(before: Recording, after: Recording): number {
	const { changed, reworded, added } = compareRecordings(before, after);
	const shownMax = Number(values.shown);
	for (const line of [
		...describe("Added", added, shownMax),
		...describe("Reworded", reworded, shownMax),
		...describe("Changed or missing", changed, shownMax),
	])
		say(line);
	const failures = changed.length + (values.texts ? 0 : reworded.length);
	say(failures === 0 ? "No old value has changed." : `${failures} old values have changed.`);
	return failures === 0 ? 0 : 1;
}
