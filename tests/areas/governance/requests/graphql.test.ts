import { expect, test } from "bun:test";
import { ask, codes, nodes } from "../../../graphql/ask";
import { mutate } from "../../../graphql/mutate";
import { must, site } from "../site";

const selection = "{ id customerId entityId featureId currencyId amount approvedAmount duration status expiresAt }";

test("GraphQL creates, lists, approves and declines requests as the REST routes do", async () => {
	const ours = await site();
	await ours.budget({ entityId: "drafter", usageLimit: 4 });
	const input = { customerId: "acme", entityId: "drafter", featureId: "tokens", amount: 3, duration: "PERIOD" };
	const create = async (more: object = {}) =>
		mutate(ours, "createGovernanceBudgetRequest", { ...input, ...more }, { selection });
	const created = (await create()).data.createGovernanceBudgetRequest;
	expect(created).toEqual({
		...{ id: expect.any(String), customerId: "acme", entityId: "drafter", featureId: "tokens", currencyId: null },
		...{
			amount: 3,
			approvedAmount: null,
			duration: "PERIOD",
			status: "PENDING",
			expiresAt: "2026-02-07T00:00:00.000Z",
		},
	});
	const other = (await create()).data.createGovernanceBudgetRequest;
	const approval = { id: created.id, amount: 2 };
	const approved = await mutate(ours, "approveGovernanceBudgetRequest", approval, { selection });
	expect(approved.data.approveGovernanceBudgetRequest).toMatchObject({ approvedAmount: 2, status: "APPROVED" });
	expect((await must(ours.consume(6, { agentId: "drafter" }))).body.data.isGranted).toBe(true);
	await mutate(ours, "declineGovernanceBudgetRequest", { id: other.id }, { selection });
	const listed = async (status: string) =>
		nodes(
			(
				await ask(
					ours,
					`{ governanceBudgetRequests(input: { customerId: "acme" ${status} }) { edges { node { id status } } } }`,
				)
			).data.governanceBudgetRequests,
		);
	expect(await listed("")).toEqual([
		{ id: other.id, status: "DECLINED" },
		{ id: created.id, status: "APPROVED" },
	]);
	expect(await listed("status: DECLINED")).toEqual([{ id: other.id, status: "DECLINED" }]);
	expect(codes(await create({ featureId: "none" }))).toEqual(["FeatureNotFound"]);
	expect(codes(await create({ amount: -1 }))).toEqual(["BadUserInput"]);
	const again = await mutate(ours, "approveGovernanceBudgetRequest", { id: created.id }, { selection });
	expect(codes(again)).toEqual(["InvalidArgumentError"]);
});
