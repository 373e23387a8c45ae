import { Database } from "bun:sqlite";
import { join } from "node:path";
import { addCustomers, digits, publish } from "../catalogue";
import type { Row } from "../row";
import { median, ms, ok, residentMiB, type Serving, whole, withServer } from "../serving";

const changes = Number(process.env.BENCH_LEVEL_CHANGES ?? 1_000_000);
const transactions = Number(process.env.BENCH_TRANSACTIONS ?? 10_000_000);
const windowSubscriptions = Number(process.env.BENCH_WINDOW_SUBSCRIPTIONS ?? 1000);
const hours = Number(process.env.BENCH_WINDOW_HOURS ?? 8760);

const start = Date.parse("2030-01-01T00:00:00Z");
const hourMs = 3_600_000;
const iso = (at: number): string => new Date(at).toISOString();

/** Bills of usage whose measure looks at each change, each transaction or each hour; what others wait for meanwhile; and the memory. */
export const measureMeasures = async (): Promise<Row[]> => [
	...(await measureLevels()),
	...(await measureTransactions()),
	...(await measureWindows()),
];

const measureLevels = (): Promise<Row[]> =>
	withServer(async (server, folder) => {
		await stock(server, "FLUCTUATING", { usageMeasure: "TIME_WEIGHTED" }, "MONTHLY");
		await buy(server, 1, "MONTHLY");
		await advance(server, start + 30 * 24 * hourMs);
		const step = (30 * 24 * hourMs) / changes;
		await inParts(changes, 100, async (from, count) => {
			const usages = Array.from({ length: count }, (_, at) => ({
				...{ customerId: idOf(0), featureId: "used", value: (from + at) % 2 === 0 ? 3 : -2, updateBehavior: "DELTA" },
				createdAt: iso(start + Math.floor((from + at) * step)),
			}));
			await ok(server, "POST", "/usage", { usages });
		});
		const bare = readBare(folder);
		const bill = await billed(server, Date.parse("2030-02-01T00:00:01Z"));
		return [
			{
				work: `bill of a window with ${whole(changes)} changes of a level`,
				here: textOf(bill),
				ceiling: `${ms(bare)}, bare SQLite reads the changes`,
				ratio: bare / bill.tookMs,
				goal: "1 s, longest wait 50 ms",
			},
		];
	});

/** Milliseconds in which bare SQLite reads the times and differences of all reports in order, and adds them up. */
function readBare(folder: string): number {
	const main = new Database(join(folder, "main.db"), { readonly: true });
	const began = performance.now();
	let [level, time, last] = [0, 0, start];
	for (const { at, delta } of main
		.query<{ at: number; delta: string }, []>("SELECT at, delta FROM usage_reports ORDER BY series_id, at, id")
		.iterate()) {
		time += level * (at - last);
		level += Number(delta);
		last = at;
	}
	main.close();
	if (Number.isNaN(time)) throw new Error("The levels are no numbers.");
	return performance.now() - began;
}

const measureTransactions = (): Promise<Row[]> =>
	withServer(async (server) => {
		const transactionPrice = { percentRate: 1.2, fixedFee: 0.1, minimum: 0.5, maximum: 10, currency: "usd" };
		await stock(server, "INCREMENTAL", {}, "MONTHLY", { transactionPrice });
		await buy(server, 1, "MONTHLY");
		await advance(server, start + 30 * 24 * hourMs);
		const counted = async (eventName: string): Promise<number> => {
			const began = performance.now();
			await inParts(transactions, 1000, (from, count) => send(server, eventName, [from, count], () => idOf(0)));
			await untilCounted(server);
			return transactions / ((performance.now() - began) / 1000);
		};
		const plain = await counted("other");
		const priced = await counted("used");
		const bill = await billed(server, Date.parse("2030-02-01T00:00:01Z"));
		return [
			{
				work: `${whole(transactions)} transactions with a percentage, a minimum and a maximum, counted`,
				here: `${whole(priced)}/s`,
				ceiling: `${whole(plain)}/s without a price`,
				ratio: priced / plain,
			},
			{ work: "bill of these transactions", here: textOf(bill), goal: "5 s, longest wait 50 ms" },
		];
	});

const measureWindows = async (): Promise<Row[]> => {
	const bills: Bill[] = [];
	for (const commitment of [undefined, { quantity: 10, overageFactor: 1.5, interval: { unit: "HOUR", count: 1 } }])
		bills.push(
			await withServer(async (server) => {
				// Billed once a year.
				const price = { ...priceOf(1), chargeInterval: { unit: "YEAR", count: 1 } };
				await stock(server, "INCREMENTAL", {}, "MONTHLY", { ...price, ...(commitment && { commitment }) });
				await buy(server, windowSubscriptions, "MONTHLY");
				// Before the last hour: the year is billed at its end.
				await advance(server, start + (hours - 1) * hourMs);
				await inParts(windowSubscriptions * (hours - 1), 1000, (from, count) =>
					send(server, "used", [from, count], (at) => idOf(at % windowSubscriptions), hours - 1),
				);
				await untilCounted(server);
				return billed(server, Date.parse("2031-01-01T00:00:01Z"));
			}),
		);
	const [plain, committed] = bills;
	if (!plain || !committed) throw new Error("Both are measured.");
	return [
		{
			work: `bills of ${whole(windowSubscriptions)} subscriptions with ${whole(hours)} windows of a commitment each`,
			here: textOf(committed),
			ceiling: `${textOf(plain)} without a commitment`,
			ratio: plain.tookMs / committed.tookMs,
		},
	];
};

const idOf = (at: number): string => `c-${digits(at)}`;
const priceOf = (amount: number) => ({ price: { amount, currency: "usd" } });

/** The plan `api` with one price for the usage of `used`. */
async function stock(
	server: Serving,
	meterType: string,
	model: object,
	billingPeriod: string,
	price: object = priceOf(10),
): Promise<void> {
	await ok(server, "POST", "/environments/current/clock", { now: iso(start) });
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	await ok(server, "POST", "/features", { id: "used", displayName: "Used", featureType: "NUMBER", meterType });
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "used" }] }];
	if (meterType === "INCREMENTAL")
		await ok(server, "PATCH", "/features/used", { meter: { aggregation: { function: "SUM", field: "n" }, filters } });
	await ok(server, "POST", "/plans", { id: "api", displayName: "API", productId: "app" });
	await ok(server, "PATCH", "/plans/api", {
		charges: {
			pricingType: "PAID",
			pricingModels: [
				{
					...{ billingModel: "USAGE_BASED", featureId: "used" },
					...model,
					pricePeriods: [{ billingPeriod, ...price }],
				},
			],
		},
	});
	await publish(server, "api");
}

async function buy(server: Serving, count: number, billingPeriod: string): Promise<void> {
	await addCustomers(server, count);
	for (let at = 0; at < count; at += 1)
		await ok(server, "POST", "/subscriptions", { customerId: idOf(at), planId: "api", billingPeriod });
}

export async function advance(server: Serving, to: number): Promise<void> {
	const now = iso(to);
	while ((await ok(server, "POST", "/environments/current/clock", { now })).now !== now);
}

/** Four requests at once. */
async function inParts(
	count: number,
	each: number,
	body: (from: number, count: number) => Promise<void>,
): Promise<void> {
	let from = 0;
	const work = async (): Promise<void> => {
		while (from < count) {
			const first = from;
			from += each;
			await body(first, Math.min(each, count - first));
		}
	};
	await Promise.all([work(), work(), work(), work()]);
}

/** One event for each customer and hour, in all hours in turn. */
async function send(
	server: Serving,
	eventName: string,
	[from, count]: readonly [from: number, count: number],
	customerOf: (at: number) => string,
	hoursMax = 700,
): Promise<void> {
	const events = Array.from({ length: count }, (_, index) => {
		const at = from + index;
		const hour = Math.floor(at / windowSubscriptions) % hoursMax;
		return {
			...{ eventName, customerId: customerOf(at), idempotencyKey: `${eventName}-${at}` },
			...{ timestamp: iso(start + hour * hourMs + (at % 1000)), dimensions: { n: at % 25 } },
		};
	});
	for (;;) {
		const { status, body } = await server.call("POST", "/events", { events });
		if (status < 300) return;
		if (status !== 429 && status !== 503) throw new Error(`Events were refused: ${status} ${JSON.stringify(body)}`);
		await Bun.sleep(50);
	}
}

async function untilCounted(server: Serving): Promise<void> {
	while ((await (await fetch(`${server.url}/readyz`)).json()).uncountedEvents > 0) await Bun.sleep(10);
}

interface Bill {
	readonly tookMs: number;
	/** The longest that a change of a customer waited meanwhile. */
	readonly longestMs: number;
	readonly memoryMiB: number;
}

export const textOf = ({ tookMs, longestMs, memoryMiB }: Bill): string =>
	`${ms(tookMs)}, longest wait ${ms(longestMs)}, ${Math.round(memoryMiB)} MiB`;

/** Advances the clock, while a customer is changed again and again. */
export const billed = (server: Serving, to: number): Promise<Bill> => alongChanges(server, () => advance(server, to));

/** Measures a work, while a customer is changed again and again. */
export async function alongChanges(server: Serving, work: () => Promise<unknown>): Promise<Bill> {
	await ok(server, "POST", "/customers", { id: "other" });
	const waits: number[] = [];
	let isOver = false;
	const waiting = (async () => {
		for (let at = 0; !isOver; at += 1) {
			const began = performance.now();
			await server.call("PATCH", "/customers/other", { name: `${at}` });
			waits.push(performance.now() - began);
			await Bun.sleep(5);
		}
	})();
	const began = performance.now();
	await work();
	const tookMs = performance.now() - began;
	isOver = true;
	await waiting;
	if (Number.isNaN(median(waits))) throw new Error("A change was made meanwhile.");
	return { tookMs, longestMs: Math.max(...waits), memoryMiB: residentMiB(server.pid) };
}
