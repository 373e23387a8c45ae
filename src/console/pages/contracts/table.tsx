import type { Contract } from "../../../areas/contracts/schema";
import { formatDate } from "../../kit/format";
import { Money } from "../../kit/money";
import { Status } from "../../kit/status";
import type { Column, Listed } from "../../kit/table";
import { t } from "../../messages/contracts";

const columns = (isOfAll: boolean): readonly Column<Contract>[] => [
	{ head: t.contract, cell: ({ name, contractId }) => name ?? contractId },
	...(isOfAll ? [{ head: t.customer, cell: ({ customerExternalId }: Contract) => customerExternalId }] : []),
	{ head: t.status, cell: ({ state }) => <Status of={state} /> },
	{ head: t.from, isWide: true, cell: ({ activationStartDate }) => formatDate(activationStartDate) },
	{ head: t.until, isWide: true, cell: ({ activationEndDate }) => formatDate(activationEndDate) },
	{ head: t.next, isFigure: true, cell: ({ nextInvoice }) => <Money of={nextInvoice?.amount} /> },
];

/** Of one customer, or of all. */
export const contractTable = (isOfAll: boolean): Listed<Contract> => ({
	label: t.title,
	rowKey: ({ contractId }) => contractId,
	href: ({ contractId }) => `/contracts/${encodeURIComponent(contractId)}`,
	empty: { title: t.emptyTitle, text: t.emptyText },
	columns: columns(isOfAll),
});
