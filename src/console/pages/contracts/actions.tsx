import { useQuery } from "@tanstack/react-query";
import type { ContractPublication } from "../../../areas/contracts/billing/schema";
import { send } from "../../api";
import { ConfirmButton } from "../../kit/dialog";
import { formatMoney, formatNumber } from "../../kit/format";
import { Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/contracts";
import { fill } from "../../messages/language";
import { type OfContract, pathOf } from "./of";

/** What may be done with a contract, each said before it is done. */
export function ContractActions({ contract }: OfContract) {
	const path = pathOf(contract);
	const name = contract.name ?? contract.contractId;
	return (
		<>
			<ConfirmButton
				label={t.archive}
				title={fill(t.archiveTitle, { name })}
				says={t.archiveSays}
				isDanger
				perform={() => send("POST", `${path}/archive`)}
			/>
			{contract.billingState === "ACTIVE" && (
				<ConfirmButton
					label={t.stop}
					title={fill(t.stopTitle, { name })}
					says={t.stopSays}
					isDanger
					perform={() => send("POST", `${path}/billing/cancel`, {})}
				/>
			)}
			{contract.billingState === "DRAFT" && (
				<ConfirmButton
					label={t.publish}
					title={fill(t.publishTitle, { name })}
					says={<Publication path={path} />}
					perform={() => send("POST", `${path}/billing/publish`, {})}
				/>
			)}
		</>
	);
}

/** What publishing would do, asked of the server without doing it. */
function Publication({ path }: { readonly path: string }) {
	const { data, error } = useQuery({
		queryKey: ["publication", path],
		queryFn: async () =>
			(await send<{ data: ContractPublication }>("POST", `${path}/billing/publish?dryRun=true`, {})).data,
		retry: false,
	});
	if (error) return <Problem error={error} />;
	if (!data) return <Skeleton lines={2} />;
	const currency = data.invoicesNow[0]?.currency;
	const money = (amount: number) => (currency ? formatMoney({ amount, currency }) : formatNumber(amount));
	return (
		<>
			<p>
				{fill(data.invoicesNow.length > 0 ? t.publishNow : t.publishNowNone, {
					count: data.invoicesNow.length,
					amount: money(data.invoicesNow.reduce((sum, { total }) => sum + total, 0)),
					later: data.laterCount,
					laterAmount: money(data.laterTotal),
				})}
			</p>
			{data.isAmendment && data.totalBefore !== null && (
				<p>
					{fill(t.amendment, {
						after: money(data.totalAfter),
						before: money(data.totalBefore),
						credited: money(data.creditedNow),
					})}
				</p>
			)}
		</>
	);
}
