import { expect, test } from "bun:test";
import { checkBudgets } from "../../../../src/areas/governance/operations.check";
import { must, type Site, site } from "../site";

const drafter = { agentId: "drafter" };

/** A team's budget of 10 tokens, of which the drafter may use 4, and has. */
async function spent() {
	const ours = await site();
	await ours.budget(
		{ entityId: "research", usageLimit: 10 },
		{ entityId: "drafter", parentId: "research", usageLimit: 4 },
	);
	await must(ours.consume(4, drafter));
	return ours;
}

const request = ({ call }: Site, body: object = {}) =>
	call("POST", "/customers/acme/budget-requests", {
		body: { entityId: "drafter", featureId: "tokens", amount: 3, duration: "PERIOD", ...body },
	});
const decide = ({ call }: Site, id: string, verb: string, body: object = {}) =>
	call("POST", `/budget-requests/${id}/${verb}`, { body });
const granted = async (ours: Site, amount: number) => (await ours.consume(amount, drafter)).body.data.isGranted;
const findings = ({ transactions, actor }: Site) => transactions.read(actor, (work) => [...checkBudgets(work)]);

test("an approval for the period raises the limit of the current window at once", async () => {
	const ours = await spent();
	const { id } = (await must(request(ours, { reason: "A long contract" }))).body.data;
	expect(await granted(ours, 1)).toBe(false);
	const { data } = (await must(decide(ours, id, "approve", { amount: 2 }))).body;
	expect(data).toEqual({
		...{ id, customerId: "acme", entityId: "drafter", featureId: "tokens", currencyId: null, amount: 3 },
		...{ approvedAmount: 2, reason: "A long contract", duration: "PERIOD", status: "APPROVED", expiresAt: null },
		...{ createdAt: "2026-01-31T00:00:00.000Z", updatedAt: "2026-01-31T00:00:00.000Z" },
	});
	expect(await granted(ours, 3)).toBe(false);
	expect(await granted(ours, 2)).toBe(true);
	const tree = (await ours.call("GET", "/customers/acme/governance?featureIds=tokens&entityIdSearch=drafter")).body
		.data;
	expect(tree[0]).toMatchObject({ usageLimit: 6, currentUsage: 6, utilization: 1 });
	expect((await ours.call("GET", "/customers/acme/assignments?entityId=drafter")).body.data[0].usageLimit).toBe(4);
	expect(findings(ours)).toEqual([]);
	await ours.advance("P1M");
	expect(await granted(ours, 5)).toBe(false);
	expect(await granted(ours, 4)).toBe(true);
});

test("a permanent approval raises the limit of all windows, and keeps the rules of the tree", async () => {
	const ours = await spent();
	const { id } = (await must(request(ours, { duration: "PERMANENT" }))).body.data;
	await must(decide(ours, id, "approve"));
	expect((await ours.call("GET", "/customers/acme/assignments?entityId=drafter")).body.data[0].usageLimit).toBe(7);
	expect(await granted(ours, 3)).toBe(true);
	await ours.budget({ entityId: "drafter", usageLimit: 7, allocated: true });
	const more = (await must(request(ours, { duration: "PERMANENT", amount: 4 }))).body.data;
	expect((await decide(ours, more.id, "approve")).body.message).toContain("total 11, and its limit is 10");
	expect((await must(ours.call("GET", "/customers/acme/budget-requests?status=PENDING"))).body.data).toHaveLength(1);
});

test("a declined or expired request cannot be approved", async () => {
	const ours = await spent();
	const declined = (await must(request(ours))).body.data;
	expect(declined).toMatchObject({ status: "PENDING", expiresAt: "2026-02-07T00:00:00.000Z" });
	await must(decide(ours, declined.id, "decline"));
	const expired = (await must(request(ours))).body.data;
	await ours.advance("P7D");
	for (const [id, status] of [
		[declined.id, "DECLINED"],
		[expired.id, "EXPIRED"],
	])
		expect((await decide(ours, id, "approve")).body).toEqual({
			code: "InvalidArgumentError",
			message: `Budget request '${id}' is ${status}; create another one.`,
		});
	expect(await granted(ours, 1)).toBe(false);
});

test("a person does not approve their own request", async () => {
	const ours = await spent();
	const { id } = (await must(request(ours))).body.data;
	const user = { ...ours.actor, kind: "USER", id: "ada" };
	ours.db.$client.run("UPDATE budget_requests SET requested_by = 'USER ada'");
	const { approveRequest } = await import("../../../../src/areas/governance/requests/operations");
	expect(() => ours.transactions.write(user, (work) => approveRequest(work, id, {}))).toThrow("is your own");
});

test("requests that make no sense are refused with the remedy", async () => {
	const ours = await spent();
	const refusal = async (body: object) => (await request(ours, body)).body;
	expect((await refusal({ entityId: "none" })).message).toContain("body/entityId: the customer has no entity 'none'");
	expect((await refusal({ entityId: "gpt" })).message).toContain("'gpt' has no limit for this feature or currency");
	expect((await refusal({ featureId: "none" })).code).toBe("FeatureNotFound");
	expect((await refusal({ currencyId: "credits" })).message).toContain("exactly one of 'featureId' and 'currencyId'");
	for (const amount of [0, -1, 0.0000001]) expect((await refusal({ amount })).message).toContain("body/amount");
	const { id } = (await must(request(ours))).body.data;
	expect((await decide(ours, id, "approve", { amount: 4 })).body.message).toBe(
		"body/amount: 4 is more than the requested 3; approve at most that.",
	);
	expect((await decide(ours, "none", "approve")).status).toBe(404);
	expect((await ours.call("POST", `/budget-requests/${id}/approve`, { body: {}, key: ours.foreignKey })).status).toBe(
		404,
	);
	for (let at = 1; at < 20; at += 1) await must(request(ours));
	expect((await refusal({})).message).toContain("has 20 undecided requests");
});
