import { expect, setDefaultTimeout, test } from "bun:test";
import { simulateHistories } from "./simulate";

// Each life is dozens of transactions; a busy machine needs its time for them.
setDefaultTimeout(300_000);

/** What a few seconds allow; `bun run lives` lives as many as it is told to. */
const count = 80;

test("a sample of random lives is invoiced to the cent as the oracle would, on every line", async () => {
	let documents = 0;
	let refused = 0;
	for await (const { life, difference, ...lived } of simulateHistories({
		seed: 20_260_131,
		shard: 0,
		of: 1,
		from: 0,
		count: count,
	})) {
		if (difference !== undefined) throw new Error(`${difference}\n${JSON.stringify(life)}`);
		documents += lived.documents;
		refused += lived.refusals.length;
	}
	// Lives in which nothing happened would prove nothing.
	expect(documents).toBeGreaterThan(count * 5);
	expect(refused).toBeLessThan(count / 2);
});
