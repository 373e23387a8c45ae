/**
 * `bun run postings [count]`: runs operations (default: ten million) on a thousand wallets in one folder: consumptions in groups of a
 * hundred, and grants and expiries in between. Prints speed and memory. At the end it verifies the ledger, and compares each wallet
 * with its consumptions. Needs 1 GB of disk for each million.
 */
import { expect } from "bun:test";
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { consumeFromWallets } from "../../../../src/areas/credits/operations.consume";
import { issueGrant } from "../../../../src/areas/credits/operations.issue";
import { creditWallets } from "../../../../src/areas/credits/table";
import { provisionCustomer } from "../../../../src/areas/customers/operations";
import type { Instant } from "../../../../src/kernel/clock";
import type { Decimal } from "../../../../src/kernel/decimal";
import { newUuidV7 } from "../../../../src/kernel/ids";
import { openTransactions } from "../../../../src/kernel/storage/transactions";
import { testsFolder } from "../../../support/folders";
import { actor, ground } from "../ground";
import { findings } from "../verification/rebuilt";
import { millionths, spelled } from "./oracle";

process.on("exit", () => rmSync(testsFolder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const count = Number(parseArgs({ allowPositionals: true }).positionals[0] ?? 10_000_000);
const wallets = 1000;
const drawsPerCall = 100;
const callsPerGroup = 20;
const hour = 3_600_000;

const one = ground();
const transactions = openTransactions({
	db: one.db,
	clock: one.clock,
	newId: newUuidV7,
	wake: () => {},
	writes: "in groups",
});
const customers = one.transactions.write(actor, (work) =>
	Array.from({ length: wallets }, (_, at) => provisionCustomer(work, { id: `p-${at}` }).id),
);
const drawn = new Map(customers.map((id) => [id, 0n]));
const granted = new Map(customers.map((id) => [id, 0n]));

// The same numbers in each run.
let state = 12_345;
const random = (below: number): number => {
	state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
	return state % below;
};
const wallet = (at: number) => ({ ...one.wallet, customerId: customers[at] ?? "" });

/** A hundred consumptions from ten wallets, and sometimes a grant that lasts some days. */
function call(): number {
	return transactions.writeUsage(actor, (work) => {
		const first = random(wallets);
		if (random(10) === 0) {
			const amount = BigInt(1 + random(3000)) * 1_000_000n;
			issueGrant(work, {
				...wallet(first),
				displayName: "grant",
				grantType: random(2) === 0 ? "PAID" : "PROMOTIONAL",
				cost: { amount: "9.99" as Decimal, currency: "usd" },
				amount: spelled(amount) as Decimal,
				effectiveAt: work.now,
				expireAt: (work.now + (1 + random(72)) * hour) as Instant,
			});
			granted.set(wallet(first).customerId, (granted.get(wallet(first).customerId) ?? 0n) + amount);
		}
		const draws = Array.from({ length: drawsPerCall }, (_, at) => {
			const from = wallet((first + (at % 10)) % wallets);
			const amount = BigInt(1 + random(4_000_000));
			drawn.set(from.customerId, (drawn.get(from.customerId) ?? 0n) + amount);
			return {
				wallet: from,
				amount: spelled(amount) as Decimal,
				at: (work.now - random(3) * hour) as Instant,
				featureId: null,
				eventId: newUuidV7(),
				dimensions: null,
			};
		});
		consumeFromWallets(work, draws);
		return draws.length;
	});
}

const say = (text: string) => process.stdout.write(`${text}\n`);
const began = performance.now();
let reportedAt = began;
let done = 0;
while (done < count) {
	for (let calls = 0; calls < callsPerGroup && done < count; calls += 1) done += call();
	await transactions.committed();
	one.clock.at = (one.clock.at + hour / 10) as Instant;
	if (performance.now() - reportedAt < 10_000 && done < count) continue;
	reportedAt = performance.now();
	const perSecond = Math.round(done / ((reportedAt - began) / 1000));
	say(`${done} operations, ${perSecond}/s, ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
}
const checkedFrom = performance.now();
expect(findings(one)).toEqual([]);
const seconds = Math.round((performance.now() - checkedFrom) / 1000);
for (const row of one.transactions.read(actor, (work) => work.tx.select().from(creditWallets).all())) {
	expect(millionths(row.consumed)).toBe(drawn.get(row.customerId) ?? -1n);
	expect(millionths(row.granted)).toBe(granted.get(row.customerId) ?? -1n);
}
say(`checked in ${seconds} s: the ledger is whole, ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
process.exit(0);
