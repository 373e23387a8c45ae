import { listBalances } from "../../src/areas/credits/balances/operations";
import { listGrants } from "../../src/areas/credits/grants/operations";
import { listLedger } from "../../src/areas/credits/ledger/operations";
import { consumeFromWallets, type WalletUse } from "../../src/areas/credits/operations.consume";
import { issueGrant, type NewGrant } from "../../src/areas/credits/operations.issue";
import { provisionCustomer } from "../../src/areas/customers/operations";
import type { Decimal } from "../../src/kernel/decimal";
import { newUuidV7 } from "../../src/kernel/ids";
import { openTransactions } from "../../src/kernel/storage/transactions";
import type { Transactions, Work } from "../../src/kernel/work";
import { actor, ground } from "../areas/credits/ground";
import { addCustomers, digits } from "./catalogue";
import type { Row } from "./row";
import { load, median, ms, ok, request, us, whole, withServer } from "./serving";

const wallets = 1000;
const drawsPerCall = 100;
const drawsPerWallet = 10;
const callsPerGroup = 20;
const rounds = 3;
const secondsPerRound = 2;
const entries = Number(process.env.BENCH_CREDIT_ENTRIES ?? 1_000_000);
const grants = Number(process.env.BENCH_CREDIT_GRANTS ?? 10_000);

/** A folder of its own, in which writes of a turn are one group; a grant and a consumption as they are made in it. */
function bank() {
	const { db, clock, wallet } = ground();
	const transactions = openTransactions({ db, clock, newId: newUuidV7, wake: () => {}, writes: "in groups" });
	return {
		sqlite: db.$client,
		transactions,
		grant: (work: Work, customerId: string, amount: number, given: Partial<NewGrant> = {}) =>
			issueGrant(work, {
				...{ ...wallet, customerId, displayName: "Pack", grantType: "PAID", effectiveAt: work.now, expireAt: null },
				...{ amount: `${amount}` as Decimal, cost: { amount: "100" as Decimal, currency: "usd" } },
				...given,
			}),
		draw: (customerId: string, amount: number): WalletUse => ({
			...{ wallet: { ...wallet, customerId }, amount: `${amount}` as Decimal, at: clock.at },
			...{ featureId: null, eventId: newUuidV7(), dimensions: null },
		}),
	};
}

interface Rate {
	readonly perSecond: number;
	readonly cpuUs: number;
}

/** How often a second, where each turn does so many. */
async function rateOf(turn: () => Promise<number>): Promise<Rate> {
	const cpu = process.cpuUsage();
	const began = performance.now();
	let done = 0;
	while (performance.now() - began < secondsPerRound * 1000) done += await turn();
	const { user, system } = process.cpuUsage(cpu);
	return { perSecond: (done * 1000) / (performance.now() - began), cpuUs: (user + system) / done };
}

/** Consumptions by the program's own operation, next to the same rows of the ledger written by SQLite alone. */
async function postings(): Promise<Row> {
	const { sqlite, transactions, grant, draw } = bank();
	const customers = transactions.write(actor, (work) =>
		Array.from({ length: wallets }, (_, at) => {
			const { id } = provisionCustomer(work, { id: `c-${at}` });
			grant(work, id, 1_000_000_000);
			return id;
		}),
	);
	await transactions.committed();
	let made = 0;
	const ours = async (): Promise<number> => {
		for (let calls = 0; calls < callsPerGroup; calls += 1) {
			const draws = Array.from({ length: drawsPerCall }, (_, at) =>
				draw(customers[(made / drawsPerWallet + (at % drawsPerWallet)) % wallets] ?? "", 1.25 + (at % 4)),
			);
			transactions.writeUsage(actor, (work) => consumeFromWallets(work, draws));
			made += drawsPerCall;
		}
		await transactions.committed();
		return callsPerGroup * drawsPerCall;
	};
	await rateOf(ours);
	const rows = sqlite
		.query<Array<string | number | null>, [number]>("SELECT * FROM credit_entries ORDER BY sequence DESC LIMIT ?")
		.values(callsPerGroup * drawsPerCall) as Array<Array<string | number | null>>;
	const insert = sqlite.prepare(`INSERT INTO credit_entries VALUES (${rows[0]?.map(() => "?").join()})`);
	const last = sqlite.prepare<{ sequence: number }, []>("SELECT max(sequence) AS sequence FROM credit_entries");
	const bare = async (): Promise<number> => {
		let { sequence } = last.get() ?? { sequence: 0 };
		sqlite.run("BEGIN IMMEDIATE");
		for (const [, , ...row] of rows) {
			sequence += 1;
			insert.run(sequence, newUuidV7(), ...row);
		}
		sqlite.run("COMMIT");
		return rows.length;
	};
	const pairs: Array<readonly [Rate, Rate]> = [];
	for (let round = 0; round < rounds; round += 1) pairs.push([await rateOf(ours), await rateOf(bare)]);
	sqlite.close();
	const typical = (rates: readonly Rate[]) =>
		`${whole(median(rates.map(({ perSecond }) => perSecond)))}/s, ${us(median(rates.map(({ cpuUs }) => cpuUs)))}`;
	return {
		work: `credits: entries of the ledger, in-process, ${whole(callsPerGroup * drawsPerCall)} a flush`,
		here: typical(pairs.map(([one]) => one)),
		ceiling: typical(pairs.map(([, other]) => other)),
		ratio: median(pairs.map(([one, other]) => one.perSecond / other.perSecond)),
		goal: "50,000/s",
	};
}

const overHttp = (): Promise<Row[]> =>
	withServer(async (server) => {
		await ok(server, "POST", "/credits/custom-currencies", { id: "tokens", displayName: "Tokens" });
		await addCustomers(server, wallets, (at) => `c-${digits(at, 6)}`);
		const of = { currencyId: "tokens", displayName: "Gift", grantType: "PROMOTIONAL", amount: 1_000_000_000 };
		for (let at = 0; at < wallets; at += 1)
			await ok(server, "POST", "/credits/grants", { customerId: `c-${digits(at, 6)}`, ...of });
		const item = { customerId: "c-@@@@@@", currencyId: "tokens", amount: 1.25, idempotencyKey: `k${"#".repeat(12)}` };
		const traffic = { request: request("POST", "/credits/consumption", JSON.stringify(item)), many: wallets };
		const rows: Row[] = [];
		for (const connections of [1, 64]) {
			const { perSecond, p99, cpuUs } = await load(server, { ...traffic, seconds: 3, connections });
			rows.push({
				work: `credits consumed, ${connections} connection${connections === 1 ? "" : "s"}`,
				here: `${whole(perSecond)}/s, p99 ${p99.toFixed(1)} ms, ${us(cpuUs)}`,
				...(connections > 1 && { goal: "10,000/s" }),
			});
		}
		return rows;
	});

/** The median of many, in ms. */
function timed(times: number, { transactions }: { transactions: Transactions }, body: (work: Work) => unknown): number {
	const taken = Array.from({ length: times }, () => {
		const began = performance.now();
		transactions.read(actor, (work) => void body(work));
		return performance.now() - began;
	});
	return median(taken);
}

/** Compares the cost of a customer with many entries, or many grants, with that of one with few. */
async function growth(): Promise<Row[]> {
	const here = bank();
	const { sqlite, transactions, grant, draw } = here;
	const [few, many, granted] = transactions.write(actor, (work) =>
		["few", "many", "granted"].map((id) => provisionCustomer(work, { id }).id),
	) as [string, string, string];
	for (const [customerId, count] of [
		[few, 10],
		[many, 1],
		[granted, grants],
	] as const)
		for (let made = 0; made < count; made += 1)
			transactions.write(actor, (work) => grant(work, customerId, customerId === many ? 1e12 : 10));
	await transactions.committed();
	for (const [customerId, count] of [
		[few, 100],
		[many, entries],
	] as const)
		for (let made = 0; made < count; made += 100) {
			const draws = Array.from({ length: 100 }, () => draw(customerId, 0.01));
			transactions.writeUsage(actor, (work) => consumeFromWallets(work, draws));
			if (made % 2000 === 0) await transactions.committed();
		}
	await transactions.committed();
	const balance = (customerId: string) =>
		timed(500, here, (work) => listBalances(work, { customerId, currencyId: "tokens" }));
	const page = (customerId: string, after?: string) =>
		timed(100, here, (work) => listLedger(work, { customerId, limit: "100", ...(after && { after }) }));
	const middle = sqlite
		.query<{ id: string }, [number]>("SELECT id FROM credit_entries WHERE sequence >= ? ORDER BY sequence LIMIT 1")
		.get(Math.floor(entries / 2) + grants)?.id;
	const consumed = (customerId: string) =>
		median(
			Array.from({ length: 200 }, () => {
				const began = performance.now();
				transactions.writeUsage(actor, (work) => consumeFromWallets(work, [draw(customerId, 0.01)]));
				return performance.now() - began;
			}),
		);
	const listed = (customerId: string) => timed(100, here, (work) => listGrants(work, { customerId }));
	const rows: Row[] = [
		{
			work: `balance of a wallet with ${whole(entries)} entries; with 100`,
			here: `${ms(balance("many"))}; ${ms(balance("few"))}`,
			goal: "1 ms",
		},
		{
			work: `100 entries of its ledger: the newest, from the middle; of 100`,
			here: `${ms(page("many"))}, ${ms(page("many", middle))}; ${ms(page("few"))}`,
		},
		{
			work: `consumed by a customer with ${whole(grants)} grants; with 10`,
			here: `${ms(consumed(granted))}; ${ms(consumed(few))}`,
		},
		{
			work: `balance, 20 grants of a customer with ${whole(grants)} grants; with 10`,
			here: `${ms(balance("granted"))}, ${ms(listed("granted"))}; ${ms(balance("few"))}, ${ms(listed("few"))}`,
		},
	];
	await transactions.committed();
	sqlite.close();
	return rows;
}

export const measureCredits = async (): Promise<Row[]> => [
	await postings(),
	...(await overHttp()),
	...(await growth()),
];
