import { describe, expect, test } from "bun:test";
import { changeEnvironment } from "../../../../src/areas/access/operations";
import { provisionCustomer } from "../../../../src/areas/customers/operations";
import { FingerprintSet } from "../../../../src/areas/usage/fingerprints/fingerprint-set";
import type { IngestRequest, IngestResult } from "../../../../src/areas/usage/schema.ingest";
import { type Answer, world } from "../../../support/world";
import { event, type SentEvent } from "../ground";

/** Customers of two environments; `asked` are the requests to the thread that writes the log. */
function site() {
	const ours = world();
	const { call, transactions, actor, foreignActor, services } = ours;
	for (const by of [actor, foreignActor])
		transactions.write(by, (work) => {
			for (const id of ["acme", "bob"]) provisionCustomer(work, { id });
		});
	const asked: IngestRequest[] = [];
	const { send } = services.events;
	services.events.send = (request) => {
		asked.push(request);
		return send(request);
	};
	return {
		...ours,
		asked,
		/** Sets the thread's further answers. */
		answering: (result: IngestResult): void => {
			services.events.send = async () => result;
		},
		report: async (events: readonly SentEvent[], key = ours.key): Promise<void> => {
			expect((await call("POST", "/events", { body: { events }, key })).status).toBe(200);
			ours.countUsage();
		},
		find: (query: string, key = ours.key): Promise<Answer> => call("GET", `/events?${query}`, { key }),
	};
}

type Shown = readonly [eventName: string, resourceId: string | null, timestamp: string];

const shown = ({ body }: Answer): Shown[] =>
	body.data.map(({ eventName, resourceId, timestamp }: Record<string, string>) => [eventName, resourceId, timestamp]);

const sent = (day: number, more: Partial<SentEvent> = {}): SentEvent =>
	event({ idempotencyKey: "k1", timestamp: `2026-01-${day}T00:00:00.000Z`, ...more });

describe("a customer's event by its key", () => {
	test("is found at once, whatever its name and its resource", async () => {
		const { report, find, asked } = site();
		await report([
			sent(10),
			sent(12, { eventName: "login" }),
			sent(11, { resourceId: "r1" }),
			sent(13, { customerId: "bob" }),
			sent(14, { idempotencyKey: "k2" }),
		]);
		asked.length = 0;
		const found = await find("customerId=acme&idempotencyKey=k1");
		expect(found.body).toMatchObject({ pagination: { next: null, prev: null }, lookedBackTo: null });
		expect(shown(found)).toEqual([
			["login", null, "2026-01-12T00:00:00.000Z"],
			["api.call", "r1", "2026-01-11T00:00:00.000Z"],
			["api.call", null, "2026-01-10T00:00:00.000Z"],
		]);
		for (const [query, days] of [
			["eventName=login", [12]],
			["resourceId=r1", [11]],
			["eventName=login&resourceId=r1", []],
			["from=2026-01-11T00:00:00Z&to=2026-01-12T00:00:00Z", [11]],
		] as const) {
			const some = await find(`customerId=acme&idempotencyKey=k1&${query}`);
			expect(shown(some).map(([, , at]) => at)).toEqual(days.map((day) => `2026-01-${day}T00:00:00.000Z`));
		}
		expect(asked.map(({ format }) => format)).toEqual(Array(5).fill("look-up"));
	});

	test("is shown before it is counted, once its name is known", async () => {
		const { report, find, call } = site();
		await report([sent(10)]);
		await call("POST", "/events", { body: { events: [sent(11, { idempotencyKey: "new" })] } });
		expect(shown(await find("customerId=acme&idempotencyKey=new"))).toHaveLength(1);
	});

	test("is not found in another environment", async () => {
		const { report, find, foreignKey } = site();
		await report([sent(10)]);
		await report([sent(11, { eventName: "login" })], foreignKey);
		expect(shown(await find("customerId=acme&idempotencyKey=k1"))).toHaveLength(1);
		expect(shown(await find("customerId=acme&idempotencyKey=k1", foreignKey))).toEqual([
			["login", null, "2026-01-11T00:00:00.000Z"],
		]);
		expect(shown(await find("customerId=acme&idempotencyKey=k1&eventName=api.call", foreignKey))).toEqual([]);
	});

	test("is found if it came before the customer existed", async () => {
		const { report, find, transactions, actor, environmentId } = site();
		transactions.write(actor, (work) => {
			changeEnvironment(work, environmentId, { unknownCustomers: "accept" });
		});
		await report([sent(10, { customerId: "later" })]);
		expect(shown(await find("customerId=later&idempotencyKey=k1"))).toHaveLength(1);
		transactions.write(actor, (work) => {
			provisionCustomer(work, { id: "later" });
		});
		expect(shown(await find("customerId=later&idempotencyKey=k1"))).toHaveLength(1);
	});

	test("is searched for if the log has dropped keys, is busy, or has too many names", async () => {
		const { report, find, asked, answering } = site();
		await report([sent(10), ...Array.from({ length: 3 }, (_, at) => sent(11, { eventName: `n${at}` }))]);
		for (const result of [
			{ kind: "found", positions: null },
			{ kind: "unavailable", message: "Busy.", retryAfterSeconds: 1 },
		] as const) {
			answering(result);
			expect(shown(await find("customerId=acme&idempotencyKey=k1"))).toHaveLength(4);
		}
		const many = site();
		const names = Array.from({ length: 501 }, (_, at) => sent(10, { eventName: `n${at}` }));
		await many.report(names);
		many.asked.length = 0;
		expect(shown(await many.find("customerId=acme&idempotencyKey=k1&limit=1"))).toHaveLength(1);
		expect([asked.length > 0, many.asked]).toEqual([true, []]);
	});

	test("events with the key come page by page", async () => {
		const { report, find } = site();
		await report([10, 11, 12].map((day) => sent(day, { eventName: `on-${day}` })));
		const names: string[] = [];
		for (let after = "", pages = 0; pages < 10; pages += 1) {
			const page = await find(`customerId=acme&idempotencyKey=k1&limit=2${after}`);
			names.push(...shown(page).map(([name]) => name));
			if (page.body.pagination.next === null) break;
			after = `&after=${page.body.pagination.next}`;
		}
		expect(names).toEqual(["on-12", "on-11", "on-10"]);
	});
});

test("fingerprints are complete until the first are dropped", async () => {
	const { folder } = world();
	const set = new FingerprintSet({
		folder: `${folder}/some-fingerprints`,
		isOurs: () => true,
		isLast: () => true,
		onTrouble: (error) => {
			throw error;
		},
		recentMax: 4,
	});
	for (let at = 1; at <= 4; at += 1) set.add(at, at, at);
	set.tidy(4, 100);
	expect(set.isWhole).toBe(true);
	set.dropOldest([4, 4]);
	expect(set.isWhole).toBe(false);
	set.close();
});
