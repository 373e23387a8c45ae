import { type Tax, TaxCreate, TaxUpdate } from "../../../areas/taxes/schema";
import { pathTo } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatPercent } from "../../kit/format";
import { FormButton, FormDialog } from "../../kit/forms/form-dialog";
import { ListAndPages, ListScreen } from "../../kit/list-card";
import { Card, Facts, Loaded, Page } from "../../kit/page";
import { createdColumn, idColumn, statusColumn } from "../../kit/table";
import { Status, statusOptions, When } from "../../kit/values";
import { t } from "../../messages/taxes";
import { may } from "../../session";

const Taxes = () => <ListAndPages path="/taxes" list={<TaxList />} page={(id) => <TaxPage id={id} />} />;
export default Taxes;

const rateOf = ({ percentage }: Tax): string => formatPercent(percentage / 100);
const kindOf = ({ isInclusive }: Tax): string => (isInclusive ? t.inclusive : t.exclusive);

const TaxList = () => (
	<ListScreen<Tax>
		path="/taxes"
		texts={t}
		filters={[{ name: "status", label: t.status, options: statusOptions(["ACTIVE", "ARCHIVED"]) }]}
		columns={[
			{ head: t.tax, cell: ({ displayName }) => displayName },
			idColumn,
			{ head: t.percentage, isFigure: true, cell: rateOf },
			{ head: t.kind, isWide: true, cell: kindOf },
			statusColumn,
			createdColumn,
		]}
		add={{
			label: t.newTax,
			scope: "CATALOG:WRITE",
			dialog: (opening) => (
				<FormDialog
					{...opening}
					title={t.newTax}
					to={["POST", "/taxes"]}
					schema={TaxCreate}
					texts={t}
					initial={{}}
					fields={[
						"displayName",
						{ name: "id", from: "displayName", prefix: "tax" },
						[{ name: "percentage", unit: "%" }, "isInclusive"],
						["country", "code"],
					]}
					onDone={({ displayName: name }: Tax) => t.created({ name })}
				/>
			),
		}}
	/>
);

const TaxPage = ({ id }: { readonly id: string }) => (
	<Loaded<Tax> path={pathTo("/taxes", id)}>
		{(tax) => (
			<Page
				title={tax.displayName}
				badge={<Status of={tax.status} />}
				text={kindOf(tax)}
				parent={{ name: t.title, path: "/taxes" }}
				curl={pathTo("/taxes", id)}
				actions={may("CATALOG:WRITE") && <Actions tax={tax} />}
			>
				<Card>
					<Facts
						of={{
							[t.percentage]: rateOf(tax),
							[t.kind]: kindOf(tax),
							[t.country]: tax.country,
							[t.code]: tax.code,
							[t.createdAt]: <When at={tax.createdAt} />,
							[t.id]: <Id of={tax.id} />,
						}}
					/>
				</Card>
			</Page>
		)}
	</Loaded>
);

function Actions({ tax }: { readonly tax: Tax }) {
	const path = pathTo("/taxes", tax.id);
	return (
		<>
			{tax.status === "ACTIVE" && (
				<ConfirmButton
					{...confirmation(t, "archive", { name: tax.displayName })}
					isDanger
					perform={["POST", `${path}/archive`]}
				/>
			)}
			<FormButton
				label={t.edit}
				to={["PATCH", path]}
				schema={TaxUpdate}
				texts={t}
				edited={tax}
				fields={["displayName"]}
				onDone={() => t.saved}
			/>
		</>
	);
}
