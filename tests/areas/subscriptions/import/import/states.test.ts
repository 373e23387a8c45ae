import { describe, expect, test } from "bun:test";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { runImport } from "../../../../../src/areas/subscriptions/import/import";
import type { SubscriptionStatus } from "../../../../../src/areas/subscriptions/schema";
import { claimTask } from "../../../../../src/tasks/operations";
import type { World } from "../../../../support/world";
import { invoicesOf, provision, shop } from "../../shop";

const now = "2026-01-31T00:00:00Z";

/** Imports one item, as the importer's thread does; returns the reason of a rejection. */
async function importOne(ours: World, item: object): Promise<string | undefined> {
	const sent = { id: "s", customerId: "acme", planId: "basic", ...item };
	const { taskId } = (await ours.call("POST", "/subscriptions/import", { body: { subscriptions: [sent] } })).body.data;
	const task = ours.transactions.write(systemActor(""), (work) => claimTask(work, ["IMPORT_SUBSCRIPTIONS"]));
	if (!task) throw new Error("there is a task");
	await runImport(ours.thread, task);
	const [refusal] = (await ours.call("GET", `/tasks/${taskId}`)).body.data.importErrors;
	return refusal?.error.split(": ")[1];
}

type Setup = (ours: World) => Promise<unknown>;
const basic = (body: object): Setup => {
	return (ours) => provision(ours, { id: "s", planId: "basic", ...body });
};
const imported = (body: object): Setup => {
	return async (ours) => expect(await importOne(ours, body)).toBeUndefined();
};
const trial = (trialEndBehavior: string) =>
	basic({ trialOverrideConfiguration: { isTrial: true, trialEndDate: "2026-02-14T00:00:00Z", trialEndBehavior } });
const unpaid = basic({ awaitPaymentConfirmation: true });
const later =
	(setup: Setup, at: string): Setup =>
	async (ours) => {
		await setup(ours);
		await ours.advance(at);
	};

const setups: Record<string, Setup> = {
	"no subscription": async () => undefined,
	NOT_STARTED: basic({ startDate: "2026-03-10T00:00:00Z" }),
	PAYMENT_PENDING: unpaid,
	IN_TRIAL: trial("CONVERT_TO_PAID"),
	ACTIVE: basic({}),
	"EXPIRED at its agreed end": imported({ startDate: "2025-06-10T00:00:00Z", endDate: "2026-01-10T00:00:00Z" }),
	"EXPIRED with its trial": later(trial("CANCEL_SUBSCRIPTION"), "2026-02-20T00:00:00Z"),
	"EXPIRED unpaid": later(unpaid, "2026-02-20T00:00:00Z"),
	CANCELED: async (ours) => {
		await basic({})(ours);
		await ours.call("POST", "/subscriptions/s/cancel", { body: { cancellationTime: "IMMEDIATE", prorate: false } });
	},
};

const running = {};
const fromDecember = { startDate: "2025-12-10T00:00:00Z" };
const inMarch = { startDate: "2026-03-20T00:00:00Z" };
const over = { startDate: "2025-06-10T00:00:00Z", endDate: "2026-01-20T00:00:00Z" };
const free = { planId: "free" };

/** The status and reason after the import, and its invoices until 1 July (9.99 each); or the code of the rejection. */
type Outcome = string | { status: string; cancelReason: string | null; invoiced: string[] };
const becomes = (status: string, invoiced: string[] = [], cancelReason: string | null = null): Outcome => ({
	status,
	cancelReason,
	invoiced,
});
/** The days of 2026 with an invoice. */
const each = (day: number, ...months: number[]) =>
	months.map((month) => `2026-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`);
const atMonthsEnds = ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30"];

const cases: ReadonlyArray<readonly [string, object, Outcome]> = [
	["no subscription", running, becomes("ACTIVE", atMonthsEnds)],
	["no subscription", fromDecember, becomes("ACTIVE", each(10, 2, 3, 4, 5, 6))],
	["no subscription", inMarch, becomes("NOT_STARTED", each(20, 3, 4, 5, 6))],
	["no subscription", over, becomes("EXPIRED", [], "EXPIRED")],
	["no subscription", free, becomes("ACTIVE")],
	["NOT_STARTED", running, becomes("NOT_STARTED", each(10, 3, 4, 5, 6))],
	["NOT_STARTED", fromDecember, becomes("ACTIVE", each(10, 2, 3, 4, 5, 6))],
	["NOT_STARTED", inMarch, becomes("NOT_STARTED", each(20, 3, 4, 5, 6))],
	["NOT_STARTED", over, becomes("EXPIRED", [], "EXPIRED")],
	["PAYMENT_PENDING", running, "InvalidSubscriptionStatus"],
	["PAYMENT_PENDING", fromDecember, "InvalidSubscriptionStatus"],
	["PAYMENT_PENDING", free, "InvalidSubscriptionStatus"],
	["IN_TRIAL", running, becomes("IN_TRIAL", each(14, 2, 3, 4, 5, 6))],
	["IN_TRIAL", fromDecember, becomes("IN_TRIAL", each(14, 2, 3, 4, 5, 6))],
	["IN_TRIAL", { planId: "pro", billingPeriod: "ANNUALLY" }, becomes("IN_TRIAL", each(14, 2))],
	["IN_TRIAL", free, becomes("ACTIVE")],
	["IN_TRIAL", over, becomes("EXPIRED", [], "EXPIRED")],
	["IN_TRIAL", inMarch, "InvalidSubscriptionStatus"],
	["ACTIVE", running, becomes("ACTIVE", [now.slice(0, 10), ...atMonthsEnds])],
	["ACTIVE", fromDecember, becomes("ACTIVE", [now.slice(0, 10), ...each(10, 2, 3, 4, 5, 6)])],
	["ACTIVE", free, becomes("ACTIVE", [now.slice(0, 10)])],
	["ACTIVE", over, becomes("EXPIRED", [now.slice(0, 10)], "EXPIRED")],
	["ACTIVE", inMarch, "InvalidSubscriptionStatus"],
	["EXPIRED at its agreed end", { endDate: null }, becomes("ACTIVE", each(10, 2, 3, 4, 5, 6))],
	["EXPIRED at its agreed end", { ...inMarch, endDate: null }, becomes("NOT_STARTED", each(20, 3, 4, 5, 6))],
	["EXPIRED at its agreed end", over, becomes("EXPIRED", [], "EXPIRED")],
	["EXPIRED with its trial", running, "SubscriptionAlreadyCanceledOrExpired"],
	["EXPIRED unpaid", running, "SubscriptionAlreadyCanceledOrExpired"],
	["CANCELED", running, "SubscriptionAlreadyCanceledOrExpired"],
];

describe("an import of an existing subscription", () => {
	test("every status is in the table", () => {
		const all: readonly SubscriptionStatus[] = [
			...(["NOT_STARTED", "PAYMENT_PENDING", "IN_TRIAL", "ACTIVE", "EXPIRED", "CANCELED"] as const),
		];
		const imported = new Set(cases.map(([setup]) => setup.split(" ")[0]));
		expect(all.filter((status) => !imported.has(status))).toEqual([]);
		expect(Object.keys(setups).filter((setup) => !cases.some(([of]) => of === setup))).toEqual([]);
	});

	test.each(cases)("%s, of %j", async (setup, item, outcome) => {
		const ours = await shop();
		await ours.advance(now);
		await setups[setup]?.(ours);
		const get = async () => (await ours.call("GET", "/subscriptions/s")).body.data;
		const before = await get();
		const refusal = await importOne(ours, item);
		if (typeof outcome === "string") {
			expect(refusal).toBe(outcome);
			expect(await get()).toEqual(before);
			return;
		}
		expect(refusal).toBeUndefined();
		const { status, cancelReason } = await get();
		const once = await get();
		expect(await importOne(ours, item)).toBeUndefined();
		expect(await get()).toEqual(once);
		await ours.advance("2026-07-01T00:00:00Z");
		const invoiced = (await invoicesOf(ours)).map(({ issueDate }) => issueDate.slice(0, 10));
		expect({ status, cancelReason, invoiced }).toEqual(outcome);
	});

	test("leaves the invoice of a first payment open, and only its payment activates the subscription", async () => {
		const ours = await shop();
		await unpaid(ours);
		expect(await importOne(ours, {})).toBe("InvalidSubscriptionStatus");
		const [invoice] = await invoicesOf(ours);
		expect(invoice).toMatchObject({ state: "OPEN", total: 9.99 });
		expect((await ours.call("POST", "/subscriptions/s/invoice/paid")).status).toBe(200);
		expect(await importOne(ours, {})).toBeUndefined();
		expect((await ours.call("GET", "/subscriptions/s")).body.data).toMatchObject({
			status: "ACTIVE",
			currentBillingPeriodStart: "2026-01-31T00:00:00.000Z",
		});
	});

	test("treats an end that is not written yet as an end", async () => {
		const ours = await shop();
		await basic({ cancellationDate: "2026-02-10T00:00:00Z" })(ours);
		ours.clock.at = (ours.clock.at + 30 * 86_400_000) as typeof ours.clock.at;
		expect(await importOne(ours, {})).toBe("SubscriptionAlreadyCanceledOrExpired");
	});

	test("ends the active subscription of its slot", async () => {
		const ours = await shop();
		await ours.advance(now);
		await provision(ours, { id: "other", planId: "basic" });
		expect(await importOne(ours, {})).toBeUndefined();
		const other = (await ours.call("GET", "/subscriptions/other")).body.data;
		expect(other).toMatchObject({ status: "CANCELED", cancelReason: "UPGRADE_OR_DOWNGRADE" });
	});
});
