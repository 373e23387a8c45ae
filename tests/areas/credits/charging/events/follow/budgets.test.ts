import { expect, test } from "bun:test";
import { checkBudgets } from "../../../../../../src/areas/governance/operations.check";
import { must } from "../../../../governance/site";
import { meteredSite } from "../site";

/** The metered site, where the budgets of a crew and its bots count the credits of `acme`. */
async function governed(bots: readonly string[]) {
	const ours = await meteredSite();
	const types = [
		{ id: "crew", displayName: "Crew", attributionKeys: [] },
		{ id: "bot", displayName: "Bot", attributionKeys: ["bot"] },
	];
	await must(ours.call("PUT", "/entity-types", { body: { types } }));
	const entities = [{ id: "crew", entityTypeId: "crew" }, ...bots.map((id) => ({ id, entityTypeId: "bot" }))];
	await must(ours.call("PUT", "/customers/acme/entities", { body: { entities } }));
	const budget = { currencyId: "gold", usageLimit: null, cadence: "P1M" };
	const put = (...items: object[]) =>
		must(ours.call("PUT", "/customers/acme/assignments", { body: { assignments: items } }));
	await put({ entityId: "crew", ...budget });
	for (const entityId of bots) await put({ entityId, parentId: "crew", ...budget });
	return {
		...ours,
		usage: async (): Promise<Record<string, number>> => {
			const { data } = (await must(ours.call("GET", "/customers/acme/governance?currencyIds=gold&limit=100"))).body;
			return Object.fromEntries(
				data.map(({ entityId, currentUsage }: { entityId: string; currentUsage: number }) => [entityId, currentUsage]),
			);
		},
		recount: () => ours.transactions.read(ours.actor, (work) => [...checkBudgets(work)]),
	};
}

const call = (bot: string) => ({ eventName: "call", dimensions: { bot, size: 4 } });

test("budgets of a currency count the credits of events, and a cancellation reverses them at all levels", async () => {
	const ours = await governed(["one", "two"]);
	const [first = ""] = await ours.send(call("one"), call("one"), call("two"), call("unknown"));
	await ours.job().run();
	const cost = (await ours.usage()).two ?? 0;
	expect(cost).toBeGreaterThan(0);
	expect(await ours.usage()).toEqual({ crew: 3 * cost, one: 2 * cost, two: cost });
	const events = [{ customerId: "acme", eventName: "call", idempotencyKey: first }];
	await must(ours.call("POST", "/events/cancel", { body: { events } }));
	await ours.job().run();
	expect(await ours.usage()).toEqual({ crew: 2 * cost, one: cost, two: cost });
	expect([...ours.recount(), ...ours.findings()]).toEqual([]);
});

test("many events share entries of the ledger, and each bot still has its own credits", async () => {
	const bots = Array.from({ length: 40 }, (_, at) => `bot-${at}`);
	const ours = await governed(bots);
	const sent = Array.from({ length: 400 }, (_, at) => ({
		...call(`bot-${at % 40}`),
		dimensions: { bot: `bot-${at % 40}`, size: 4, request: `r${at}` },
	}));
	await ours.send(...sent);
	await ours.job().run();
	const { crew = 0, ...each } = await ours.usage();
	expect(new Set(Object.values(each)).size).toBe(1);
	expect(crew).toBe((each["bot-0"] ?? 0) * 40);
	expect(crew).toBeGreaterThan(0);
	expect([...ours.recount(), ...ours.findings()]).toEqual([]);
});

test.each([3, 400])("%i events create the entities that they name, from the earliest event on", async (number) => {
	const ours = await governed([]);
	const type = {
		id: "bot",
		createsEntities: true,
		defaultAssignments: [{ currencyId: "gold", usageLimit: 1000, cadence: "P1M" }],
	};
	await must(ours.call("PUT", "/entity-types", { body: { types: [type] } }));
	await ours.advance("PT4H");
	const at = (minutes: number) => new Date(ours.clock.at + (240 - minutes) * 60_000).toISOString();
	await ours.send(
		...Array.from({ length: number }, (_, one) => ({
			eventName: "call",
			timestamp: at(one % 200),
			dimensions: { bot: `bot-${one % 3}`, size: 4, request: `r${one}` },
		})),
	);
	await ours.job().run();
	const { crew, ...each } = await ours.usage();
	expect(crew).toBe(0);
	const used = Object.values(each).reduce((sum, one) => sum + one, 0);
	const spent = ours.entries("CREDITS_CONSUMED").reduce((sum, { amount }) => sum + Number(amount), 0);
	expect([Object.keys(each).sort(), used]).toEqual([["bot-0", "bot-1", "bot-2"], spent]);
	expect(used).toBeGreaterThan(0);
	expect([...ours.recount(), ...ours.findings()]).toEqual([]);
});
