import { customer, type PlantedError } from "./planted-error";

const returned = "WHERE state = 'RETURNED'";

export const ofDebits: readonly PlantedError[] = [
	{
		name: "a debit that has ended and still blocks its invoice",
		sql: [`UPDATE direct_debits SET is_open = 1 ${returned}`],
		finds: "is RETURNED and open",
	},
	{
		name: "a returned debit without its file",
		sql: [`UPDATE direct_debits SET file_id = NULL ${returned}`],
		finds: "is RETURNED and has no file",
	},
	{
		name: "a debit in the file of another legal entity",
		sql: ["UPDATE direct_debits SET legal_entity_id = 'other' WHERE file_id IS NOT NULL"],
		finds: "which is not one of its legal entity",
	},
	{
		name: "a settled debit without its receipt",
		sql: [`UPDATE direct_debits SET state = 'SETTLED', receipt_id = NULL, return_id = NULL ${returned}`],
		finds: "is SETTLED and has no receipt",
	},
	{
		name: "a debit that no bank has and that is a receipt",
		sql: [`UPDATE direct_debits SET state = 'IN_FILE', is_open = 1 ${returned}`],
		finds: "is IN_FILE and has a receipt",
	},
	{
		name: "a returned debit whose money is still here",
		sql: [`UPDATE direct_debits SET return_id = NULL ${returned}`],
		finds: "is RETURNED and its money was not withdrawn",
	},
	{
		name: "a debit that names a receipt as its withdrawal",
		sql: [`UPDATE direct_debits SET return_id = receipt_id ${returned}`],
		finds: "which is none of its amount",
	},
	{
		name: "a debit of another amount than its receipt",
		sql: [`UPDATE direct_debits SET amount = '48' ${returned}`],
		finds: "is recorded as a receipt of 49 eur",
	},
	{
		name: "a debit of another customer than its receipt",
		sql: [`UPDATE direct_debits SET customer_id = ${customer("beta")} ${returned}`],
		finds: "names another customer than its receipt",
	},
	{
		name: "a file with another sum than its debits",
		sql: ["UPDATE direct_debit_files SET total = '48'"],
		finds: "states 1 debits of 48, and has 1 of 49",
	},
	{
		name: "a file whose groups have another sum",
		sql: [`UPDATE direct_debit_files SET groups = json_set(groups, '$[0].sum', '48')`],
		finds: "states 49, and groups of 48",
	},
];
