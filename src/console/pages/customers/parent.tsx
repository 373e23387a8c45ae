import { type Customer, CustomerUpdate } from "../../../areas/customers/schema";
import { pathTo } from "../../api";
import { FormButton } from "../../kit/forms/form-dialog";
import { useOne } from "../../kit/list";
import { Card, Facts } from "../../kit/page";
import { To } from "../../kit/values";
import { t } from "../../messages/parents";
import { may } from "../../session";
import type { OfCustomer } from "./lists";

/** The children that the card shows. */
const shownMax = 20;

/** The parent of a customer, who pays, and the customers that belong to it. */
export function ParentCard({ customer }: OfCustomer) {
	const { id, parentCustomerId, billsTo = "SELF", invoiceGrouping = "SEPARATE" } = customer;
	const { data: children = [] } = useOne<readonly Customer[]>(
		`/customers?parentCustomerId=${encodeURIComponent(id)}&limit=${shownMax}`,
	);
	const edit = (
		<FormButton
			label={t.edit}
			to={["PATCH", pathTo("/customers", id)]}
			schema={CustomerUpdate}
			texts={t}
			edited={{ parentCustomerId: parentCustomerId ?? null, billsTo, invoiceGrouping }}
			fields={["parentCustomerId", "billsTo", "invoiceGrouping"]}
			onDone={() => t.saved}
		/>
	);
	return (
		<Card title={t.title} actions={may("CUSTOMER:WRITE") && !customer.archivedAt && edit}>
			<Facts
				of={{
					[t.parentCustomerId]: parentCustomerId ? <To list="/customers" id={parentCustomerId} /> : t.none,
					...(parentCustomerId && { [t.billsTo]: t[billsTo] }),
					...(invoiceGrouping === "CONSOLIDATED" && { [t.invoiceGrouping]: t.CONSOLIDATED }),
					...(children.length > 0 && {
						[t.children]: children.map((child) => <To key={child.id} list="/customers" id={child.id} />),
					}),
				}}
			/>
		</Card>
	);
}
