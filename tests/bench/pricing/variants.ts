import { addCustomers, digits, publish } from "../catalogue";
import type { Row } from "../row";
import { alongside, type Load, load, median, ms, ok, request, type Serving, us, whole, withServer } from "../serving";

/** With ten customers events share segments; with a thousand, nearly each of them is the first of its segment and hour. */
const customersOfEach = [10, 1000] as const;
const variants = 100;
const rounds = 3;
const seconds = 3;
/** Fewer than wait to be counted at most. */
const events = Number(process.env.BENCH_VARIANT_EVENTS ?? 200_000);

/** Events and checks of a feature whose price has 100 variants, in turns with those of a feature whose price has none. */
export async function measureVariants(): Promise<Row[]> {
	const rows: Row[] = [];
	for (const customers of customersOfEach) rows.push(...(await measureWith(customers)));
	return rows;
}

const measureWith = (customers: number): Promise<Row[]> =>
	withServer(async (server) => {
		await stock(server, customers);
		const check = (featureId: string) => () =>
			load(server, {
				request: request("GET", `/customers/c-@@@@@@/entitlements/check?featureId=${featureId}`),
				...{ many: customers, seconds, connections: 32 },
			});
		const accepted = { varied: [] as number[], plain: [] as number[] };
		const counted = { varied: [] as number[], plain: [] as number[] };
		for (let round = 0; round <= rounds; round += 1)
			for (const eventName of ["varied", "plain"] as const) {
				const sent = await sendAndCount(server, eventName, customers);
				// The first round compiles the code.
				if (round === 0) continue;
				accepted[eventName].push(sent.accepted);
				counted[eventName].push(sent.counted);
			}
		const checks = await alongside(rounds, check("varied"), check("plain"));
		return [
			ofEvents(
				`events of ${whole(customers)} customers, of a meter with 100 variants, 1000 a request: accepted`,
				accepted,
			),
			ofEvents("the same, counted", counted),
			compared("checks of a feature with 100 variants", checks),
		];
	});

function ofEvents(work: string, { varied, plain }: Readonly<Record<"varied" | "plain", readonly number[]>>): Row {
	const [here, ceiling] = [median(varied), median(plain)];
	return {
		...{ work, here: `${whole(here)}/s`, ceiling: `${whole(ceiling)}/s without variants` },
		...{ ratio: here / ceiling, goal: "0.8" },
	};
}

const compared = (
	work: string,
	{ ours, ceiling, ratio }: { readonly ours: Load; readonly ceiling: Load; readonly ratio: number },
): Row => ({ work, here: figures(ours), ceiling: `${figures(ceiling)} without variants`, ratio, goal: "0.8" });

const figures = ({ perSecond, p99, cpuUs }: Load): string => `${whole(perSecond)}/s, p99 ${ms(p99)}, ${us(cpuUs)}`;

/** Each feature counts the events of its name. Nobody reaches the limits. */
async function stock(server: Serving, customers: number): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	for (const id of ["plain", "varied"]) {
		await ok(server, "POST", "/features", { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
		const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: id }] }];
		await ok(server, "PATCH", `/features/${id}`, { meter: { aggregation: { function: "COUNT" }, filters } });
	}
	const price = { amount: 0.01, currency: "usd" };
	const named = Array.from({ length: variants }, (_, at) => ({
		id: `v-${at}`,
		match: { model: [`m-${at}`] },
		price: { amount: (at + 20) / 1000 },
	}));
	await ok(server, "POST", "/plans", { id: "api", displayName: "API", productId: "app" });
	await ok(server, "POST", "/plans/api/entitlements", {
		entitlements: ["plain", "varied"].map((id) => ({ type: "FEATURE", id, hasUnlimitedUsage: true })),
	});
	await ok(server, "PATCH", "/plans/api", {
		charges: {
			pricingType: "PAID",
			pricingModels: ["plain", "varied"].map((featureId) => ({
				...{ billingModel: "USAGE_BASED", featureId },
				pricePeriods: [{ billingPeriod: "MONTHLY", price, ...(featureId === "varied" && { variants: named }) }],
			})),
		},
	});
	await publish(server, "api");
	await addCustomers(server, customers);
	for (let at = 0; at < customers; at += 1)
		await ok(server, "POST", "/subscriptions", {
			...{ customerId: `c-${digits(at)}`, planId: "api", billingPeriod: "MONTHLY" },
		});
}

function eventsOf(eventName: string): string {
	const all = Array.from({ length: 1000 }, (_, at) => ({
		...{ eventName, customerId: "c-@@@@@@", idempotencyKey: "#".repeat(12) },
		timestamp: new Date(Date.now() - at).toISOString(),
		dimensions: { model: `m-${at % variants}` },
	}));
	return request("POST", "/events", JSON.stringify({ events: all }));
}

let next = 0;

/** Events a second until all of them are accepted, and until all of them are counted. */
async function sendAndCount(server: Serving, eventName: string, customers: number) {
	const from = next;
	next += events;
	const began = performance.now();
	const perSecond = (): number => events / ((performance.now() - began) / 1000);
	await load(server, {
		...{ request: eventsOf(eventName), many: customers, from, requestsMax: events / 1000 },
		...{ seconds: 600, connections: 8, isCold: true },
	});
	const accepted = perSecond();
	while ((await (await fetch(`${server.url}/readyz`)).json()).uncountedEvents > 0) await Bun.sleep(5);
	return { accepted, counted: perSecond() };
}
