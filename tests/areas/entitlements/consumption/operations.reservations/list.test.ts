import { describe, expect, test } from "bun:test";
import { getCustomer } from "../../../../../src/areas/customers/operations";
import { insertReservation, rowsExaminedMax } from "../../../../../src/areas/entitlements/reservations/store";
import type { UsageReservationRow } from "../../../../../src/areas/entitlements/reservations/table";
import { getFeature } from "../../../../../src/areas/features/operations";
import { guard, isRefusal } from "../../../packages/guards";
import { type Site, site } from "../site";

guard([{ method: "GET", path: "/customers/acme/reservations", scope: "USAGE:READ" }], async () => {});

const list = async (ours: Site, query = "") => (await ours.call("GET", `/customers/acme/reservations?${query}`)).body;

const hold = async (ours: Site, featureId: string, body: object = {}): Promise<string> =>
	(await ours.reserve(featureId, body)).body.data.reservation.id;

/** One reservation of each state, the newest first. */
async function ofEachState(ours: Site) {
	const expired = await hold(ours, "seats", { expiresIn: 60 });
	const committed = await hold(ours, "tokens");
	await ours.call("POST", `/reservations/${committed}/commit`, { body: {} });
	const released = await hold(ours, "tokens");
	await ours.call("POST", `/reservations/${released}/release`);
	const held = await hold(ours, "tokens", { expiresIn: 61 });
	await ours.advance("PT60S");
	return { held, released, committed, expired };
}

describe("a customer's reservations", () => {
	test("are listed the newest first, each as its own route shows it", async () => {
		const ours = await site();
		const { held, released, committed, expired } = await ofEachState(ours);
		const { data, pagination } = await list(ours);
		expect(data.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
			[held, "HELD"],
			[released, "RELEASED"],
			[committed, "COMMITTED"],
			[expired, "EXPIRED"],
		]);
		expect(pagination).toEqual({ next: null, prev: null });
		for (const one of data) expect((await ours.call("GET", `/reservations/${one.id}`)).body.data).toEqual(one);
	});

	test("can be filtered by state at the environment's clock, by feature and by resource", async () => {
		const ours = await site();
		const { held, released, committed, expired } = await ofEachState(ours);
		const idsOf = async (query: string) => (await list(ours, query)).data.map(({ id }: { id: string }) => id);
		expect(await idsOf("status=HELD")).toEqual([held]);
		expect(await idsOf("status=EXPIRED")).toEqual([expired]);
		expect(await idsOf("status=EXPIRED,COMMITTED")).toEqual([committed, expired]);
		expect(await idsOf("featureId=seats")).toEqual([expired]);
		expect(await idsOf("featureId=tokens&status=RELEASED")).toEqual([released]);
		expect(await idsOf("featureId=seats&status=HELD")).toEqual([]);
		expect(await idsOf("featureId=nobody-has-this")).toEqual([]);
		await ours.advance("PT1S");
		expect(await idsOf("status=HELD")).toEqual([]);
		expect(await idsOf("status=EXPIRED")).toEqual([held, expired]);
		expect(await idsOf("resourceId=none-of-this-name")).toEqual([]);
	});

	test("belong to the customer and the environment", async () => {
		const ours = await site();
		await hold(ours, "tokens");
		await ours.call("POST", "/customers", { body: { id: "bob" } });
		await ours.call("POST", "/customers", { body: { id: "acme" }, key: ours.foreignKey });
		const of = async (customer: string, key = ours.key) =>
			(await ours.call("GET", `/customers/${customer}/reservations`, { key })).body.data;
		expect([await of("acme"), await of("bob"), await of("acme", ours.foreignKey)]).toEqual([
			[expect.objectContaining({ customerId: "acme" })],
			[],
			[],
		]);
		const [{ id }] = await of("acme");
		isRefusal(await ours.call("GET", "/customers/nobody/reservations"), 404, "CustomerNotFound");
		const elsewhere = await ours.call("GET", `/customers/bob/reservations?after=${id}`);
		isRefusal(elsewhere, 400, "BadUserInput", "cursor");
	});

	test("page in both directions", async () => {
		const ours = await site();
		const ids: string[] = [];
		for (let at = 0; at < 5; at += 1) ids.unshift(await hold(ours, "pages"));
		for (const query of ["", "status=HELD&"]) {
			const first = await list(ours, `${query}limit=2`);
			const second = await list(ours, `${query}limit=2&after=${first.pagination.next}`);
			const third = await list(ours, `${query}limit=2&after=${second.pagination.next}`);
			const pages = [first, second, third].map(({ data }) => data.map(({ id }: { id: string }) => id));
			expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
			expect([first.pagination.prev, third.pagination.next]).toEqual([null, null]);
			const back = await list(ours, `${query}limit=2&before=${third.pagination.prev}`);
			expect(back.data).toEqual(second.data);
		}
	});

	test("a page examines a bounded number, ends early and continues; HELD ones are found directly", async () => {
		const ours = await site();
		const oldest = await hold(ours, "seats", { expiresIn: 86_400 });
		released(ours, 2 * rowsExaminedMax);
		const first = await list(ours, "featureId=seats");
		expect(first).toEqual({ data: [], pagination: { next: expect.any(String), prev: null } });
		const second = await list(ours, `featureId=seats&after=${first.pagination.next}`);
		expect(second).toEqual({ data: [], pagination: { next: expect.any(String), prev: null } });
		const third = await list(ours, `featureId=seats&after=${second.pagination.next}`);
		expect(third).toMatchObject({ data: [{ id: oldest }], pagination: { next: null } });
		expect(await list(ours, "status=HELD")).toMatchObject({ data: [{ id: oldest }], pagination: { next: null } });
		const back = await list(ours, `status=COMMITTED&before=${oldest}`);
		expect(back).toEqual({ data: [], pagination: { next: null, prev: expect.any(String) } });
		const toTheStart = await list(ours, `status=RELEASED&before=${back.pagination.prev}&limit=1`);
		expect(toTheStart.data).toHaveLength(1);
	});

	test.each<[string, string]>([
		["status=GONE", "status"],
		["status=HELD,", "status"],
		["featureId=", "featureId"],
		[`featureId=${"x".repeat(256)}`, "featureId"],
		["resourceId=a%20b", "resourceId"],
		["limit=0", "limit"],
		["limit=101", "limit"],
		["after=1", "after"],
		["after=01900000-0000-7000-8000-000000000000", "cursor"],
	])("refuse %s", async (query, named) => {
		const ours = await site();
		isRefusal(await ours.call("GET", `/customers/acme/reservations?${query}`), 400, "BadUserInput", named);
	});
});

/** Inserts released reservations of `tokens`, newer than all others. */
function released({ transactions, actor }: Site, count: number): void {
	transactions.write(actor, (work) => {
		const subject = { customerId: getCustomer(work, "acme").id, featureId: getFeature(work, "tokens").id };
		for (let at = 0; at < count; at += 1)
			insertReservation(work, {
				...subject,
				id: work.newId(),
				environmentId: actor.environmentId,
				resourceRef: "",
				amount: "1" as UsageReservationRow["amount"],
				state: "RELEASED",
				expiresAt: work.now,
				idempotencyKey: null,
				committedAmount: null,
				reportId: null,
				dimensions: null,
				createdAt: work.now,
				endedAt: work.now,
			});
	});
}
