import { useSearchParams } from "wouter";
import type { CustomCurrency } from "../../../areas/currencies/schema";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card, Page } from "../../kit/page";
import { ListTable } from "../../kit/table";
import { t } from "../../messages/credits";
import { CustomerPicker } from "../customers/picker";
import { Wallets } from "./wallets";

/** The currencies that there are, and the wallets of the customer that is chosen. */
export default function Credits() {
	const [search, setSearch] = useSearchParams();
	const customerId = search.get("customerId");
	const choose = (id: string | undefined) => setSearch(id ? { customerId: id } : {});
	const list = useList<CustomCurrency>("/credits/custom-currencies", { isEnabled: !customerId });
	if (customerId)
		return (
			<Page
				title={t.title}
				text={customerId}
				curl={`/credits/balances?customerId=${encodeURIComponent(customerId)}`}
				actions={
					<button type="button" onClick={() => choose(undefined)}>
						{t.another}
					</button>
				}
			>
				<Wallets customerId={customerId} />
			</Page>
		);
	return (
		<Page title={t.title} text={t.text} curl={list.path}>
			<Card title={t.of} text={t.ofText}>
				<CustomerPicker onChoose={({ id }) => choose(id)} />
			</Card>
			<Card isFlush title={t.currencies}>
				<ListTable
					label={t.currencies}
					list={list}
					rowKey={({ id }) => id}
					empty={{ title: t.currenciesEmpty, text: t.currenciesEmptyText }}
					columns={[
						{ head: t.currency, cell: ({ displayName }) => <span className="strong">{displayName}</span> },
						{ head: t.id, cell: ({ id }) => <code className="quiet">{id}</code> },
						{ head: t.symbol, isWide: true, cell: ({ symbol }) => symbol ?? "–" },
						{ head: t.createdAt, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
					]}
				/>
			</Card>
		</Page>
	);
}
