import { systemActor } from "../areas/access/rules.actors";
import { recordChanges } from "../areas/audit/operations.recording";
import { createContract } from "../areas/contracts/operations";
import { addItems } from "../areas/contracts/operations.billing";
import { provisionCustomer } from "../areas/customers/operations";
import { provisionSubscription } from "../areas/subscriptions/operations";
import { reportUsage } from "../areas/usage/operations.offline";
import type { IngestRequest } from "../areas/usage/schema.ingest";
import { type Instant, toIso, wallClock } from "../kernel/clock";
import { newUuidV7 } from "../kernel/ids";
import { openTransactions } from "../kernel/storage/transactions";
import type { Database, Work } from "../kernel/work";
import { seedCatalogue } from "./catalogue";
import { seedCreditNote, seedSecondVersion, seedStates } from "./states";

const dayMs = 24 * 60 * 60 * 1000;

/** The number of days that the demo data covers. */
const daysMax = 92;

interface DemoCustomer {
	readonly id: string;
	readonly name: string;
	readonly email: string;
	readonly plan: "plan-free" | "plan-pro" | "plan-enterprise";
	readonly daysAgo: number;
	readonly seats?: number;
	readonly yearly?: true;
	readonly coupon?: string;
	readonly support?: true;
	readonly taxPercentage?: number;
	/** The approximate number of API calls a day. */
	readonly calls: number;
}

const customers: readonly DemoCustomer[] = [
	{
		id: "customer-acme",
		name: "Acme Corporation",
		email: "billing@acme.example",
		plan: "plan-pro",
		daysAgo: 91,
		seats: 12,
		calls: 40,
	},
	{
		id: "customer-globex",
		name: "Globex GmbH",
		email: "rechnung@globex.example",
		plan: "plan-pro",
		daysAgo: 84,
		seats: 4,
		taxPercentage: 19,
		calls: 25,
	},
	{
		id: "customer-initech",
		name: "Initech",
		email: "ap@initech.example",
		plan: "plan-pro",
		daysAgo: 70,
		seats: 30,
		yearly: true,
		coupon: "coupon-welcome",
		calls: 60,
	},
	{
		id: "customer-umbrella",
		name: "Umbrella SARL",
		email: "compta@umbrella.example",
		plan: "plan-enterprise",
		daysAgo: 88,
		calls: 120,
	},
	{
		id: "customer-hooli",
		name: "Hooli",
		email: "finance@hooli.example",
		plan: "plan-pro",
		daysAgo: 45,
		seats: 8,
		support: true,
		calls: 50,
	},
	{
		id: "customer-soylent",
		name: "Soylent Oy",
		email: "talous@soylent.example",
		plan: "plan-free",
		daysAgo: 60,
		calls: 5,
	},
	{
		id: "customer-stark",
		name: "Stark Industries",
		email: "payables@stark.example",
		plan: "plan-pro",
		daysAgo: 30,
		seats: 50,
		yearly: true,
		support: true,
		calls: 80,
	},
	{
		id: "customer-wayne",
		name: "Wayne Enterprises",
		email: "accounts@wayne.example",
		plan: "plan-enterprise",
		daysAgo: 75,
		calls: 90,
	},
	{
		id: "customer-sakura",
		name: "さくら株式会社",
		email: "keiri@sakura.example",
		plan: "plan-pro",
		daysAgo: 21,
		seats: 3,
		coupon: "coupon-launch",
		calls: 15,
	},
	{
		id: "customer-dvoretsky",
		name: "ООО «Дворецкий»",
		email: "buh@dvoretsky.example",
		plan: "plan-free",
		daysAgo: 14,
		calls: 3,
	},
	{
		id: "customer-tyrell",
		name: "Tyrell Corp",
		email: "invoices@tyrell.example",
		plan: "plan-free",
		daysAgo: 7,
		calls: 12,
	},
	{
		id: "customer-cyberdyne",
		name: "Cyberdyne Systems",
		email: "office@cyberdyne.example",
		plan: "plan-pro",
		daysAgo: 2,
		seats: 1,
		calls: 30,
	},
];

/** The environment of the demo. */
interface Seeded {
	readonly environmentId: string;
	readonly accountId: string;
}

/**
 * Fills the first environment with three months of data, by the operations of the API and on a clock that advances, so
 * invoices have matching dates. One transaction covers everything except usage events, which go to the event log as
 * over HTTP.
 */
export function seedDemo(folder: string, db: Database, { environmentId, accountId }: Seeded): void {
	const today = wallClock.now();
	const clock = { at: today, now: (): Instant => clock.at };
	const transactions = openTransactions({
		...{ db, clock, newId: newUuidV7, wake: () => {} },
		...{ recorder: recordChanges, cause: { operation: "tollgate demo" } },
	});
	const actor = systemActor(environmentId, accountId);
	const daysAgo = (days: number): Instant => (today - days * dayMs) as Instant;
	const on = (days: number, body: (work: Work) => void): void => {
		clock.at = daysAgo(days);
		transactions.write(actor, (work) => {
			body(work);
		});
	};
	on(daysMax, seedCatalogue);
	for (const customer of [...customers].sort((one, other) => other.daysAgo - one.daysAgo))
		on(customer.daysAgo, (work) => seedCustomer(work, customer));
	on(82, seedCreditNote);
	on(74, seedContract);
	on(1, seedSecondVersion);
	on(0, seedStates);
	reportUsage(folder, usageOf(environmentId, today));
}

function seedCustomer(work: Work, customer: DemoCustomer): void {
	const { id, name, email, plan, seats, yearly, coupon, support, taxPercentage } = customer;
	provisionCustomer(work, { id, name, email, metadata: { source: "demo" } });
	provisionSubscription(work, {
		id: `subscription-${id.replace("customer-", "")}`,
		customerId: id,
		planId: plan,
		...(plan === "plan-pro" && {
			billingPeriod: yearly ? "ANNUALLY" : "MONTHLY",
			charges: [{ type: "FEATURE", id: "feature-seats", quantity: seats ?? 1 }],
		}),
		...(coupon && { appliedCoupon: { couponId: coupon } }),
		...(support && { addons: [{ id: "addon-priority-support", quantity: 1 }] }),
		...(taxPercentage !== undefined && { billingInformation: { taxPercentage } }),
	});
}

/** A one-year contract with tiered rows. */
function seedContract(work: Work): void {
	const contract = createContract(work, {
		contractId: "contract-wayne",
		customerId: "customer-wayne",
		name: "Wayne Enterprises 2026",
		poNumber: "PO-4711",
		subscriptions: [{ existingSubscriptionId: "subscription-wayne" }],
		activationStartDate: toIso(work.now),
		activationEndDate: toIso(((work.now as number) + 365 * dayMs) as Instant),
	});
	addItems(work, contract.refId, {
		currency: "usd",
		items: [
			{
				name: "Platform fee",
				externalId: "platform",
				pricingModelId: "flat",
				billingCycleUnit: "yearly",
				rows: [{ quantity: 1, price: 12_000 }],
				netTerms: 30,
			},
			{
				name: "Committed seats",
				externalId: "seats",
				pricingModelId: "tiered",
				billingCycleUnit: "monthly",
				rows: [
					{ quantity: 60, from: 0, to: 50, price: 10 },
					{ quantity: 60, from: 50, to: null, price: 9 },
				],
				discount: 5,
				netTerms: 30,
			},
		],
	});
}

/** Calls and files by customer and day: always the same, and growing each week. */
function* usageOf(environmentId: string, today: Instant): Generator<IngestRequest> {
	for (const { id, daysAgo, calls } of customers) {
		for (let day = daysAgo - 1; day >= 0; day -= 1) {
			const count = Math.round(calls * (0.6 + ((day * 7) % 5) / 10 + (daysAgo - day) / 200));
			const event = (eventName: string, at: number, dimensions: object) => ({
				eventName,
				customerId: id,
				idempotencyKey: `demo-${eventName}-${day}-${at}`,
				timestamp: toIso((today - day * dayMs - at * 60_000 - 60_000) as Instant),
				dimensions,
			});
			const events = [
				...Array.from({ length: count }, (_, at) =>
					event("api_call", at, { endpoint: at % 3 === 0 ? "/routes" : "/tiles", region: at % 4 === 0 ? "eu" : "us" }),
				),
				event("file_stored", 0, { gigabytes: 0.25 * ((day % 4) + 1) }),
			];
			yield { environmentId, now: today, unknownCustomers: "refuse", text: JSON.stringify({ events }) };
		}
	}
}
