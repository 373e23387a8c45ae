import { expect, test } from "bun:test";
import { ask, codes, data, nodes } from "../../../graphql/ask";
import { mutate } from "../../../graphql/mutate";
import { receiptWorld } from "./receipt-world";

const shown = `{ id number kind customerId amount { amount currency } unallocatedAmount { amount } refundedAmount { amount }
	disputedAmount { amount } method source reason reference receivedDate
	allocations { id kind invoiceId amount balanceAmount reversesAllocationId reason } refunds { receiptId amount }
	refundOf { receiptId amount } }`;
const list =
	"query ($input: ReceiptsInput!) { receipts(input: $input) { edges { node { id } } pageInfo { hasNextPage } } }";

test("records, allocates, undoes, refunds and withdraws a receipt, as REST shows it", async () => {
	const world = receiptWorld();
	const invoice = world.bill(60);
	const run = async (name: string, input: object) =>
		(await mutate(world, name, input, { selection: shown })).data[name];
	const allocations = [{ invoiceId: invoice.id, amount: 60 }];
	const money = { customerId: "cust-1", amount: 100, currency: "USD", method: "CARD", reference: "s-1" };
	const recorded = await run("recordReceipt", { ...money, allocations });
	expect(recorded).toMatchObject({
		...{ number: "R-000001", kind: "PAYMENT", method: "CARD", source: "MANUAL", reason: null },
		...{ amount: { amount: 100, currency: "USD" }, unallocatedAmount: { amount: 40 } },
		allocations: [{ kind: "PAYMENT", invoiceId: invoice.id, amount: 60 }],
	});
	const on = { receiptId: recorded.id };
	const undo = { ...on, allocationId: recorded.allocations[0].id, amount: 10 };
	expect(await run("reverseReceiptAllocation", undo)).toMatchObject({ unallocatedAmount: { amount: 50 } });
	expect(await run("allocateReceipt", { ...on, allocations: [{ invoiceId: invoice.id, amount: 10 }] })).toMatchObject({
		unallocatedAmount: { amount: 40 },
	});
	const refund = await run("refundReceipt", { ...on, amount: 15 });
	expect(refund).toMatchObject({ kind: "REFUND", refundOf: [{ receiptId: recorded.id, amount: 15 }] });
	const withdrawn = await run("returnReceipt", { ...on, reason: "CHARGEBACK", amount: 30 });
	expect(withdrawn).toMatchObject({ kind: "RETURN", reason: "CHARGEBACK", amount: { amount: 30 } });
	const { receipt } = await data(world, `query ($id: String!) { receipt(id: $id) ${shown} }`, { id: recorded.id });
	const rest = await world.receipt(recorded.id);
	expect(receipt).toMatchObject({
		unallocatedAmount: { amount: rest.unallocatedAmount },
		refundedAmount: { amount: rest.refundedAmount },
		allocations: rest.allocations.map(({ amount, kind }: { amount: number; kind: string }) => ({ amount, kind })),
		refunds: [
			{ receiptId: refund.id, amount: 15 },
			{ receiptId: withdrawn.id, amount: 30 },
		],
	});
	expect(world.check()).toEqual([]);
});

test("lists receipts, newest first: of a customer, of a kind, with unallocated money", async () => {
	const world = receiptWorld();
	const first = (await world.record({})).data.receiptId;
	const second = (await world.record({ customerId: "cust-2", excess: "BALANCE" })).data.receiptId;
	const ids = async (input: object) =>
		nodes<{ id: string }>((await data(world, list, { input })).receipts).map(({ id }) => id);
	expect(await ids({})).toEqual([second, first]);
	expect(await ids({ customerId: "cust-2" })).toEqual([second]);
	expect(await ids({ unallocated: true })).toEqual([first]);
	expect(await ids({ kind: "RETURN" })).toEqual([]);
	expect(await ids({ paging: { first: 1 } })).toEqual([second]);
});

test("refuses what REST refuses", async () => {
	const world = receiptWorld();
	const record = async (input: object, options = {}) =>
		codes(
			await mutate(
				...([world, "recordReceipt", { customerId: "cust-1", amount: 1, currency: "USD", ...input }] as const),
				{ selection: shown, ...options },
			),
		);
	expect(await record({ customerId: "nobody" })).toEqual(["CustomerNotFound"]);
	expect(await record({ amount: 0.001 })).toEqual(["InvalidArgumentError"]);
	expect(await record({ amount: 0 })).toEqual(["BadUserInput"]);
	expect(await record({}, { key: world.scopedKey("INVOICE:READ") })).toEqual(["AccessDeniedError"]);
	const key = world.scopedKey("CUSTOMER:READ");
	expect(codes(await ask(world, list, { input: {} }, { key }))).toEqual(["AccessDeniedError"]);
	expect(codes(await ask(world, list, { input: { customerId: "nobody" } }))).toEqual(["CustomerNotFound"]);
});
