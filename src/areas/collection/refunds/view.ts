import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { customersByIds } from "../../customers/operations";
import type { ProviderRefund } from "./schema";
import type { ProviderRefundRow } from "./table";

/** Returns a view function for these refunds; reads their customers at once. */
export function refundsShown(
	work: Work,
	rows: readonly ProviderRefundRow[],
): (row: ProviderRefundRow) => ProviderRefund {
	const customers = customersByIds(work, [...new Set(rows.map(({ customerId }) => customerId))]);
	return (row) => ({
		id: row.id,
		state: row.state,
		receiptId: row.receiptId,
		refundReceiptId: row.refundReceiptId,
		customerId: customers.get(row.customerId)?.refId ?? "",
		connectionId: row.connectionId,
		amount: toWire(row.amount),
		currency: row.currency,
		reason: row.reason,
		reference: row.ref,
		failure: row.failure,
		returnedReceiptIds: [...row.returnedReceiptIds],
		createdAt: toIso(row.createdAt),
		endedAt: toIsoOrNull(row.endedAt),
	});
}

export const viewRefund = (work: Work, row: ProviderRefundRow): ProviderRefund => refundsShown(work, [row])(row);
