import { customer, type PlantedError } from "./planted-error";

export const ofReceipts: readonly PlantedError[] = [
	{
		name: "a receipt with unallocated money that did not arrive",
		sql: ["UPDATE receipts SET unallocated = '5'"],
		finds: "is allocated, 5 is not, and 0 was refunded before it was allocated",
	},
	{
		name: "a receipt that counts as refunded",
		sql: ["UPDATE receipts SET refunded = '1'"],
		finds: "1 counts as refunded, its refunds make 0",
	},
	{
		name: "a receipt of which more is disputed than arrived",
		sql: ["UPDATE receipts SET disputed = '1000000000' WHERE kind = 'PAYMENT'"],
		finds: "1000000000 of its ",
	},
	{
		name: "a receipt that counts as disputed",
		sql: ["UPDATE receipts SET disputed = '1' WHERE kind = 'PAYMENT'"],
		finds: "1 counts as disputed, its disputes make 0",
	},
	{
		name: "a lost dispute without its withdrawal",
		sql: [
			"INSERT INTO disputes (id, environment_id, receipt_id, customer_id, state, amount, opened_at, created_at) SELECT 'd-1', environment_id, id, customer_id, 'LOST', '1', 0, 0 FROM receipts WHERE kind = 'PAYMENT' LIMIT 1",
		],
		finds: "the dispute d-1 is LOST, and its withdrawal is missing",
	},
	{
		name: "a receipt with another origin",
		sql: ["UPDATE receipts SET source = 'BANK'"],
		finds: "is not what Tollgate wrote",
	},
	{
		name: "a receipt of another customer than its invoice",
		sql: [`UPDATE receipts SET customer_id = ${customer("beta")}, seal = NULL`],
		finds: ", that of the invoice ",
	},
	{
		name: "a number of receipts with a gap",
		sql: ["UPDATE receipts SET number_count = number_count + 100, seal = NULL"],
		finds: "receipts with numbers up to ",
	},
];
