import { expect, test } from "bun:test";
import { contractOf, contractWorld } from "./support";

const day = (date: string) => `2026-${date}T00:00:00Z`;

/** The environment's time is 2026-01-31. */
async function ending() {
	const here = await contractWorld();
	const make = async (contractId: string, activationEndDate: string | undefined, more: object = {}) => {
		const [customerId, id] = [`customer-${contractId}`, `sub-${contractId}`];
		await here.call("POST", "/customers", { body: { id: customerId, name: contractId } });
		here.subscribe({ customerId, planId: "platform", id });
		const subscriptions = [{ existingSubscriptionId: id }];
		const body = contractOf({ contractId, customerId, activationEndDate, subscriptions, ...more });
		const { status, body: answer } = await here.call("POST", "/contracts", { body });
		if (status !== 201) throw new Error(JSON.stringify(answer));
	};
	await make("LATE", day("04-01"));
	await make("SOON", day("02-10"));
	await make("RENEWS", day("02-11"), { renewal: { autoRenew: true } });
	await make("OPEN", undefined);
	await make("SAME-DAY", day("02-10"));
	await make("ARCHIVED", day("02-12"));
	await make("ENDED", day("02-13"));
	await here.call("POST", "/contracts/ARCHIVED/archive");
	await here.call("POST", "/subscriptions/sub-ENDED/cancel", { body: { cancellationTime: "IMMEDIATE" } });
	const list = async (query: string) => {
		const { status, body } = await here.call("GET", `/contracts?${query}`);
		expect(status).toBe(200);
		return {
			ids: body.data.map(({ contractId }: { contractId: string }) => contractId),
			...body.pagination,
		} as { ids: string[]; next: string | null; prev: string | null };
	};
	return { ...here, list };
}

test("contracts that end soon come in the order in which they end; those that renew, or run no more, are left out", async () => {
	const { list, advance } = await ending();
	expect((await list("expiresWithinDays=9")).ids).toEqual([]);
	expect((await list("expiresWithinDays=10")).ids).toEqual(["SOON", "SAME-DAY"]);
	expect((await list("expiresWithinDays=60")).ids).toEqual(["SOON", "SAME-DAY", "LATE"]);
	expect((await list("expiresWithinDays=60&search=S")).ids).toEqual(["SOON", "SAME-DAY"]);
	expect((await list("expiresWithinDays=60&state=DRAFT")).ids).toEqual([]);
	expect((await list("expiresWithinDays=60&customerExternalId=customer-OPEN")).ids).toEqual([]);
	await advance("2026-02-10T00:00:00Z");
	expect((await list("expiresWithinDays=60")).ids).toEqual(["LATE"]);
});

test("they are paged, forwards and back", async () => {
	const { list } = await ending();
	const pages: string[][] = [];
	let cursor = "";
	for (let next: string | null = ""; next !== null; cursor = next === null ? cursor : `&after=${next}`) {
		const page = await list(`expiresWithinDays=60&limit=1${cursor}`);
		pages.push(page.ids);
		next = page.next;
	}
	expect(pages).toEqual([["SOON"], ["SAME-DAY"], ["LATE"]]);
	const last = await list(`expiresWithinDays=60&limit=1${cursor}`);
	const back = await list(`expiresWithinDays=60&limit=1&before=${last.prev}`);
	expect(back.ids).toEqual(["SAME-DAY"]);
});

test("another environment's are not among them, and its cursor leads nowhere", async () => {
	const { list, call, foreignKey } = await ending();
	const { next } = await list("expiresWithinDays=60&limit=1");
	const foreign = (query: string) => call("GET", `/contracts?expiresWithinDays=60${query}`, { key: foreignKey });
	expect((await foreign("")).body.data).toEqual([]);
	expect(await foreign(`&after=${next}`)).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
	const openEnded = (await call("GET", "/contracts?limit=100")).body.data;
	const [{ id }] = openEnded.filter(({ contractId }: { contractId: string }) => contractId === "OPEN");
	expect((await call("GET", `/contracts?expiresWithinDays=60&after=${id}`)).status).toBe(400);
});

for (const days of ["0", "1101", "soon", "1.5", "-1", ""])
	test(`expiresWithinDays=${days} is refused`, async () => {
		const { call } = await contractWorld();
		const answer = await call("GET", `/contracts?expiresWithinDays=${days}`);
		expect(answer).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		expect(answer.body.message).toContain("expiresWithinDays");
	});

test("both lists are read along the index of the end", async () => {
	const { db } = await ending();
	const plan = (sql: string) =>
		db.$client
			.query(`EXPLAIN QUERY PLAN ${sql}`)
			.all()
			.map((one) => (one as { detail: string }).detail);
	expect(
		plan(
			"SELECT * FROM contracts WHERE environment_id = ? AND renewal IS NULL AND archived_at IS NULL AND activation_end_at > ? AND activation_end_at <= ? AND (activation_end_at, id) > (?, ?) ORDER BY activation_end_at, id LIMIT 21",
		),
	).toEqual([expect.stringMatching(/USING INDEX contracts_expiring/)]);
	expect(
		plan(
			"SELECT * FROM subscriptions WHERE environment_id = ? AND status = 'IN_TRIAL' AND trial_end_at > ? AND trial_end_at <= ? AND (trial_end_at, id) > (?, ?) ORDER BY trial_end_at, id LIMIT 21",
		),
	).toEqual([expect.stringMatching(/USING INDEX subscriptions_trial_ends/)]);
});
