import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseEnvironment } from "../../src/areas/access/operations";
import { systemActor } from "../../src/areas/access/rules.actors";
import { createFeature } from "../../src/areas/features/operations";
import { createEntitlements } from "../../src/areas/packages/entitlements/operations";
import { createDraft } from "../../src/areas/packages/versions/operations";
import { createPlan, updatePlan } from "../../src/areas/plans/operations";
import { createProduct } from "../../src/areas/products/operations";
import { publishPackage } from "../../src/areas/subscriptions/versions/operations.publish";
import { openFolder } from "../../src/files";
import type { Transactions, Work } from "../../src/kernel/work";
import { startServer } from "../support/process";
import type { Row } from "./row";
import { load, request, whole } from "./serving";

const plansCount = 200;
const few = 200;
const many = 10_000;
const newCustomers = { migrationType: "NEW_CUSTOMERS" } as const;

/**
 * Reading and listing plans over HTTP, at 200 versions and at 10,000 of the same plans: the ratio says whether it stays
 * flat.
 */
export async function measurePlans(): Promise<Row[]> {
	const folder = mkdtempSync(join(tmpdir(), "tollgate-plans-"));
	try {
		await seed(folder);
		const [readFew, listFew] = await rates(folder);
		addVersions(folder, (many - few) / plansCount);
		const [readMany, listMany] = await rates(folder);
		const row = (work: string, atMany: number, atFew: number): Row => ({
			work,
			here: `${whole(atMany)}/s at ${whole(many)} versions`,
			ceiling: `${whole(atFew)}/s at ${few}`,
			ratio: atMany / atFew,
			goal: "flat",
		});
		return [row("plans read", readMany, readFew), row("lists of 100 plans", listMany, listFew)];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const planId = (at: number): string => `plan-${at}`;

async function seed(folder: string): Promise<void> {
	await (await startServer(folder)).stop();
	inFolder(folder, (transactions) => {
		const { id, accountId } = transactions.read(systemActor(""), (work) => chooseEnvironment(work, undefined));
		const actor = systemActor(id, accountId);
		transactions.write(actor, (work) => {
			createProduct(work, { id: "product", displayName: "Product" });
			createFeature(work, { id: "feature", displayName: "Feature", featureType: "BOOLEAN" });
			for (let at = 0; at < plansCount; at += 1) publishFirst(work, planId(at));
		});
	});
}

function publishFirst(work: Work, id: string): void {
	createPlan(work, { id, displayName: id, productId: "product" });
	updatePlan(work, id, {
		charges: {
			pricingType: "PAID",
			pricingModels: [
				{
					billingModel: "FLAT_FEE",
					pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount: 10, currency: "usd" } }],
				},
			],
		},
	});
	createEntitlements(work, "PLAN", id, { entitlements: [{ type: "FEATURE", id: "feature" }] });
	publishPackage(work, "PLAN", id, newCustomers);
}

function addVersions(folder: string, rounds: number): void {
	inFolder(folder, (transactions) => {
		const environmentId = transactions.read(systemActor(""), (work) => chooseEnvironment(work, undefined).id);
		for (let round = 0; round < rounds; round += 1)
			transactions.write(systemActor(environmentId), (work) => {
				for (let at = 0; at < plansCount; at += 1) {
					createDraft(work, "PLAN", planId(at));
					publishPackage(work, "PLAN", planId(at), newCustomers);
				}
			});
	});
}

function inFolder(folder: string, body: (transactions: Transactions) => void): void {
	const { db, transactions } = openFolder(folder);
	body(transactions);
	db.$client.close();
}

async function rates(folder: string): Promise<[number, number]> {
	const server = await startServer(folder);
	const target = { port: Number(new URL(server.url).port), pid: server.pid };
	const shape = { seconds: 2, connections: 8 };
	const { perSecond: read } = await load(target, { ...shape, request: request("GET", `/plans/${planId(7)}`) });
	const { perSecond: list } = await load(target, { ...shape, request: request("GET", "/plans?limit=100") });
	await server.stop();
	return [read, list];
}
