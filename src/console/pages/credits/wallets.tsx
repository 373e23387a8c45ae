import type { CreditBalance } from "../../../areas/credits/balances/schema";
import type { CreditGrant } from "../../../areas/credits/grants/schema";
import type { LedgerEntry } from "../../../areas/credits/ledger/schema";
import { send, withQuery } from "../../api";
import { CopyAsCurl } from "../../kit/copy";
import { ConfirmButton } from "../../kit/dialog";
import { formatDate, formatMoney, formatNumber } from "../../kit/format";
import { useList, useOne } from "../../kit/list";
import { Ago, When } from "../../kit/money";
import { Card, Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Status } from "../../kit/status";
import { ListTable, Table } from "../../kit/table";
import { t, wordFor } from "../../messages/credits";
import { may } from "../../session";
import { GrantButton } from "./grant";

interface WalletsProps {
	readonly customerId: string;
}

/** A customer's credits: what there is, where it comes from, and each booking. */
export const Wallets = ({ customerId }: WalletsProps) => (
	<>
		<Balances customerId={customerId} />
		<Grants customerId={customerId} />
		<Ledger customerId={customerId} />
	</>
);

function Balances({ customerId }: WalletsProps) {
	const path = withQuery("/credits/balances", { customerId, limit: 100 });
	const { data, error, refetch } = useOne<readonly CreditBalance[]>(path);
	return (
		<Card
			isFlush
			title={t.balances}
			actions={
				<>
					<CopyAsCurl path={path} />
					{may("CREDIT:WRITE") && <GrantButton customerId={customerId} />}
				</>
			}
		>
			<Problem error={error} retry={() => void refetch()} />
			{!data && !error && <Skeleton lines={2} />}
			{data?.length === 0 && <Empty title={t.noBalances} text={t.noBalancesText} />}
			{data && data.length > 0 && (
				<Table
					label={t.balances}
					rows={data}
					rowKey={({ currencyId, resourceId }) => `${currencyId} ${resourceId}`}
					columns={[
						{ head: t.currency, cell: ({ currencyId }) => <span className="strong">{currencyId}</span> },
						{ head: t.resource, isWide: true, cell: ({ resourceId }) => resourceId ?? "–" },
						{ head: t.granted, isFigure: true, isWide: true, cell: ({ usageLimit }) => formatNumber(usageLimit) },
						{ head: t.used, isFigure: true, cell: ({ currentUsage }) => formatNumber(currentUsage) },
						{ head: t.overdraft, isFigure: true, isWide: true, cell: ({ overdraft }) => formatNumber(overdraft) },
						{
							head: t.left,
							isFigure: true,
							cell: ({ currentBalance }) => <span className="strong">{formatNumber(currentBalance)}</span>,
						},
						{ head: t.renews, isWide: true, cell: ({ usagePeriodEnd }) => <Ago at={usagePeriodEnd} /> },
					]}
				/>
			)}
		</Card>
	);
}

/** The latest hundred. */
function Grants({ customerId }: WalletsProps) {
	const { data, error, refetch } = useOne<readonly CreditGrant[]>(
		withQuery("/credits/grants", { customerId, limit: 100 }),
	);
	return (
		<Card isFlush title={t.grants}>
			<Problem error={error} retry={() => void refetch()} />
			{!data && !error && <Skeleton lines={2} />}
			{data?.length === 0 && <Empty title={t.noGrants} />}
			{data && data.length > 0 && (
				<Table
					label={t.grants}
					rows={data}
					rowKey={({ id }) => id}
					columns={[
						{ head: t.grant, cell: ({ displayName }) => <span className="strong">{displayName}</span> },
						{ head: t.kind, isWide: true, cell: ({ grantType }) => wordFor(grantType) },
						{ head: t.amount, isFigure: true, cell: ({ amount }) => formatNumber(amount) },
						{ head: t.used, isFigure: true, cell: ({ consumedAmount }) => formatNumber(consumedAmount) },
						{ head: t.cost, isFigure: true, isWide: true, cell: ({ cost }) => formatMoney(cost) },
						{ head: t.from, isWide: true, cell: ({ effectiveAt }) => formatDate(effectiveAt) },
						{ head: t.expires, isWide: true, cell: ({ expireAt }) => formatDate(expireAt) },
						{ head: t.void, cell: (grant) => <GrantState grant={grant} /> },
					]}
				/>
			)}
		</Card>
	);
}

function GrantState({ grant }: { readonly grant: CreditGrant }) {
	const { id, displayName, status, grantType, amount, consumedAmount, customerId } = grant;
	const isVoidable = status === "ACTIVE" || status === "SCHEDULED" || status === "PAYMENT_PENDING";
	if (!isVoidable || grantType === "RECURRING" || grantType === "OVERDRAFT" || !may("CREDIT:WRITE"))
		return <Status of={status} />;
	return (
		<ConfirmButton
			label={t.void}
			title={t.voidTitle({ name: displayName })}
			says={t.voidSays({ amount: formatNumber(amount - consumedAmount), customer: customerId })}
			isDanger
			perform={() => send("POST", `/credits/grants/${id}/void`)}
		/>
	);
}

function Ledger({ customerId }: WalletsProps) {
	const list = useList<LedgerEntry>("/credits/ledger", { fixed: { customerId } });
	return (
		<Card isFlush title={t.ledger} actions={<CopyAsCurl path={list.path} />}>
			<ListTable
				label={t.ledger}
				list={list}
				rowKey={(one) => `${one.creditGrantId} ${one.eventType} ${one.timestamp} ${one.eventId} ${one.amount}`}
				empty={{ title: t.noLedger }}
				columns={[
					{ head: t.booked, cell: ({ eventType }) => wordFor(eventType) },
					{ head: t.currency, isWide: true, cell: ({ creditCurrencyId }) => creditCurrencyId },
					{ head: t.feature, isWide: true, cell: ({ featureId }) => featureId ?? "–" },
					{ head: t.amount, isFigure: true, cell: ({ amount }) => formatNumber(amount) },
					{ head: t.when, cell: ({ timestamp }) => <When at={timestamp} /> },
				]}
			/>
		</Card>
	);
}
