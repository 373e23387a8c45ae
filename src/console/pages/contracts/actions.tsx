import { useQuery } from "@tanstack/react-query";
import type { ContractPublication } from "../../../areas/contracts/billing/schema";
import { send } from "../../api";
import { ConfirmButton } from "../../kit/dialog";
import { formatMoney } from "../../kit/format";
import { Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Badge } from "../../kit/status";
import { Table } from "../../kit/table";
import { t as item } from "../../messages/contract-items";
import { t } from "../../messages/contracts";
import { useItems } from "./items";
import { type OfContract, pathOf } from "./of";

/** What may be done with a contract, each said before it is done. */
export function ContractActions({ contract }: OfContract) {
	const path = pathOf(contract);
	const name = contract.name ?? contract.contractId;
	const { data: items } = useItems(contract);
	const isAmendment = items?.isAmendment === true;
	return (
		<>
			<ConfirmButton
				label={t.archive}
				title={t.archiveTitle({ name })}
				says={t.archiveSays}
				isDanger
				perform={() => send("POST", `${path}/archive`)}
			/>
			{contract.billingState === "ACTIVE" && (
				<ConfirmButton
					label={t.stop}
					title={t.stopTitle({ name })}
					says={t.stopSays}
					isDanger
					perform={() => send("POST", `${path}/billing/cancel`, {})}
				/>
			)}
			{items?.isOpen && (
				<ConfirmButton
					label={isAmendment ? item.publishAmendment : t.publish}
					title={t.publishTitle({ name })}
					says={<Publication path={path} currency={items.currency} />}
					perform={() => send("POST", `${path}/billing/publish`, {})}
				/>
			)}
		</>
	);
}

type Difference = ContractPublication["items"][number];

const tones = { ADDED: "good", CHANGED: "warn", REMOVED: "bad", UNCHANGED: "quiet" } as const;

/** What publishing would do, asked of the server without doing it. */
function Publication({ path, currency }: { readonly path: string; readonly currency: string }) {
	const { data, error } = useQuery({
		queryKey: ["publication", path],
		queryFn: async () =>
			(await send<{ data: ContractPublication }>("POST", `${path}/billing/publish?dryRun=true`, {})).data,
		retry: false,
	});
	if (error) return <Problem error={error} />;
	if (!data) return <Skeleton lines={2} />;
	const money = (amount: number) => formatMoney({ amount, currency });
	const moneyOrNone = (amount: number | null) => (amount === null ? "–" : money(amount));
	return (
		<>
			<p>
				{(data.invoicesNow.length > 0 ? t.publishNow : t.publishNowNone)({
					count: data.invoicesNow.length,
					amount: money(data.invoicesNow.reduce((sum, { total }) => sum + total, 0)),
					later: data.laterCount,
					laterAmount: money(data.laterTotal),
				})}
			</p>
			{data.isAmendment && data.totalBefore !== null && (
				<p>
					{t.amendment({
						after: money(data.totalAfter),
						before: money(data.totalBefore),
						credited: money(data.creditedNow),
					})}
				</p>
			)}
			<div className="framed">
				<Table
					label={item.differences}
					rows={data.items}
					rowKey={({ itemId }) => itemId}
					columns={[
						{ head: t.line, cell: ({ name }) => name },
						{ head: item.change, cell: ({ change }) => <Badge tone={tones[change]}>{item[change]}</Badge> },
						...(data.isAmendment
							? [{ head: item.before, isFigure: true, cell: (one: Difference) => moneyOrNone(one.totalBefore) }]
							: []),
						{ head: item.after, isFigure: true, cell: (one: Difference) => moneyOrNone(one.totalAfter) },
					]}
				/>
			</div>
		</>
	);
}
