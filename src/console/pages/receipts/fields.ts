import type { FieldSpec } from "../../kit/forms/form-fields";
import { t } from "../../messages/receipts";

/** The invoices that a receipt pays, and where the rest of it goes. */
export const allocationFields: readonly FieldSpec[] = [
	{ name: "allocations", rows: [["invoiceId", "amount"]], add: t.addInvoice, newRow: {} },
	"excess",
];
