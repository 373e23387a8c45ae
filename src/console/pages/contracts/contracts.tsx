import type { Contract } from "../../../areas/contracts/schema";
import { ListAndPages, ListScreen } from "../../kit/list-screen";
import { statusOptions } from "../../kit/status";
import { t } from "../../messages/contracts";
import { ContractPage } from "./contract";
import { NewContract } from "./new-contract";
import { contractTable } from "./table";

const Contracts = () => (
	<ListAndPages path="/contracts" list={<ContractList />} page={(id) => <ContractPage key={id} id={id} />} />
);
export default Contracts;

const ContractList = () => (
	<ListScreen<Contract>
		path="/contracts"
		text={t.text}
		filters={[
			{ name: "search", label: t.search },
			{ name: "state", label: t.status, options: statusOptions(["DRAFT", "ACTIVE", "END_BILLING", "CANCELED"]) },
			{
				name: "expiresWithinDays",
				label: t.endsWithin,
				options: ["30", "60", "90", "365"].map((value) => ({ value, label: t.daysCount({ count: value }) })),
			},
		]}
		add={{ name: t.newContract, scope: "CONTRACT:WRITE", dialog: (state) => <NewContract {...state} /> }}
		table={contractTable(true)}
	/>
);
