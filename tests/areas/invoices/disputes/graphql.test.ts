import { expect, test } from "bun:test";
import { codes, data, nodes } from "../../../graphql/ask";
import { mutate } from "../../../graphql/mutate";
import { receiptWorld } from "../receipts/receipt-world";

const shown = `{ id receiptId customerId state amount { amount currency } reason reference note openedDate evidenceDueDate
	endedDate returnId createdAt }`;

test("records a dispute, changes its state and lists it, as REST shows it", async () => {
	const world = receiptWorld();
	const { receiptId } = (await world.record({})).data;
	const run = async (name: string, input: object) =>
		(await mutate(world, name, input, { selection: shown })).data[name];
	const dispute = await run("recordDispute", { receiptId, amount: 60, state: "INQUIRY", reference: "c-1" });
	expect(dispute).toMatchObject({ receiptId, customerId: "cust-1", state: "INQUIRY", amount: { amount: 60 } });
	const on = { disputeId: dispute.id };
	expect(await run("changeDisputeState", { ...on, state: "LOST" })).toMatchObject({
		state: "LOST",
		returnId: expect.any(String),
	});
	const list =
		"query ($input: DisputesInput!) { disputes(input: $input) { edges { node { id } } pageInfo { hasNextPage } } }";
	const ids = async (input: object) =>
		nodes<{ id: string }>((await data(world, list, { input })).disputes).map(({ id }) => id);
	expect(await ids({ customerId: "cust-1", receiptId, state: "LOST" })).toEqual([dispute.id]);
	expect(await ids({ state: "WON" })).toEqual([]);
	const read = await data(world, `query ($id: String!) { dispute(id: $id) ${shown} }`, { id: dispute.id });
	const rest = (await world.send("GET", `/disputes/${dispute.id}`)).data;
	expect(read.dispute).toMatchObject({ id: rest.disputeId, returnId: rest.returnId, endedDate: rest.endedDate });
	expect(codes(await mutate(world, "changeDisputeState", { ...on, state: "WON" }, { selection: shown }))).toEqual([
		"InvalidArgumentError",
	]);
});
