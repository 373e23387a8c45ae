import { expect, test } from "bun:test";
import { ask, codes, nodes } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import { site } from "./site";

const customerId = "acme";

test("the governance fields do what the REST routes do", async () => {
	const ours = await site();
	const types = [{ refId: "run", displayName: "Run", attributionKeys: ["runId"] }];
	const put = await mutate(ours, "putGovernanceEntityTypes", { types }, { selection: "{ refId attributionKeys }" });
	expect(put.data.putGovernanceEntityTypes).toEqual([{ refId: "run", attributionKeys: ["runId"] }]);

	const entities = [{ refId: "run-1", entityTypeId: "run", additionalMetaData: { goal: "draft" } }];
	const selection = "{ refId entityTypeId additionalMetaData archivedAt }";
	const created = await mutate(ours, "putGovernanceEntities", { customerId, entities }, { selection });
	const run = { refId: "run-1", entityTypeId: "run", additionalMetaData: { goal: "draft" }, archivedAt: null };
	expect(created.data.putGovernanceEntities).toEqual([run]);

	const assignments = [
		{ entityId: "research", featureId: "tokens", usageLimit: 10, cadence: "P1M" },
		{ entityId: "run-1", featureId: "tokens", parentId: "research", usageLimit: 4, cadence: "P1M" },
	];
	const assigned = await mutate(
		ours,
		"putGovernanceAssignments",
		{ customerId, assignments },
		{ selection: "{ entityId featureId currencyId parentId scopeEntityIds usageLimit cadence }" },
	);
	expect(assigned.data.putGovernanceAssignments[1]).toEqual({
		...{ entityId: "run-1", featureId: "tokens", currencyId: null, parentId: "research" },
		...{ scopeEntityIds: [], usageLimit: 4, cadence: "P1M" },
	});
	await ours.consume(4, { runId: "run-1" });

	const read = await ask(
		ours,
		`query ($customerId: String!) {
			governanceEntityTypes { edges { node { refId } } }
			governanceEntities(input: { customerId: $customerId, entityTypeId: "run" }) { edges { node ${selection} } }
			governanceEntity(input: { customerId: $customerId, entityId: "run-1" }) ${selection}
			governanceAssignments(input: { customerId: $customerId, entityId: "run-1" }) { edges { node { usageLimit } } }
			governanceTree(input: { customerId: $customerId, featureIds: ["tokens"], limit: 1 }) {
				data { entityId currentUsage utilization usagePeriodStart } next
			}
			entitlementV2(query: { customerId: $customerId, featureId: "tokens", dimensions: { runId: "run-1" }, options: { requestedUsage: 1 } }) {
				... on FeatureEntitlement { isGranted accessDeniedReason chains { entityId currentUsage isGranted } }
			}
		}`,
		{ customerId },
	);
	expect(read.errors).toBeUndefined();
	expect(nodes(read.data.governanceEntityTypes)).toContainEqual({ refId: "run" });
	expect(nodes(read.data.governanceEntities)).toEqual([run]);
	expect(read.data.governanceEntity).toEqual(run);
	expect(nodes(read.data.governanceAssignments)).toEqual([{ usageLimit: 4 }]);
	const { data: page, next } = read.data.governanceTree;
	expect(page).toEqual([
		{ entityId: "run-1", currentUsage: 4, utilization: 1, usagePeriodStart: "2026-01-31T00:00:00.000Z" },
	]);
	expect(next).toEqual(expect.any(String));
	expect(read.data.entitlementV2).toEqual({
		...{ isGranted: false, accessDeniedReason: "BudgetExceeded" },
		chains: [
			[
				{ entityId: "run-1", currentUsage: 4, isGranted: false },
				{ entityId: "research", currentUsage: 4, isGranted: true },
			],
		],
	});

	const ids = { customerId, ids: ["run-1"] };
	expect((await mutate(ours, "archiveGovernanceEntities", ids, { selection: "" })).data).toEqual({
		archiveGovernanceEntities: ["run-1"],
	});
	expect((await mutate(ours, "unarchiveGovernanceEntities", ids, { selection: "" })).data).toEqual({
		unarchiveGovernanceEntities: ["run-1"],
	});
});

test("the governance fields throw the codes of REST", async () => {
	const ours = await site();
	const unknown = await ask(ours, '{ governanceEntity(input: { customerId: "acme", entityId: "none" }) { refId } }');
	expect(codes(unknown)).toEqual(["BadUserInput"]);
	await ours.call("PATCH", "/environments/current", { body: { governance: false } });
	const off = await ask(ours, '{ governanceTree(input: { customerId: "none" }) { next } }');
	expect(codes(off)).toEqual(["GovernanceNotEnabled"]);
});

test("an entity type has a template", async () => {
	const ours = await site();
	const template = { createsEntities: true, parentEntityTypeId: "team" };
	const budgets = [
		{ featureId: "tokens", usageLimit: 4, cadence: "P1M" },
		{ currencyId: "credits", usageLimit: null, cadence: "LIFETIME" },
	];
	const types = [{ refId: "agent", ...template, defaultAssignments: budgets }, { refId: "model" }];
	const selection =
		"{ refId createsEntities parentEntityTypeId defaultAssignments { featureId currencyId usageLimit cadence } }";
	const put = await mutate(ours, "putGovernanceEntityTypes", { types }, { selection });
	const neither = { featureId: null, currencyId: null };
	expect(put.data.putGovernanceEntityTypes).toEqual([
		{ refId: "agent", ...template, defaultAssignments: budgets.map((one) => ({ ...neither, ...one })) },
		{ refId: "model", createsEntities: null, parentEntityTypeId: null, defaultAssignments: null },
	]);
});
