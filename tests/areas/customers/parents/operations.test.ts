import { expect, setDefaultTimeout, test } from "bun:test";
import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { flat, type Till, till, used } from "../../subscriptions/billing";

setDefaultTimeout(60_000);

const drift = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [...checkRates(work), ...checkSubscriptionBills(work)]);

/** A parent, and a child that bills to it. */
async function family() {
	const ours = await till("2026-03-01T00:00:00Z");
	await ours.customer("group", { name: "The Group" });
	await ours.customer("north", { name: "North", parentCustomerId: "group", billsTo: "PARENT" });
	await ours.plan("pro", [flat({ month: 30 }), used("calls", { month: 1 })]);
	const move = (id: string, body: object) => ours.call("PATCH", `/customers/${id}`, { body });
	return { ...ours, move };
}

const linesOf = async ({ insist }: Till, customer: string) =>
	(await insist("GET", `/customers/${customer}/invoices?limit=100`)).flatMap(
		({ lineItems }: { lineItems: object[] }) => lineItems,
	);

test("2.24: the parent pays for what its child buys, renews and uses; lines name the child", async () => {
	const ours = await family();
	const id = await ours.buy("pro", { customerId: "north" });
	await ours.use("calls", 7, undefined, "north");
	await ours.advance("2026-04-01T00:00:00Z");
	expect(await ours.books("group")).toEqual(["2026-03-01: 30 = pro 30", "2026-04-01: 37 = pro 30 + 7 Calls (pro) 7"]);
	expect(await ours.books("north")).toEqual([]);
	for (const line of await linesOf(ours, "group"))
		expect(line).toMatchObject({ customerId: "north", subscriptionId: id });
	expect(drift(ours)).toEqual([]);
	await ours.advance("2026-04-11T00:00:00Z");
	await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
	expect((await ours.books("group")).at(-1)).toBe("2026-04-11: -20 = Unused time: pro -20");
	expect(drift(ours)).toEqual([]);
});

test("2.24: a payingCustomerId goes before the parent, also that of the customer itself", async () => {
	const ours = await family();
	await ours.customer("third");
	await ours.plan("other", [flat({ month: 5 })], {});
	await ours.buy("pro", { customerId: "north", payingCustomerId: "third" });
	await ours.advance("2026-04-01T00:00:00Z");
	expect(await ours.books("third")).toEqual(["2026-03-01: 30 = pro 30", "2026-04-01: 30 = pro 30"]);
	expect(await ours.books("group")).toEqual([]);
	for (const line of await linesOf(ours, "third")) expect(line).not.toHaveProperty("customerId");
	const [{ id }] = await ours.insist("GET", "/subscriptions?customerId=north");
	await ours.insist("POST", `/subscriptions/${id}/delegate`, { targetCustomerId: "north" });
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books("north")).toEqual(["2026-05-01: 30 = pro 30"]);
	await ours.insist("POST", `/subscriptions/${id}/delegate`, { targetCustomerId: "group" });
	await ours.advance("2026-06-01T00:00:00Z");
	expect(await ours.books("group")).toEqual(["2026-06-01: 30 = pro 30"]);
});

test("a change of parent or payer applies from the next invoice on", async () => {
	const ours = await family();
	await ours.customer("holding");
	await ours.buy("pro", { customerId: "north" });
	expect((await ours.move("north", { billsTo: "SELF" })).body.data).toMatchObject({
		parentCustomerId: "group",
		billsTo: "SELF",
	});
	await ours.advance("2026-04-01T00:00:00Z");
	await ours.move("north", { billsTo: "PARENT", parentCustomerId: "holding" });
	await ours.advance("2026-05-01T00:00:00Z");
	expect(await ours.books("group")).toEqual(["2026-03-01: 30 = pro 30"]);
	expect(await ours.books("north")).toEqual(["2026-04-01: 30 = pro 30"]);
	expect(await ours.books("holding")).toEqual(["2026-05-01: 30 = pro 30"]);
	expect(drift(ours)).toEqual([]);
	const alone = await ours.move("north", { billsTo: "SELF", parentCustomerId: null });
	expect(alone.body.data).not.toHaveProperty("parentCustomerId");
	expect(alone.body.data).not.toHaveProperty("billsTo");
});

test("a parent without billsTo changes no invoice", async () => {
	const ours = await till("2026-03-01T00:00:00Z");
	await ours.customer("group");
	await ours.customer("north", { parentCustomerId: "group" });
	await ours.customer("south", { parentCustomerId: "group", billsTo: "SELF" });
	await ours.plan("pro", [flat({ month: 30 })]);
	for (const customerId of ["acme", "north", "south"]) await ours.buy("pro", { customerId });
	await ours.advance("2026-05-01T00:00:00Z");
	const alone = await ours.books();
	expect(await ours.books("north")).toEqual(alone);
	expect(await ours.books("south")).toEqual(alone);
	for (const line of await linesOf(ours, "north")) expect(line).not.toHaveProperty("customerId");
	expect(await ours.books("group")).toEqual([]);
});

const refusals: ReadonlyArray<readonly [string, string, object, number, string, string]> = [
	["an unknown parent", "acme", { parentCustomerId: "nobody" }, 404, "CustomerNotFound", "body/parentCustomerId"],
	["itself", "acme", { parentCustomerId: "acme" }, 400, "InvalidArgumentError", "cannot be its own parent"],
	["a child as parent", "acme", { parentCustomerId: "north" }, 400, "InvalidArgumentError", "one level of parents"],
	["a circle", "group", { parentCustomerId: "north" }, 400, "InvalidArgumentError", "one level of parents"],
	[
		"a parent for a parent",
		"group",
		{ parentCustomerId: "acme" },
		400,
		"InvalidArgumentError",
		"the parent of 'north'",
	],
	["no parent to bill to", "acme", { billsTo: "PARENT" }, 400, "InvalidArgumentError", "body/billsTo"],
	["a parent that is taken away", "north", { parentCustomerId: null }, 400, "InvalidArgumentError", "body/billsTo"],
	["an archived parent", "acme", { parentCustomerId: "gone" }, 400, "EntityIsArchivedError", "unarchive it first"],
	["another payer", "north", { billsTo: "UNCLE" }, 400, "BadUserInput", "billsTo"],
	["a null payer", "north", { billsTo: null }, 400, "BadUserInput", "billsTo"],
	["a number", "acme", { parentCustomerId: 7 }, 400, "BadUserInput", "parentCustomerId"],
	["a long id", "acme", { parentCustomerId: "x".repeat(300) }, 400, "BadUserInput", "parentCustomerId"],
	["an unknown key", "acme", { parentId: "group" }, 400, "BadUserInput", "parentId"],
];

test("refuses parents that break the rules, and changes nothing", async () => {
	const ours = await family();
	await ours.customer("gone");
	await ours.insist("POST", "/customers/gone/archive");
	const before = await ours.insist("GET", "/customers?limit=100");
	for (const [name, id, body, status, code, text] of refusals) {
		const answer = await ours.move(id, body);
		expect([name, answer.status, answer.body.code]).toEqual([name, status, code]);
		expect(answer.body.message).toContain(text);
	}
	expect(await ours.insist("GET", "/customers?limit=100")).toEqual(before);
	const created = await ours.call("POST", "/customers", { body: { id: "x", parentCustomerId: "north" } });
	expect([created.status, created.body.code]).toEqual([400, "InvalidArgumentError"]);
	expect((await ours.call("GET", "/customers/x")).status).toBe(404);
});

test("2.24: a parent with live children cannot be archived or erased", async () => {
	const ours = await family();
	const archived = await ours.call("POST", "/customers/group/archive");
	expect([archived.status, archived.body.code]).toEqual([400, "CannotDeleteCustomerError"]);
	expect(archived.body.message).toContain("the parent of 'north'");
	const erased = await ours.call("POST", "/customers/group/erase");
	expect([erased.status, erased.body.code]).toEqual([400, "CannotDeleteCustomerError"]);
	expect(erased.body.message).toContain("it is the parent of 'north'");
	await ours.insist("POST", "/customers/north/archive");
	await ours.insist("POST", "/customers/group/archive");
	const back = await ours.call("POST", "/customers/north/unarchive");
	expect([back.status, back.body.code]).toEqual([400, "EntityIsArchivedError"]);
	await ours.insist("POST", "/customers/group/unarchive");
	await ours.insist("POST", "/customers/north/unarchive");
	expect(await ours.insist("GET", "/customers/north")).toMatchObject({ parentCustomerId: "group" });
});

test("lists the children of a customer", async () => {
	const ours = await family();
	await ours.customer("south", { parentCustomerId: "group" });
	const ids = async (query: string) =>
		(await ours.insist("GET", `/customers?${query}`)).map(({ id }: { id: string }) => id).sort();
	expect(await ids("parentCustomerId=group")).toEqual(["north", "south"]);
	expect(await ids("parentCustomerId=north")).toEqual([]);
	expect((await ours.call("GET", "/customers?parentCustomerId=nobody")).body.code).toBe("CustomerNotFound");
});

test("an import sets parents, whatever the order of its items", async () => {
	const ours = await family();
	const item = (id: string, more: object = {}) => ({ id, name: id, email: null, ...more });
	const imported = (...customers: object[]) => ours.call("POST", "/customers/import", { body: { customers } });
	const child = item("leaf", { parentCustomerId: "root", billsTo: "PARENT" });
	expect((await imported(child, item("root"))).status).toBe(200);
	expect(await ours.insist("GET", "/customers/leaf")).toMatchObject({ parentCustomerId: "root", billsTo: "PARENT" });
	expect((await imported(item("leaf"))).status).toBe(200);
	expect(await ours.insist("GET", "/customers/leaf")).toMatchObject({ parentCustomerId: "root", billsTo: "PARENT" });
	const circle = await imported(item("one", { parentCustomerId: "two" }), item("two", { parentCustomerId: "one" }));
	expect([circle.status, circle.body.code]).toEqual([400, "InvalidArgumentError"]);
	expect(circle.body.message).toContain("body/customers/1/parentCustomerId");
	expect((await ours.call("GET", "/customers/one")).status).toBe(404);
});

test("a customer whose parent pays cannot change its subscription in the portal", async () => {
	const ours = await family();
	await ours.buy("pro", { customerId: "north" });
	const shown = await ours.insist("GET", "/customers/north/portal");
	expect(shown.subscriptions[0].allowed).toEqual({
		...{ changePlan: false, changeQuantities: false, changeAddons: false, cancel: false },
	});
	await ours.move("north", { billsTo: "SELF" });
	expect((await ours.insist("GET", "/customers/north/portal")).subscriptions[0].allowed.cancel).toBe(true);
});
