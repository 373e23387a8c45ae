import { beforeAll, describe, expect, test } from "bun:test";
import { audited, auditedTable, unaudited } from "../../../src/areas/audit/rules.tables";
import { type Exchange, play } from "../../contract/scenario";
import { entriesOf, expectWholeLog } from "../../support/audit";
import { type World, world } from "../../support/world";

let here: World;
let exchanges: readonly Exchange[];

beforeAll(async () => {
	({ here, exchanges } = await play());
}, 60_000);

test("every table of the main file is in one of the two lists", () => {
	const { db } = world();
	const tables = db.$client
		.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
		.all()
		.map(({ name }) => name);
	expect(tables.filter((name) => audited.has(name) === unaudited.has(name))).toEqual([]);
	expect([...audited, ...unaudited.keys()].filter((name) => !tables.includes(name))).toEqual([]);
	// Until somebody puts it into one of them.
	expect(auditedTable("inventions", [{ name: "id", type: "text", pk: 1 }])).toMatchObject({
		name: "inventions",
		key: ["id"],
	});
});

describe("every call that changes something leaves one entry", () => {
	const without: readonly RegExp[] = [
		// They change nothing.
		/\/preview$/,
		/^POST \/api\/v1\/(usage|events)\/estimate$/,
		/^POST \/api\/v1\/webhooks\/[^/]+\/test$/,
		// These tables store usage.
		/^POST \/api\/v1\/(usage|events|credits\/consumption)(\/async)?$/,
		/\/usage\/sync$/,
		/\/consume$/,
		/\/reservations?(\/|$)/,
		// The scenario sends what is there already.
		/^PATCH \/api\/v1\/(addons\/extra|plans\/pro)\/entitlements\/calls$/,
		/^PATCH \/api\/v1\/(customers\/acme|subscriptions\/sub-trial|contracts\/C-1)$/,
	];

	test("as its operation, by its request", () => {
		const byRequest = Map.groupBy(entriesOf(here), ({ request_id }) => request_id);
		const mutating = exchanges.filter(({ method }) => method !== "GET");
		const wrong = mutating
			.map(({ method, path, answer }) => {
				const entries = byRequest.get(answer.headers.get("x-request-id")) ?? [];
				return `${method} ${path}: ${entries.map(({ operation }) => operation).join(" and ") || "none"}`;
			})
			.filter((line) => !/: \w+\.[a-zA-Z.]+$/.test(line))
			.filter((line) => !without.some((one) => one.test(line.replace(/: none$/, ""))));
		expect(wrong).toEqual([]);
		//a-zA-Z]+\.[a-zA-Z.]+$/.test(line));
		expect(wrong).toEqual([]);
		expect(mutating.length).toBeGreaterThan(100);
	});

	test("and all of them together make the rows that there are", () => expectWholeLog(here));
});
