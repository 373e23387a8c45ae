import { customer, type PlantedError } from "./planted-error";

export const ofBank: readonly PlantedError[] = [
	{
		name: "an entry without its receipt",
		sql: ["UPDATE bank_entries SET receipt_id = NULL"],
		finds: "is RECORDED and has no receipt",
	},
	{
		name: "an entry that waits although it is a receipt",
		sql: ["UPDATE bank_entries SET state = 'PROPOSED'"],
		finds: "is PROPOSED and has a receipt",
	},
	{
		name: "an entry of another amount than its receipt",
		sql: ["UPDATE bank_entries SET amount = '48'"],
		finds: "is recorded as a receipt of 49 eur",
	},
	{
		name: "an entry in another currency than its receipt",
		sql: ["UPDATE bank_entries SET currency = 'usd'"],
		finds: "is recorded as a receipt of 49 eur",
	},
	{
		name: "an entry of another customer than its receipt",
		sql: [`UPDATE bank_entries SET customer_id = ${customer("beta")}`],
		finds: "names another customer than its receipt",
	},
	{
		name: "a receipt that names another account than its entry",
		sql: ["UPDATE receipts SET reference_scope = 'other', seal = NULL"],
		finds: "that did not come from its account",
	},
];
