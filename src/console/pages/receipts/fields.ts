import type { FieldSpec } from "../../kit/forms/form-fields";
import { t } from "../../messages/receipts";

/** The invoices that a receipt pays, and where the rest of it goes. `invoice` chooses an invoice. */
export const allocationFieldsOf = (invoice: FieldSpec): readonly FieldSpec[] => [
	{ name: "allocations", rows: [[invoice, "amount"]], add: t.addInvoice, newRow: {} },
	"excess",
];
