import { attack, fuzz } from "./run";

/** `bun run graphql-fuzz [documents] [seed]`: random documents, a thousand to a shop, and what hostile callers send. */
const [documents = "10000", first = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const each = 1000;
const faults = await attack();
for (let done = 0, seed = Number(first); done < Number(documents); done += each, seed += 1) {
	faults.push(...(await fuzz(seed, Math.min(each, Number(documents) - done))));
	process.stdout.write(`${done + each} documents, seed ${seed}: ${faults.length} faults\n`);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);
