import { useState } from "react";
import type { ContractItem, ContractItems } from "../../../areas/contracts/billing/schema";
import type { Contract, ContractTotals } from "../../../areas/contracts/schema.shown";
import { pathTo } from "../../api";
import { ConfirmButton, confirmation, DetailDialog } from "../../kit/dialog";
import { formatMoney } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { useOne } from "../../kit/list";
import { Card, Empty, Loaded, Skeleton } from "../../kit/page";
import { type Column, Table } from "../../kit/table";
import { t } from "../../messages/contract-items";
import { t as contracts } from "../../messages/contracts";
import { may } from "../../session";
import { EditRows, NewItem } from "./item-form";
import { cycleText, rowsText } from "./row-text";

export interface OfContract {
	readonly contract: Contract;
}

export const pathOf = ({ contractId }: Contract): string => pathTo("/contracts", contractId);

const itemsPath = (contract: Contract): string => `${pathOf(contract)}/billing/items`;

export const useItems = (contract: Contract) =>
	useOne<ContractItems>(contract.billingId ? itemsPath(contract) : undefined);

interface ItemsProps extends OfContract {
	readonly totals: ContractTotals | undefined;
}

/** The lines of a contract, and their prices. Those of a draft or of an open amendment can be edited. */
export const Items = ({ contract, totals }: ItemsProps) => (
	<Loaded<ContractItems> path={itemsPath(contract)} lines={4}>
		{(items) => (totals ? <ItemsCard contract={contract} items={items} totals={totals} /> : <Skeleton lines={4} />)}
	</Loaded>
);

interface ItemsCardProps extends OfContract {
	readonly items: ContractItems;
	readonly totals: ContractTotals;
}

function ItemsCard({ contract, items: { currency, isOpen, isAmendment, ...list }, totals }: ItemsCardProps) {
	const [chosen, choose] = useState<ContractItem>();
	const close = () => choose(undefined);
	const mayWrite = may("CONTRACT:WRITE");
	const mayChange = isOpen && mayWrite;
	const path = `${pathOf(contract)}/billing`;
	const items = list.items.filter(({ isTakenOut }) => !isTakenOut);
	const money = (amount: number) => formatMoney({ amount, currency });
	const totalOf = (id: string) => totals.items.find(({ itemId }) => itemId === id)?.total;
	const removal: Column<ContractItem> = {
		head: t.actions,
		cell: ({ itemId, name }) => (
			<ConfirmButton
				{...confirmation(t, "remove", { name })}
				{...(isAmendment && { says: t.removeLive })}
				isDanger
				perform={["DELETE", `${path}/items/${itemId}`]}
			/>
		),
	};
	return (
		<>
			{isAmendment && (
				<div className="note warn">
					<p>{t.amending}</p>
				</div>
			)}
			<Card
				isFlush
				title={t.lines}
				text={contracts.linesText}
				actions={
					<>
						{isAmendment && mayChange && (
							<ConfirmButton {...confirmation(t, "discard")} isDanger perform={["DELETE", `${path}/edit-active`]} />
						)}
						{!isOpen && contract.billingState === "ACTIVE" && mayWrite && <AmendButton path={path} />}
						{mayChange && <NewItem path={path} currency={currency} isFirst={list.items.length === 0} />}
					</>
				}
			>
				{items.length === 0 ? (
					<Empty title={t.noItems} text={isOpen && t.noItemsText} />
				) : (
					<Table
						label={t.lines}
						rows={items}
						rowKey={({ itemId }) => itemId}
						onOpen={mayChange ? choose : undefined}
						columns={[
							{ head: t.line, cell: ({ name }) => name },
							{ head: t.price, cell: (item) => <span className="small">{rowsText(item, currency)}</span> },
							{ head: t.billingCycleUnit, isWide: true, cell: cycleText },
							{
								head: t.discount,
								isFigure: true,
								isWide: true,
								cell: ({ discount }) => (discount === null ? "–" : `${discount} %`),
							},
							{
								head: t.total,
								isFigure: true,
								cell: ({ itemId }) => {
									const total = totalOf(itemId);
									return total === undefined ? "–" : money(total);
								},
							},
							...(mayChange ? [removal] : []),
						]}
					/>
				)}
				<dl className="sums">
					<div className="strong">
						<dt>{t.total}</dt>
						<dd className="figure">{money(totals.total)}</dd>
					</div>
				</dl>
			</Card>
			<DetailDialog item={chosen} title={({ name }) => t.editTitle({ name })} onClose={close}>
				{(item) => <EditRows path={path} item={item} onClose={close} />}
			</DetailDialog>
		</>
	);
}

/** Opens an active contract for changes. Nothing is issued meanwhile. */
const AmendButton = ({ path }: { readonly path: string }) => (
	<FormButton
		label={t.amend}
		title={t.amendTitle}
		to={["POST", `${path}/edit-active`]}
		texts={t}
		fields={[{ name: "includeCurrentInvoice", kind: "checkbox" }]}
		action={t.amend}
	>
		<p>{t.amendSays}</p>
	</FormButton>
);
