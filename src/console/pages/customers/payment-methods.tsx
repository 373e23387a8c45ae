import { useState } from "react";
import type { ProviderConnection } from "../../../areas/collection/connections/schema";
import type { PaymentMethod } from "../../../areas/collection/methods/schema";
import { type MethodPage, MethodSetup } from "../../../areas/collection/pages/schema";
import { pathTo } from "../../api";
import { ConfirmButton, confirmation, DetailDialog } from "../../kit/dialog";
import { formatRelative } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { useList } from "../../kit/list";
import { ListCard } from "../../kit/list-card";
import { CopiedText } from "../../kit/secret";
import { Badge } from "../../kit/values";
import { t } from "../../messages/charging";
import { may } from "../../session";
import type { OfCustomer } from "./lists";
import { methodText } from "./method-text";

const pathOf = ({ id }: OfCustomer["customer"]): string => pathTo("/customers", id, "payment-methods");

/** The interval at which methods are read again while a page of the provider is open. */
const watchedMs = 3_000;

/** The payment methods that a customer has saved at providers. */
export function PaymentMethods({ customer }: OfCustomer) {
	const [page, setPage] = useState<MethodPage>();
	const [isWatched, watch] = useState(false);
	const mayWrite = may("CUSTOMER:WRITE") && !customer.archivedAt;
	return (
		<>
			<ListCard<PaymentMethod>
				title={t.methods}
				text={t.methodsText}
				path={pathOf(customer)}
				limit={20}
				isFirstPage
				{...(isWatched && { everyMs: watchedMs })}
				empty={{ title: t.noMethods }}
				actions={
					mayWrite && (
						<AddButton
							customer={customer}
							onOpened={(opened) => {
								setPage(opened);
								watch(true);
							}}
						/>
					)
				}
				columns={[
					{ head: t.method, cell: (method) => methodText(method) },
					{ head: t.expires, cell: expiryText },
					{
						head: t.status,
						cell: (method) =>
							method.isDefault ? (
								<Badge tone="good">{t.isDefault}</Badge>
							) : (
								mayWrite && <DefaultButton {...{ customer, method }} />
							),
					},
					{ head: t.actions, cell: (method) => mayWrite && <RemoveButton {...{ customer, method }} /> },
				]}
			/>
			<DetailDialog kind="dialog" item={page} title={() => t.pageTitle} onClose={() => setPage(undefined)}>
				{({ url, expiresAt }) => (
					<>
						<p>{t.pageText({ when: formatRelative(expiresAt, Date.now()) })}</p>
						<CopiedText name={t.pageAddress} text={url ?? ""} />
						<footer>
							<a className="button solid" href={url ?? ""} target="_blank" rel="noreferrer">
								{t.openPage}
							</a>
						</footer>
					</>
				)}
			</DetailDialog>
		</>
	);
}

const expiryText = ({ expiryMonth, expiryYear }: PaymentMethod): string =>
	expiryMonth === null || expiryYear === null ? "–" : `${String(expiryMonth).padStart(2, "0")}/${expiryYear}`;

interface OfMethod extends OfCustomer {
	readonly method: PaymentMethod;
}

function AddButton({ customer, onOpened }: OfCustomer & { readonly onOpened: (page: MethodPage) => void }) {
	const { rows = [] } = useList<ProviderConnection>("/provider-connections", {
		...{ limit: 20, isFirstPage: true, fixed: { status: "ACTIVE" }, isEnabled: may("ENVIRONMENT:READ") },
	});
	const back = location.href;
	return (
		<FormButton
			label={t.addMethod}
			title={t.addMethodTitle}
			to={["POST", `${pathOf(customer)}/setup`]}
			schema={MethodSetup}
			texts={t}
			initial={{ successUrl: back, cancelUrl: back, ...(rows[0] && { connectionId: rows[0].id }) }}
			fields={[
				() => <p>{t.addMethodSays}</p>,
				{
					...{ name: "connectionId", kind: "select", isRequired: true },
					options: rows.map(({ id, name }) => ({ value: id, label: name })),
					when: () => rows.length > 1,
				},
			]}
			action={t.openPage}
			onDone={onOpened}
		/>
	);
}

const DefaultButton = ({ customer, method }: OfMethod) => (
	<ConfirmButton
		{...confirmation(t, "makeDefault", { method: methodText(method) })}
		perform={["POST", pathTo("/customers", customer.id, "default-payment-method", method.id)]}
	/>
);

const RemoveButton = ({ customer, method }: OfMethod) => (
	<ConfirmButton
		{...confirmation(t, "remove", { method: methodText(method) })}
		isDanger
		perform={["DELETE", `${pathOf(customer)}/${method.id}`]}
	/>
);
