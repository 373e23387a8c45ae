import { useState } from "react";
import type { ContractItem, ContractItems } from "../../../areas/contracts/billing/schema";
import type { ContractTotals } from "../../../areas/contracts/schema";
import { send } from "../../api";
import { ConfirmButton, Dialog } from "../../kit/dialog";
import { CheckboxField, Form } from "../../kit/form";
import { formatMoney } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Card, Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Table } from "../../kit/table";
import { t } from "../../messages/contract-items";
import { t as contracts } from "../../messages/contracts";
import { may } from "../../session";
import { EditRows, NewItem } from "./item-form";
import { type OfContract, pathOf } from "./of";
import { cycleText, rowsText } from "./row-text";

export const useItems = (contract: OfContract["contract"]) =>
	useOne<ContractItems>(contract.billingId ? `${pathOf(contract)}/billing/items` : undefined);

interface ItemsProps extends OfContract {
	readonly totals: ContractTotals | undefined;
}

/** What is charged, and at what prices: changed here as long as it is a draft, or an amendment is open. */
export function Items({ contract, totals }: ItemsProps) {
	const path = pathOf(contract);
	const { data, error, refetch } = useItems(contract);
	const [chosen, setChosen] = useState<ContractItem>();
	const [isAdding, setAdding] = useState(false);
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!data || !totals) return <Skeleton lines={4} />;
	const { currency, isOpen, isAmendment } = data;
	const mayChange = isOpen && may("CONTRACT:WRITE");
	const money = (amount: number) => formatMoney({ amount, currency });
	const totalOf = (id: string) => totals.items.find(({ itemId }) => itemId === id)?.total;
	const items = data.items.filter(({ isTakenOut }) => !isTakenOut);
	const add = mayChange && (
		<button type="button" className="solid" onClick={() => setAdding(true)}>
			{t.add}
		</button>
	);
	return (
		<>
			{isAmendment && (
				<div className="note warn">
					<p>{t.amending}</p>
				</div>
			)}
			<Card
				isFlush
				title={contracts.lines}
				text={contracts.linesText}
				actions={
					<>
						{isAmendment && mayChange && (
							<ConfirmButton
								label={t.discard}
								title={t.discardTitle}
								says={<p>{t.discardSays}</p>}
								perform={() => send("DELETE", `${path}/billing/edit-active`)}
								isDanger
							/>
						)}
						{!isOpen && contract.billingState === "ACTIVE" && may("CONTRACT:WRITE") && <Amend path={path} />}
						{add}
					</>
				}
			>
				{items.length === 0 ? (
					<Empty title={t.none} text={isOpen ? t.noneText : undefined} />
				) : (
					<Table
						label={contracts.lines}
						rows={items}
						rowKey={({ itemId }) => itemId}
						onOpen={mayChange ? setChosen : undefined}
						columns={[
							{ head: contracts.line, cell: ({ name }) => name },
							{ head: t.price, cell: (item) => <span className="small">{rowsText(item, currency)}</span> },
							{ head: t.cycle, isWide: true, cell: cycleText },
							{
								head: contracts.discount,
								isFigure: true,
								isWide: true,
								cell: ({ discount }) => (discount === null ? "–" : `${discount} %`),
							},
							{
								head: contracts.total,
								isFigure: true,
								cell: ({ itemId }) => {
									const total = totalOf(itemId);
									return total === undefined ? "–" : money(total);
								},
							},
							...(mayChange
								? [
										{
											head: t.actions,
											cell: ({ itemId, name }: ContractItem) => (
												<ConfirmButton
													label={t.remove}
													title={t.removeTitle({ name })}
													says={<p>{isAmendment ? t.removeLive : t.removeSays}</p>}
													perform={() => send("DELETE", `${path}/billing/items/${itemId}`)}
													isDanger
												/>
											),
										},
									]
								: []),
						]}
					/>
				)}
				<dl className="sums">
					<div className="strong">
						<dt>{contracts.total}</dt>
						<dd className="figure">{money(totals.total)}</dd>
					</div>
				</dl>
			</Card>
			<Dialog kind="drawer" title={t.add} isOpen={isAdding} onClose={() => setAdding(false)}>
				<NewItem path={path} currency={currency} isFirst={data.items.length === 0} onClose={() => setAdding(false)} />
			</Dialog>
			<Dialog
				kind="drawer"
				title={chosen ? t.editTitle({ name: chosen.name }) : ""}
				isOpen={chosen !== undefined}
				onClose={() => setChosen(undefined)}
			>
				{chosen && <EditRows path={path} item={chosen} onClose={() => setChosen(undefined)} />}
			</Dialog>
		</>
	);
}

/** Opens what is in force for change; nothing is issued meanwhile. */
function Amend({ path }: { readonly path: string }) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>
				{t.amend}
			</button>
			<Dialog title={t.amendTitle} isOpen={isOpen} onClose={close}>
				<Form
					action={t.amend}
					onCancel={close}
					submit={(body) => send("POST", `${path}/billing/edit-active`, body)}
					onDone={close}
				>
					<p>{t.amendSays}</p>
					<CheckboxField name="includeCurrentInvoice" label={t.includeCurrent} hint={t.includeCurrentHint} />
				</Form>
			</Dialog>
		</>
	);
}
