import { expect } from "bun:test";
import { provisionCustomer } from "../../../src/areas/customers/operations";
import { provisionSubscription } from "../../../src/areas/subscriptions/operations";
import type { SubscriptionProvision } from "../../../src/areas/subscriptions/schema.provision";
import { preparedWorld, type World } from "../../support/world";

type PricingType = "CUSTOM" | "FREE" | "PAID";

/** A plan of that id, published, in a product of the same id. */
export async function publishPlan(
	{ call, key }: World,
	id: string,
	pricingType: PricingType,
	as = key,
	currency = "usd",
) {
	const send = async (method: string, path: string, body: unknown) => {
		const answer = await call(method, path, { body, key: as });
		if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	};
	const pricingModels = [
		{ billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 10, currency } }] },
	];
	await send("POST", "/products", { id, displayName: `Product ${id}` });
	await send("POST", "/plans", { id, displayName: `Plan ${id}`, productId: id });
	await send("PATCH", `/plans/${id}`, { charges: { pricingType, ...(pricingType === "PAID" && { pricingModels }) } });
	await send("POST", `/plans/${id}/publish`, { migrationType: "NEW_CUSTOMERS" });
}

const subscribeIn =
	({ transactions, actor }: World) =>
	(input: Partial<SubscriptionProvision> & { planId: string }): string =>
		transactions.write(actor, (work) => provisionSubscription(work, { customerId: "acme", ...input }).refId);

async function fill(here: World): Promise<void> {
	for (const id of ["platform", "support"]) await publishPlan(here, id, "CUSTOM");
	here.transactions.write(here.actor, (work) => {
		provisionCustomer(work, { id: "acme", name: "Acme" });
		provisionCustomer(work, { id: "other" });
	});
	here.transactions.write(here.foreignActor, (work) => {
		provisionCustomer(work, { id: "acme", name: "Their Acme" });
	});
	const subscribe = subscribeIn(here);
	subscribe({ planId: "platform", id: "sub-platform" });
	subscribe({ planId: "support", id: "sub-support" });
}

const withSubscribe = (here: World) => ({ ...here, subscribe: subscribeIn(here) });

/** Two environments with a customer 'acme' each; ours has custom plans 'platform' and 'support', and a subscription to each. */
export const contractWorld = async () => withSubscribe(await preparedWorld("contracts", fill));

export const contractOf = (values: object = {}) => ({
	customerId: "acme",
	contractId: "C-1",
	subscriptions: [{ existingSubscriptionId: "sub-platform" }],
	...values,
});

async function create({ call }: World, path: string, body: object) {
	const answer = await call("POST", path, { body });
	if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
	return answer.body;
}

async function fillDraft(here: World, values: object): Promise<void> {
	await fill(here);
	await create(here, "/contracts", contractOf(values));
}

/** As `contractWorld`, with the contract 'C-1' and nothing on it yet. */
export const draftWorld = async (values: object = {}) =>
	withSubscribe(
		await preparedWorld(`draft of a contract ${JSON.stringify(values)}`, (here) => fillDraft(here, values)),
	);

export const year = { activationStartDate: "2026-01-01T00:00:00.000Z", activationEndDate: "2027-01-01T00:00:00.000Z" };

/** Worked by hand: 590 for 60 units. */
export const tiers = [
	{ from: 0, to: 50, price: 10, quantity: 60 },
	{ from: 50, to: null, price: 9, quantity: 60 },
];

export const items = "/contracts/C-1/billing/items";
export const seats = {
	name: "Seats",
	externalId: "seats",
	pricingModelId: "tiered",
	rows: tiers,
	billingCycleUnit: "one_time",
};
export const fee = {
	name: "Fee",
	externalId: "fee",
	rows: [{ price: 100 }],
	billingCycleUnit: "monthly",
	netTerms: 30,
};
export const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

/** The totals of the contract, which adding its items returned. */
let totals: Awaited<ReturnType<typeof create>>["data"];

/** A draft with a flat monthly fee (1200 for the year, less 10 percent, plus 20) and tiered seats (590 once). */
export async function billedWorld() {
	const here = await preparedWorld("contract with items", async (fresh) => {
		await fillDraft(fresh, year);
		const added = await create(fresh, items, {
			items: [{ ...fee, discount: 10, tax: 20 }, seats],
			...year,
		});
		totals = added.data;
	});
	return { ...withSubscribe(here), totals };
}
