import { useSearchParams } from "wouter";
import type { CustomCurrency } from "../../../areas/currencies/schema";
import { withQuery } from "../../api";
import { ListCard } from "../../kit/list-card";
import { Card, Page } from "../../kit/page";
import { createdColumn, idColumn } from "../../kit/table";
import { t } from "../../messages/credits";
import { CustomerPicker } from "../customers/picker";
import { Wallets } from "./wallets";

/** The credit currencies, or the wallets of the chosen customer. */
export default function Credits() {
	const [search, setSearch] = useSearchParams();
	const customerId = search.get("customerId");
	if (customerId)
		return (
			<Page
				title={t.title}
				text={customerId}
				curl={withQuery("/credits/balances", { customerId })}
				actions={
					<button type="button" onClick={() => setSearch({})}>
						{t.another}
					</button>
				}
			>
				<Wallets customerId={customerId} />
			</Page>
		);
	return (
		<Page title={t.title} text={t.text} curl="/credits/custom-currencies?limit=25">
			<Card title={t.customer} text={t.ofText}>
				<CustomerPicker onChoose={({ id }) => setSearch({ customerId: id })} />
			</Card>
			<ListCard<CustomCurrency>
				title={t.currencies}
				path="/credits/custom-currencies"
				empty={{ title: t.currenciesEmpty, text: t.currenciesEmptyText }}
				columns={[
					{ head: t.currency, cell: ({ displayName }) => <span className="strong">{displayName}</span> },
					{ ...idColumn, isWide: false },
					{ head: t.symbol, isWide: true, cell: ({ symbol }) => symbol ?? "–" },
					createdColumn,
				]}
			/>
		</Page>
	);
}
