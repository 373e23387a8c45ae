/**
 * `bun run simulate [count] [--seed n] [--shard i/n] [--from n] [--differences n]`: plays random histories of
 * subscriptions and contracts, each compared with the oracle (README.md). A difference is reduced and printed so that
 * it can be played again.
 */
import { existsSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import type { HistoryResult } from "./simulate";

// The tests' folder reads this variable at import. Its files need not survive a power failure.
if (existsSync("/dev/shm")) process.env.TMPDIR = "/dev/shm";
const { simulateHistories: runLives, shrink } = await import("./simulate");
const { testsFolder } = await import("../support/folders");
process.on("exit", () => rmSync(testsFolder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const { values, positionals } = parseArgs({
	options: {
		seed: { type: "string", default: "1" },
		shard: { type: "string", default: "1/1" },
		from: { type: "string", default: "0" },
		differences: { type: "string", default: "3" },
	},
	allowPositionals: true,
});
const [shard = 1, of = 1] = values.shard.split("/").map(Number);
const from = Number(values.from);
const count = Math.ceil(Number(positionals[0] ?? 1000) / of) - from;
const differencesMax = Number(values.differences);

const say = (text: string) => process.stdout.write(`${text}\n`);
const began = performance.now();
let simulated = 0;
let documents = 0;
let reportedAt = began;
const refusals = new Map<string, number>();
const differing: HistoryResult[] = [];
const rate = () => (simulated / ((performance.now() - began) / 1000)).toFixed(1);
const progress = () =>
	`seed ${values.seed}, shard ${values.shard}: ${from + simulated} histories, ${documents} invoices and credit notes, ${[...refusals.values()].reduce((a, b) => a + b, 0)} refused calls, ${differing.length} differences, ${rate()} histories/s`;

async function show(one: HistoryResult): Promise<void> {
	const { life, difference } = await shrink(one);
	const { list, acts, ...born } = life;
	say(`Price list: ${JSON.stringify(list)}`);
	say(`Born: ${JSON.stringify(born)}`);
	for (const act of acts) say(`${new Date(act.at).toISOString()} ${JSON.stringify(act)}`);
	say(difference ?? "");
}

for await (const one of runLives({ seed: Number(values.seed), shard: shard - 1, of, from, count: count })) {
	simulated += 1;
	documents += one.documents;
	for (const refusal of one.refusals) {
		const kind = refusal.replace(/'[^']*'|\b(INV|CN)-\d+(, (INV|CN)-\d+)*|\d+(\.\d+)?|c\d+-\w+/g, "…");
		refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
	}
	if (one.difference !== undefined) {
		differing.push(one);
		await show(one);
	}
	if (differing.length >= differencesMax) break;
	if (performance.now() - reportedAt < 60_000) continue;
	reportedAt = performance.now();
	say(progress());
}
for (const [kind, times] of [...refusals].toSorted(([, a], [, b]) => b - a)) say(`${times} × ${kind}`);
say(progress());
process.exit(differing.length === 0 ? 0 : 1);
