/**
 * Starts the stand-in by hand: `bun tests/support/providers/stripe/main.ts --port 0 --seed 7 [--file state.json] [--events URL]
 * [--latency MS] [--faults RATE]`. It prints its address, its secret key and the secret of its events.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { emptyObjects, type Objects } from "./account";
import { startStandIn } from "./server";

const { values } = parseArgs({
	options: {
		port: { type: "string", default: "0" },
		seed: { type: "string", default: "1" },
		file: { type: "string" },
		events: { type: "string" },
		latency: { type: "string", default: "0" },
		faults: { type: "string", default: "0" },
	},
});

/** Objects as JSON: maps become lists of pairs. */
const write = (objects: Objects): string =>
	JSON.stringify(objects, (_, value: unknown) => (value instanceof Map ? { pairs: [...value] } : value));

function read(text: string): Objects {
	const stored = JSON.parse(text) as Readonly<Record<string, unknown>>;
	const maps = Object.entries(stored).map(([name, value]) => [
		name,
		typeof value === "object" && value !== null && "pairs" in value ? new Map(value.pairs as [string, never][]) : value,
	]);
	return { ...emptyObjects(), ...(Object.fromEntries(maps) as Partial<Objects>) };
}

const { file } = values;
const rate = Number(values.faults);
const standIn = startStandIn({
	...{ port: Number(values.port), seed: Number(values.seed), latencyMs: Number(values.latency) },
	faults: {
		...{ errorBefore: rate, errorAfter: rate, cutBefore: rate, cutAfter: rate, busy: rate, slow: rate },
		...{ eventLost: rate, eventTwice: rate, eventLate: rate, eventForged: rate },
	},
	...(file !== undefined && existsSync(file) && { objects: read(readFileSync(file, "utf8")) }),
});
if (values.events !== undefined) standIn.sendEventsTo(values.events);

let written = -1;
const save = (): void => {
	const { objects } = standIn.account;
	if (file === undefined || written === objects.counter) return;
	written = objects.counter;
	writeFileSync(`${file}.new`, write(objects));
	renameSync(`${file}.new`, file);
};
if (file !== undefined) setInterval(save, 500);
for (const signal of ["SIGTERM", "SIGINT"] as const)
	process.on(signal, () => {
		written = -1;
		save();
		process.exit(0);
	});

process.stdout.write(`The stand-in listens on ${standIn.url}
secret key      ${standIn.secretKey}
webhook secret  ${standIn.webhookSecret}
`);
