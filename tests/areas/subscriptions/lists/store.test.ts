import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Answer, World } from "../../../support/world";
import { shop } from "../shop";

type Subscription = Answer["body"];

let ours: World;
let all: readonly Subscription[];

/** Subscriptions of every status and pricing type, some with ends that are not written yet. */
beforeAll(async () => {
	ours = await shop();
	const plans = [
		{ planId: "free" },
		{ planId: "custom" },
		{ planId: "basic", billingPeriod: "MONTHLY" },
		{ planId: "pro", billingPeriod: "MONTHLY", charges: [{ id: "seats", quantity: 1, type: "FEATURE" }] },
	];
	const send = async (path: string, body: object) => {
		const answer = await ours.call("POST", path, { body });
		if (answer.status > 299) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
	};
	const day = (days: number) => new Date(ours.clock.at + days * 86_400_000).toISOString();
	for (let at = 0; at < 48; at += 1) {
		const customerId = `c${at % 40}`;
		if (at < 40) await send("/customers", { id: customerId, name: customerId, email: null });
		const trial = { isTrial: true, trialEndDate: day(at === 43 ? 3 : 1), trialEndBehavior: "CANCEL_SUBSCRIPTION" };
		const times = at % 16 === 7 ? { startDate: day(3) } : at % 16 === 11 ? { trialOverrideConfiguration: trial } : {};
		const on = at >= 40 || at % 5 === 0 ? { resourceId: `r${at % 3}` } : {};
		await send("/subscriptions", { id: `s${at}`, customerId, ...plans[at % 4], ...times, ...on });
		if (at % 7 === 0) await send(`/subscriptions/s${at}/cancel`, { cancellationTime: "IMMEDIATE" });
		if (at % 7 === 1)
			await send(`/subscriptions/s${at}/cancel`, { cancellationTime: "SPECIFIC_DATE", endDate: day(at % 2 ? 0.5 : 9) });
		Object.assign(ours.clock, { at: ours.clock.at + 3_600_000 });
	}
	const { at } = ours.clock;
	const problem = { kind: "RENEW", dueAt: at, code: null, message: "", since: at, attempts: 1, retryAt: at };
	ours.db.$client.run("UPDATE subscriptions SET problem = ? WHERE ref_id IN ('s1', 's2', 's11')", [
		JSON.stringify(problem),
	]);
	all = (await ours.call("GET", "/subscriptions?limit=100")).body.data;
});

test("has every combination", () => {
	const of = (field: string) => new Set(all.map((one) => one[field]));
	expect(all.length).toBeGreaterThanOrEqual(48);
	expect(of("status")).toEqual(new Set(["ACTIVE", "CANCELED", "EXPIRED", "IN_TRIAL", "NOT_STARTED"]));
	expect(of("pricingType")).toEqual(new Set(["FREE", "PAID", "CUSTOM"]));
	for (const ended of ["CANCELED", "EXPIRED"]) {
		const written = ours.db.$client.query("SELECT 1 FROM subscriptions WHERE status = ?").all(ended).length;
		expect(all.filter(({ status }) => status === ended).length).toBeGreaterThan(written);
	}
});

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
const statuses = ["PAYMENT_PENDING", "ACTIVE", "EXPIRED", "IN_TRIAL", "CANCELED", "NOT_STARTED"];

const asked = fc.record({
	status: optional(fc.subarray(statuses, { minLength: 1 })),
	pricingType: optional(fc.subarray(["FREE", "PAID", "CUSTOM"], { minLength: 1 })),
	planId: optional(fc.constantFrom("free", "pro", "basic", "custom", "none")),
	customerId: optional(fc.constantFrom("c0", "c3", "c39", "none")),
	resourceId: optional(fc.constantFrom("r0", "r1", "")),
	hasProblem: optional(fc.boolean()),
	trialEndsWithinDays: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 1 }),
	search: optional(fc.constantFrom("s", "s1", "s4", "S1", "none")),
	"createdAt[gt]": optional(fc.nat({ max: 49 })),
	"createdAt[lte]": optional(fc.nat({ max: 49 })),
});

/** By the fields of each row in the unfiltered list. */
function meets(query: Parameters<Parameters<typeof asked.map>[0]>[0], one: Subscription): boolean {
	const hour = (hours: number) => Date.parse(all.at(-1).createdAt) + hours * 3_600_000;
	const [after, until] = [query["createdAt[gt]"], query["createdAt[lte]"]];
	return (
		(query.status?.includes(one.status) ?? true) &&
		(query.pricingType?.includes(one.pricingType) ?? true) &&
		[undefined, one.planId].includes(query.planId) &&
		[undefined, one.customerId].includes(query.customerId) &&
		[undefined, one.resourceId ?? ""].includes(query.resourceId) &&
		[undefined, ["s1", "s2", "s11"].includes(one.id)].includes(query.hasProblem) &&
		one.id.startsWith(query.search ?? "") &&
		(query.trialEndsWithinDays === undefined || endsTrialWithin(one, query.trialEndsWithinDays)) &&
		(after === undefined || Date.parse(one.createdAt) > hour(after)) &&
		(until === undefined || Date.parse(one.createdAt) <= hour(until))
	);
}

function endsTrialWithin({ status, trialEndDate }: Subscription, days: number): boolean {
	const left = Date.parse(trialEndDate) - ours.clock.at;
	return status === "IN_TRIAL" && left > 0 && left <= days * 86_400_000;
}

test("lists trials that end soon by their end", async () => {
	const of = async (days: number) =>
		(await ours.call("GET", `/subscriptions?trialEndsWithinDays=${days}`)).body.data.map(({ id }: Subscription) => id);
	expect([await of(1), await of(2), await of(3)]).toEqual([["s27"], ["s27"], ["s27", "s43"]]);
});

test("shows exactly the filtered rows in pages, in the list's order, forwards and backwards", async () => {
	await fc.assert(
		fc.asyncProperty(asked, fc.integer({ min: 1, max: 9 }), async (query, limit) => {
			const from = Date.parse(all.at(-1).createdAt);
			const text = Object.entries({ ...query, limit })
				.filter(([, value]) => value !== undefined)
				.map(([name, value]) =>
					name.startsWith("createdAt")
						? `${encodeURIComponent(name)}=${new Date(from + Number(value) * 3_600_000).toISOString()}`
						: `${name}=${value}`,
				)
				.join("&");
			const met = all.filter((one) => meets(query, one));
			const sooner = (one: Subscription, other: Subscription) =>
				Date.parse(one.trialEndDate) - Date.parse(other.trialEndDate);
			const expected = (query.trialEndsWithinDays === undefined ? met : met.sort(sooner)).map(({ id }) => id);
			const pages: string[][] = [];
			let cursor: string | null = "";
			let last = "";
			while (cursor !== null) {
				const { status, body } = await ours.call("GET", `/subscriptions?${text}${cursor && `&after=${cursor}`}`);
				expect(status).toBe(200);
				pages.push(body.data.map(({ id }: Subscription) => id));
				cursor = body.pagination.next;
				last = body.pagination.prev ?? last;
			}
			expect(pages.flat()).toEqual(expected);
			const before = pages.at(-2);
			if (!before || pages.at(-1)?.length === 0) return;
			const back = await ours.call("GET", `/subscriptions?${text}&before=${last}`);
			expect(back.body.data.map(({ id }: Subscription) => id)).toEqual(before);
		}),
		{ numRuns: 150 },
	);
});
