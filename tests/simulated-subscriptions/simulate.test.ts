import { expect, setDefaultTimeout, test } from "bun:test";
import { simulateHistories } from "./simulate";

// Each history is dozens of transactions, which take time on a busy machine.
setDefaultTimeout(300_000);

/** As many as a few seconds allow; `bun run simulate` plays any number. */
const count = 80;

test("invoices random histories of subscriptions to the cent like the oracle, on every line", async () => {
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
	// Histories without documents would prove nothing.
	expect(documents).toBeGreaterThan(count * 5);
	expect(refused).toBeLessThan(count / 2);
});
