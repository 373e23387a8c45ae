import { Pauses } from "./pauses";
import { attack, fuzz } from "./run";

/**
 * `bun run graphql-fuzz [documents] [seed]`: random documents, a thousand to a shop, and documents of hostile callers; and how long
 * any of them holds up the event loop.
 */
const [documents = "10000", first = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const each = 1000;
/** Our choice: as long as a request may hold up all others. */
const pauseMsMax = 50;
const shown = ({ ms, what }: Pauses["longest"]) => `${ms.toFixed(1)} ms of ${what.slice(0, 2000)}`;
const hostile = new Pauses();
const faults = await attack(hostile);
process.stdout.write(`hostile callers: ${faults.length} faults, longest turn ${shown(hostile.longest)}\n`);
const pauses = new Pauses();
for (let done = 0, seed = Number(first); done < Number(documents); done += each, seed += 1) {
	faults.push(...(await fuzz(seed, Math.min(each, Number(documents) - done), pauses)));
	process.stdout.write(`${done + each} documents, seed ${seed}: ${faults.length} faults\n`);
}
process.stdout.write(`longest turn ${shown(pauses.longest)}\n`);
for (const { longest } of [hostile, pauses]) if (longest.ms > pauseMsMax) faults.push(`a turn took ${shown(longest)}`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);
