import type { Contract } from "../../../areas/contracts/schema.shown";
import { pathTo } from "../../api";
import { formatDate } from "../../kit/format";
import { ListAndPages, ListScreen } from "../../kit/list-card";
import type { Column } from "../../kit/table";
import { Money, Status, statusOptions } from "../../kit/values";
import { t } from "../../messages/contracts";
import { ContractPage } from "./contract";
import { NewContract } from "./new-contract";

const Contracts = () => (
	<ListAndPages path="/contracts" list={<ContractList />} page={(id) => <ContractPage id={id} />} />
);
export default Contracts;

/** The columns of the contracts of all customers, or of one. */
export const contractColumns = (isOfAll: boolean): readonly Column<Contract>[] => [
	{ head: t.contract, cell: ({ name, contractId }) => name ?? contractId },
	...(isOfAll ? [{ head: t.customer, cell: ({ customerExternalId }: Contract) => customerExternalId }] : []),
	{ head: t.status, cell: ({ state }) => <Status of={state} /> },
	{ head: t.from, isWide: true, cell: ({ activationStartDate }) => formatDate(activationStartDate) },
	{ head: t.until, isWide: true, cell: ({ activationEndDate }) => formatDate(activationEndDate) },
	{ head: t.nextInvoice, isFigure: true, cell: ({ nextInvoice }) => <Money of={nextInvoice?.amount} /> },
];

export const contractHref = ({ contractId }: Contract): string => pathTo("/contracts", contractId);

const ContractList = () => (
	<ListScreen<Contract>
		path="/contracts"
		texts={t}
		filters={[
			{ name: "search", label: t.search },
			{ name: "state", label: t.status, options: statusOptions(["DRAFT", "ACTIVE", "END_BILLING", "CANCELED"]) },
			{
				name: "expiresWithinDays",
				label: t.endsWithin,
				options: ["30", "60", "90", "365"].map((value) => ({ value, label: t.daysCount({ count: value }) })),
			},
		]}
		rowKey={({ contractId }) => contractId}
		href={contractHref}
		columns={contractColumns(true)}
		add={{ label: t.newContract, scope: "CONTRACT:WRITE", dialog: (opening) => <NewContract {...opening} /> }}
	/>
);
