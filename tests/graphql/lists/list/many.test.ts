import { beforeAll, expect, test } from "bun:test";
import { shop } from "../../../areas/subscriptions/shop";
import type { World } from "../../../support/world";
import { data, nodes } from "../../ask";

const customersCount = 2_400;

let ours: World;

/** Beyond what a relation reads whole: every third customer is on `basic`, the others on `free`; three have canceled. */
beforeAll(async () => {
	ours = await shop();
	const id = (at: number) => `c${`${at}`.padStart(4, "0")}`;
	for (let from = 0; from < customersCount; from += 800) {
		const names = [null, "Ada", "Bo", "Cy"];
		const customers = Array.from({ length: 800 }, (_, at) => ({
			id: id(from + at),
			name: names[(from + at) % 4] ?? null,
			email: `${id(from + at)}@test`,
		}));
		await ours.call("POST", "/customers/import", { body: { customers } });
	}
	await ours.call("POST", "/customers/acme/archive");
	for (const [at, plan] of [{ planId: "basic", billingPeriod: "MONTHLY" }, { planId: "free" }].entries())
		await ours.call("POST", "/subscriptions", { body: { id: `s${id(at)}`, customerId: id(at), ...plan } });
	copySubscriptions(ours);
	for (const at of [7, 8, 2000]) await ours.call("POST", `/subscriptions/s${id(at)}/cancel`, { body: {} });
});

/** The only one of each plan, for the other customers. */
function copySubscriptions({ db: { $client: sqlite } }: World): void {
	const columns = sqlite
		.query<{ name: string }, []>("SELECT name FROM pragma_table_info('subscriptions')")
		.all()
		.map(({ name }) => name);
	const own: Readonly<Record<string, string>> = { id: "c.id", customer_id: "c.id", ref_id: "'s' || c.ref_id" };
	const values = columns.map((name) => own[name] ?? (name === "billing_id" ? "NULL" : `s."${name}"`));
	sqlite.run(
		`INSERT INTO subscriptions SELECT ${values.join(", ")} FROM customers AS c, subscriptions AS s
		WHERE s.ref_id = CASE WHEN substr(c.ref_id, 2) % 3 = 0 THEN 'sc0000' ELSE 'sc0001' END
			AND c.ref_id BETWEEN 'c0002' AND 'c9999'`,
	);
}

const customers = async (args: string): Promise<string[]> =>
	nodes<{ refId: string }>((await data(ours, `{ customers(${args}) { edges { node { refId } } } }`)).customers).map(
		({ refId }) => refId,
	);

const newest = (count: number, meets: (at: number) => boolean): string[] =>
	Array.from({ length: customersCount }, (_, at) => customersCount - 1 - at)
		.filter(meets)
		.slice(0, count)
		.map((at) => `c${`${at}`.padStart(4, "0")}`);

const hasCanceled = (at: number) => [7, 8, 2000].includes(at);

test.each([
	[`{ planId: { eq: "basic" } }`, (at: number) => at % 3 === 0],
	["{ status: { eq: ACTIVE } }", (at: number) => !hasCanceled(at)],
	["{ status: { eq: CANCELED } }", hasCanceled],
	[`{ planId: { eq: "free" }, status: { in: [CANCELED, EXPIRED] } }`, hasCanceled],
	["{ pricingType: { eq: FREE } }", (at: number) => at % 3 !== 0],
	[`{ customer: { name: { eq: "Bo" } } }`, (at: number) => at % 4 === 2],
	[`{ createdAt: { lt: "2000-01-01T00:00:00Z" } }`, () => false],
])("customers by their subscriptions: %s", async (filter, meets) => {
	expect(await customers(`filter: { subscriptions: ${filter} }, paging: { first: 50 }`)).toEqual(newest(50, meets));
});

test("addons, which come with their subscription, are looked for as the subscription's own", async () => {
	const { subscriptions } = await data(
		ours,
		"{ subscriptions(filter: { addons: { quantity: { gt: 0 } } }) { totalCount } }",
	);
	expect(subscriptions.totalCount).toBe(0);
});

const total = async (list: string, filter = "{}"): Promise<number> =>
	(await data(ours, `{ ${list}(filter: ${filter}) { totalCount } }`))[list].totalCount;

test("totals, also of what is kept only in part", async () => {
	expect(await total("customers")).toBe(customersCount);
	expect(await total("subscriptions")).toBe(customersCount);
	expect(await total("subscriptions", "{ status: { eq: ACTIVE } }")).toBe(customersCount - 3);
	expect(await total("subscriptions", "{ status: { in: [CANCELED, EXPIRED] } }")).toBe(3);
	expect(await total("subscriptions", `{ planId: { eq: "basic" } }`)).toBe(customersCount / 3);
	expect(await total("subscriptions", `{ planId: { eq: "none" } }`)).toBe(0);
	expect(await total("subscriptions", `{ planId: { in: ["free", "basic"] }, pricingType: { eq: PAID } }`)).toBe(
		customersCount / 3,
	);
	expect(await total("subscriptions", `{ planId: { eq: "basic" }, customer: { name: { eq: "Bo" } } }`)).toBe(
		customersCount / 12,
	);
	ours.db.$client.run("UPDATE subscriptions SET runs_until = ? WHERE ref_id IN ('sc0100', 'sc0101')", [ours.clock.at]);
	expect(await total("subscriptions", "{ status: { eq: ACTIVE } }")).toBe(customersCount - 5);
	expect(await total("subscriptions", "{ status: { eq: EXPIRED } }")).toBe(2);
	expect(await total("subscriptions", `{ status: { eq: EXPIRED }, planId: { eq: "free" } }`)).toBe(2);
	expect(await total("subscriptions", "{ status: { neq: ACTIVE } }")).toBe(5);
});

type Row = { readonly at: number; readonly name: string | undefined };

test.each([
	["name", "ASC", undefined],
	["name", "DESC", undefined],
	["name", "ASC", "NULLS_FIRST"],
	["name", "DESC", "NULLS_LAST"],
	["refId", "ASC", undefined],
	["createdAt", "DESC", undefined],
	["createdAt", "ASC", undefined],
] as const)("the order by %s %s %s is that of all rows, page by page, and back", async (field, direction, nulls) => {
	const rows = Array.from(
		{ length: customersCount },
		(_, at): Row => ({ at, name: [undefined, "Ada", "Bo", "Cy"][at % 4] }),
	);
	const nullsFirst = nulls ? nulls === "NULLS_FIRST" : direction === "DESC";
	const sign = direction === "ASC" ? 1 : -1;
	const keyOf = ({ at, name }: Row) =>
		field === "name" ? name : field === "refId" ? `c${`${at}`.padStart(4, "0")}` : "";
	const compare = (one: Row, other: Row): number => {
		const [left, right] = [keyOf(one), keyOf(other)];
		if (left === right) return other.at - one.at;
		if (left === undefined) return nullsFirst ? -1 : 1;
		if (right === undefined) return nullsFirst ? 1 : -1;
		return left < right ? -sign : sign;
	};
	const expected = rows.sort(compare).map(({ at }) => `c${`${at}`.padStart(4, "0")}`);
	const sorting = `sorting: [{ field: ${field}, direction: ${direction} ${nulls ? `, nulls: ${nulls}` : ""} }]`;
	const page = async (paging: string) => {
		const query = `{ customers(${sorting}, paging: { ${paging} }) { edges { node { refId } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`;
		const { edges, pageInfo } = (await data(ours, query)).customers;
		return { ids: nodes<{ refId: string }>({ edges }).map(({ refId }) => refId), ...pageInfo };
	};
	const seen: string[] = [];
	let last = await page("first: 97");
	for (;;) {
		seen.push(...last.ids);
		if (!last.hasNextPage) break;
		const next = await page(`first: 97, after: "${last.endCursor}"`);
		expect((await page(`last: 97, before: "${next.startCursor}"`)).ids).toEqual(last.ids);
		last = next;
	}
	expect(seen).toEqual(expected);
});
