import { expect, test } from "bun:test";
import { createEnvironment } from "../../../../src/areas/access/operations";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { selectEnvironments } from "../../../../src/areas/subscriptions/spend-thresholds/store";
import { flat } from "../billing";
import { site, usd } from "./site";

test("finds each environment with thresholds of a plan or a subscription, and no other", async () => {
	const ours = await site();
	for (const environmentName of ["first", "second", "third"])
		ours.transactions.write(systemActor(""), (work) =>
			createEnvironment(work, { accountName: "Others", environmentName, kind: "SANDBOX" }),
		);
	const found = () =>
		ours.transactions
			.read(systemActor(""), selectEnvironments)
			.map(({ id }) => id)
			.sort();
	expect(found()).toEqual([]);
	await ours.plan("fee", [flat({ month: 10 })]);
	await ours.buy("fee", { spendThresholds: usd(50) });
	expect(found()).toEqual([ours.environmentId]);

	const theirs = (method: string, path: string, body: object) =>
		ours.call(method, path, { key: ours.foreignKey, body });
	await theirs("POST", "/products", { id: "app", displayName: "App" });
	await theirs("POST", "/plans", { id: "api", displayName: "API", productId: "app" });
	const charges = { pricingType: "PAID", pricingModels: [flat({ month: 10 })], spendThresholds: usd(20) };
	expect((await theirs("PATCH", "/plans/api", { charges })).status).toBe(200);
	await ours.plan("api", [flat({ month: 20 })], { spendThresholds: usd(50) });
	expect(found()).toEqual([ours.environmentId, ours.foreignEnvironmentId].sort());
});
