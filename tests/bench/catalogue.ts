import type { RunningServer } from "../support/process";
import { completed, ok, request } from "./serving";

/** The most that a bulk call accepts. */
const rowsMax = 1000;

/** `metered` grants a billion `calls` a month and is free; `pro` costs 20 a month. */
export async function stock(server: RunningServer): Promise<void> {
	await ok(server, "POST", "/products", { id: "app", displayName: "App" });
	await ok(server, "POST", "/features", {
		id: "calls",
		displayName: "Calls",
		featureType: "NUMBER",
		meterType: "INCREMENTAL",
	});
	const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: eventName }] }];
	await ok(server, "PATCH", "/features/calls", { meter: { aggregation: { function: "COUNT" }, filters } });
	await ok(server, "POST", "/plans", { id: "metered", displayName: "Metered", productId: "app" });
	await ok(server, "PATCH", "/plans/metered", { charges: { pricingType: "FREE" } });
	await ok(server, "POST", "/plans/metered/entitlements", {
		entitlements: [
			{
				type: "FEATURE",
				id: "calls",
				usageLimit: 1_000_000_000,
				resetPeriod: "MONTH",
				monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
			},
		],
	});
	await ok(server, "POST", "/plans", { id: "pro", displayName: "Pro", productId: "app" });
	const price = { billingPeriod: "MONTHLY", price: { amount: 20, currency: "usd" } };
	await ok(server, "PATCH", "/plans/pro", {
		charges: { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods: [price] }] },
	});
	for (const id of ["metered", "pro"]) await publish(server, id);
}

export const publish = (server: RunningServer, planId: string, migrationType = "NEW_CUSTOMERS") =>
	ok(server, "POST", `/plans/${planId}/publish`, { migrationType });

/** A number with so many digits, as the load generator writes it. */
export const digits = (value: number, count = 6): string => String(value).padStart(count, "0");

/** The customers `c-000000` and so on, `count` of them. */
export async function addCustomers(server: RunningServer, count: number, idOf = (at: number) => `c-${digits(at)}`) {
	await inParts(count, async (rows) => {
		const customers = rows.map((at) => ({ id: idOf(at), name: "Customer", email: null }));
		const { taskId } = await ok(server, "POST", "/customers/import", { customers });
		if (taskId) await completed(server, taskId);
	});
}

/** A subscription for each of the customers from `from` on. Resolves when all are there. */
export async function subscribe(server: RunningServer, planId: string, count: number, from = 0): Promise<void> {
	const tasks: string[] = [];
	await inParts(count, async (rows) => {
		const subscriptions = rows.map((at) => ({
			id: `s-${planId}-${digits(from + at)}`,
			customerId: `c-${digits(from + at)}`,
			planId,
			...(planId === "pro" && { billingPeriod: "MONTHLY" }),
		}));
		tasks.push((await ok(server, "POST", "/subscriptions/import", { subscriptions })).taskId);
	});
	for (const task of tasks) await completed(server, task);
}

async function inParts(count: number, body: (rows: readonly number[]) => Promise<void>): Promise<void> {
	for (let from = 0; from < count; from += rowsMax)
		await body(Array.from({ length: Math.min(rowsMax, count - from) }, (_, at) => from + at));
}

const eventName = "api.request";

/** A raw request with events of random customers, or of one; each with a key of its own. */
export function eventsRequest(perRequest: number, customerId = "c-@@@@@@"): string {
	const events = Array.from({ length: perRequest }, (_, at) => ({
		eventName,
		customerId,
		idempotencyKey: "#".repeat(12),
		timestamp: new Date(Date.now() - at).toISOString(),
		dimensions: { bytes: at, region: "eu-west" },
	}));
	return request("POST", "/events", JSON.stringify({ events }));
}

export const checkRequest = (customerId = "c-@@@@@@"): string =>
	request("GET", `/customers/${customerId}/entitlements/check?featureId=calls`);
