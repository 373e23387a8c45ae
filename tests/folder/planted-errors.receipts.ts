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
