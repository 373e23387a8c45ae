import { Route, Switch } from "wouter";
import type { Product } from "../../../areas/products/schema";
import { ListScreen } from "../../kit/list-screen";
import { Ago } from "../../kit/money";
import { Status, statusOptions } from "../../kit/status";
import { t } from "../../messages/products";
import { words } from "../../messages/shared/words";
import { NewProduct } from "./new-product";
import { ProductPage } from "./product";

export default function Products() {
	return (
		<Switch>
			<Route path="/products">
				<ProductList />
			</Route>
			<Route path="/products/:id/:part?">{({ id }) => <ProductPage key={id} id={decodeURIComponent(id)} />}</Route>
		</Switch>
	);
}

const ProductList = () => (
	<ListScreen<Product>
		path="/products"
		text={t.text}
		filters={[
			{ name: "id", label: t.wholeId },
			{ name: "status", label: t.status, options: statusOptions(["PUBLISHED", "ARCHIVED"]) },
		]}
		add={{ name: t.newProduct, scope: "CATALOG:WRITE", dialog: (state) => <NewProduct {...state} /> }}
		table={{
			label: t.title,
			rowKey: ({ id }) => id,
			href: ({ id }) => `/products/${encodeURIComponent(id)}`,
			empty: { title: t.emptyTitle, text: t.emptyText },
			columns: [
				{ head: t.product, cell: ({ displayName }) => displayName },
				{ head: t.id, isWide: true, cell: ({ id }) => <code className="quiet">{id}</code> },
				{ head: t.description, isWide: true, cell: ({ description }) => description ?? "–" },
				{ head: t.status, cell: ({ status }) => <Status of={status} /> },
				{ head: words.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
			],
		}}
	/>
);
