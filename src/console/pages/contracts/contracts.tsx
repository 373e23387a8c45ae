import { Route, Switch } from "wouter";
import type { Contract } from "../../../areas/contracts/schema";
import { Choice, Filters, Search } from "../../kit/filters";
import { useList } from "../../kit/list";
import { Card, Page } from "../../kit/page";
import { statusText } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/contracts";
import { t as fields } from "../../messages/fields";
import { fill } from "../../messages/language";
import { ContractPage } from "./contract";
import { contractTable } from "./table";

export default function Contracts() {
	return (
		<Switch>
			<Route path="/contracts">
				<ContractList />
			</Route>
			<Route path="/contracts/:id">{({ id }) => <ContractPage key={id} id={decodeURIComponent(id)} />}</Route>
		</Switch>
	);
}

const states: readonly Contract["state"][] = ["DRAFT", "ACTIVE", "END_BILLING", "CANCELED"];

function ContractList() {
	const list = useList<Contract>("/contracts", { filters: ["search", "state", "expiresWithinDays"] });
	return (
		<Page title={t.title} text={t.text} curl={list.path}>
			<Card isFlush>
				<Filters>
					<Search list={list} name="search" label={t.search} />
					<Choice
						list={list}
						name="state"
						label={fields.status}
						options={states.map((value) => ({ value, label: statusText(value) }))}
					/>
					<Choice
						list={list}
						name="expiresWithinDays"
						label={t.endsWithin}
						options={["30", "60", "90", "365"].map((value) => ({
							value,
							label: fill(fields.daysCount, { count: value }),
						}))}
					/>
				</Filters>
				<ListTable {...contractTable(true)} list={list} />
			</Card>
		</Page>
	);
}
