import { useState } from "react";
import { Route, Switch } from "wouter";
import type { Product, ProductStatus } from "../../../areas/products/schema";
import { Choice, Filters, Search } from "../../kit/filters";
import { useList } from "../../kit/list";
import { Ago } from "../../kit/money";
import { Card, Page } from "../../kit/page";
import { Status, statusText } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { t as common } from "../../messages/common";
import { t } from "../../messages/products";
import { may } from "../../session";
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

const statuses: readonly ProductStatus[] = ["PUBLISHED", "ARCHIVED"];

function ProductList() {
	const list = useList<Product>("/products", { filters: ["id", "status"] });
	const [isOpen, setOpen] = useState(false);
	return (
		<Page
			title={t.title}
			text={t.text}
			curl={list.path}
			actions={
				may("CATALOG:WRITE") && (
					<button type="button" className="solid" onClick={() => setOpen(true)}>
						{t.newProduct}
					</button>
				)
			}
		>
			<Card isFlush>
				<Filters>
					<Search list={list} name="id" label={t.wholeId} />
					<Choice
						list={list}
						name="status"
						label={common.status}
						options={statuses.map((value) => ({ value, label: statusText(value) }))}
					/>
				</Filters>
				<ListTable
					label={t.title}
					list={list}
					rowKey={({ id }) => id}
					href={({ id }) => `/products/${encodeURIComponent(id)}`}
					empty={{ title: t.emptyTitle, text: t.emptyText }}
					columns={[
						{ head: t.product, cell: ({ displayName }) => displayName },
						{ head: common.id, isWide: true, cell: ({ id }) => <code className="quiet">{id}</code> },
						{ head: t.description, isWide: true, cell: ({ description }) => description ?? "–" },
						{ head: common.status, cell: ({ status }) => <Status of={status} /> },
						{ head: common.created, isWide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
					]}
				/>
			</Card>
			<NewProduct isOpen={isOpen} onClose={() => setOpen(false)} />
		</Page>
	);
}
