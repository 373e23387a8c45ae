import type { CreditBalance } from "../../../areas/credits/balances/schema";
import { type CreditGrant, GrantCreate } from "../../../areas/credits/grants/schema";
import type { LedgerEntry } from "../../../areas/credits/ledger/schema";
import type { CustomCurrency } from "../../../areas/currencies/schema";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatDate, formatMoney, formatNumber } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import type { Entered } from "../../kit/forms/form-state";
import { useOne } from "../../kit/list";
import { ListCard } from "../../kit/list-card";
import { Ago, namedOptions, Status, When } from "../../kit/values";
import { t, wordFor } from "../../messages/credits";
import { may } from "../../session";

interface WalletsProps {
	readonly customerId: string;
}

/** The credit balances, grants and ledger of a customer. */
export const Wallets = ({ customerId }: WalletsProps) => (
	<>
		<Balances customerId={customerId} />
		<Grants customerId={customerId} />
		<Ledger customerId={customerId} />
	</>
);

const Balances = ({ customerId }: WalletsProps) => (
	<ListCard<CreditBalance>
		title={t.balances}
		path="/credits/balances"
		fixed={{ customerId }}
		limit={100}
		isFirstPage
		hasCurl
		actions={may("CREDIT:WRITE") && <GrantButton customerId={customerId} />}
		empty={{ title: t.noBalances, text: t.noBalancesText }}
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
);

function GrantButton({ customerId }: WalletsProps) {
	const { data: currencies } = useOne<readonly CustomCurrency[]>("/credits/custom-currencies?limit=100");
	const isPaid = ({ grantType }: Entered) => grantType === "PAID";
	return (
		<FormButton
			label={t.newGrant}
			isMain
			to={["POST", "/credits/grants"]}
			schema={GrantCreate}
			texts={t}
			initial={{ customerId, grantType: "PROMOTIONAL" }}
			fields={[
				{ name: "currencyId", kind: "select", none: "–", options: namedOptions(currencies) },
				"displayName",
				["amount", "grantType"],
				[
					{ name: "cost.amount", label: t.cost, hint: t.costHint, when: isPaid },
					{ name: "cost.currency", when: isPaid },
				],
				"expireAt",
				"comment",
			]}
			action={t.newGrant}
			onDone={({ amount }: CreditGrant) => t.done({ amount: formatNumber(amount) })}
		/>
	);
}

const Grants = ({ customerId }: WalletsProps) => (
	<ListCard<CreditGrant>
		title={t.grants}
		path="/credits/grants"
		fixed={{ customerId }}
		limit={100}
		isFirstPage
		empty={{ title: t.noGrants }}
		columns={[
			{ head: t.grant, cell: ({ displayName }) => <span className="strong">{displayName}</span> },
			{ head: t.kind, isWide: true, cell: ({ grantType }) => wordFor(grantType) },
			{ head: t.amount, isFigure: true, cell: ({ amount }) => formatNumber(amount) },
			{ head: t.used, isFigure: true, cell: ({ consumedAmount }) => formatNumber(consumedAmount) },
			{ head: t.cost, isFigure: true, isWide: true, cell: ({ cost }) => formatMoney(cost) },
			{ head: t.from, isWide: true, cell: ({ effectiveAt }) => formatDate(effectiveAt) },
			{ head: t.expires, isWide: true, cell: ({ expireAt }) => formatDate(expireAt) },
			{ head: t.status, cell: (grant) => <GrantState grant={grant} /> },
		]}
	/>
);

function GrantState({ grant }: { readonly grant: CreditGrant }) {
	const { id, displayName: name, status, grantType, amount, consumedAmount, customerId: customer } = grant;
	const isVoidable = status === "ACTIVE" || status === "SCHEDULED" || status === "PAYMENT_PENDING";
	if (!isVoidable || grantType === "RECURRING" || grantType === "OVERDRAFT" || !may("CREDIT:WRITE"))
		return <Status of={status} />;
	const values = { name, amount: formatNumber(amount - consumedAmount), customer };
	return (
		<ConfirmButton {...confirmation(t, "void", values)} isDanger perform={["POST", `/credits/grants/${id}/void`]} />
	);
}

const Ledger = ({ customerId }: WalletsProps) => (
	<ListCard<LedgerEntry>
		title={t.ledger}
		path="/credits/ledger"
		fixed={{ customerId }}
		hasCurl
		empty={{ title: t.noLedger }}
		rowKey={(one) => `${one.creditGrantId} ${one.eventType} ${one.timestamp} ${one.eventId} ${one.amount}`}
		columns={[
			{ head: t.booked, cell: ({ eventType }) => wordFor(eventType) },
			{ head: t.currency, isWide: true, cell: ({ creditCurrencyId }) => creditCurrencyId },
			{ head: t.feature, isWide: true, cell: ({ featureId }) => featureId ?? "–" },
			{ head: t.amount, isFigure: true, cell: ({ amount }) => formatNumber(amount) },
			{ head: t.when, cell: ({ timestamp }) => <When at={timestamp} /> },
		]}
	/>
);
