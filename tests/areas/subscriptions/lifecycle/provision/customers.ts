import type { World } from "../../../../support/world";
import { shop } from "../../shop";

export let ours: World;

/** Opens the shop. Each test file calls this once, before its tests. */
export async function openShop(): Promise<void> {
	ours = await shop();
}

let customers = 0;
/** Each test has its own customer, so that tests do not see each other's subscriptions. */
export async function customer(body: object = {}): Promise<string> {
	customers += 1;
	const id = `customer-${customers}`;
	await ours.call("POST", "/customers", { body: { id, ...body } });
	return id;
}
export const monthly = { planId: "pro", billingPeriod: "MONTHLY" };
