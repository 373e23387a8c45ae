import { type Product, ProductCreate, ProductUpdate } from "../../../areas/products/schema";
import { pathTo, withQuery } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { FormButton, FormDialog } from "../../kit/forms/form-dialog";
import { ListAndPages, ListCard, ListScreen } from "../../kit/list-card";
import { Card, Empty, Facts, Loaded, Page } from "../../kit/page";
import { createdColumn, idColumn, statusColumn } from "../../kit/table";
import { Tabs } from "../../kit/tabs";
import { Status, statusOptions, When } from "../../kit/values";
import { t as matrix } from "../../messages/matrix";
import { t } from "../../messages/products";
import { t as screens } from "../../messages/screens";
import { may } from "../../session";
import { kinds, packageColumns, packageEmpty } from "../packages/kinds";
import { Matrix } from "./matrix";

const Products = () => (
	<ListAndPages path="/products" list={<ProductList />} page={(id, part) => <ProductPage id={id} part={part} />} />
);
export default Products;

const ProductList = () => (
	<ListScreen<Product>
		path="/products"
		texts={t}
		filters={[
			{ name: "id", label: t.wholeId },
			{ name: "status", label: t.status, options: statusOptions(["PUBLISHED", "ARCHIVED"]) },
		]}
		columns={[
			{ head: t.product, cell: ({ displayName }) => displayName },
			idColumn,
			{ head: t.description, isWide: true, cell: ({ description }) => description ?? "–" },
			statusColumn,
			createdColumn,
		]}
		add={{
			label: t.newProduct,
			scope: "CATALOG:WRITE",
			dialog: (opening) => (
				<FormDialog
					{...opening}
					title={t.newProduct}
					to={["POST", "/products"]}
					schema={ProductCreate}
					texts={t}
					fields={[
						"displayName",
						{ name: "id", from: "displayName", prefix: "product" },
						"description",
						"multipleSubscriptions",
					]}
					leadsTo={({ id }: Product) => pathTo("/products", id)}
					onDone={({ displayName: name }: Product) => t.created({ name })}
				/>
			),
		}}
	/>
);

/** The API finds a product in the list by its ID. */
const ProductPage = ({ id, part }: { readonly id: string; readonly part: string }) => (
	<Loaded<readonly Product[]> path={withQuery("/products", { id })}>
		{([product]) =>
			product ? (
				<Page
					title={product.displayName}
					badge={<Status of={product.status} />}
					text={product.description}
					parent={{ name: t.title, path: "/products" }}
					curl={withQuery("/products", { id })}
					actions={may("CATALOG:WRITE") && <Actions product={product} />}
				>
					<Card>
						<ProductFacts product={product} />
					</Card>
					<Parts product={product} part={part} />
				</Page>
			) : (
				<Empty title={t.missing({ id })} text={t.missingText} />
			)
		}
	</Loaded>
);

function Parts({ product: { id, displayName }, part }: { readonly product: Product; readonly part: string }) {
	const path = pathTo("/products", id);
	const kind = part === "addons" ? "ADDON" : "PLAN";
	return (
		<>
			<Tabs
				label={displayName}
				tabs={[
					{ name: screens.Plans, path },
					{ name: screens.Addons, path: `${path}/addons` },
					{ name: matrix.tab, path: `${path}/matrix` },
				]}
			/>
			{part === "matrix" ? (
				<Matrix productId={id} />
			) : (
				<ListCard
					key={kind}
					label={kinds[kind].t.title}
					path={kinds[kind].path}
					fixed={{ productId: id }}
					href={(one) => pathTo(kinds[kind].path, one.id)}
					columns={packageColumns(kind)}
					empty={packageEmpty(kind)}
				/>
			)}
		</>
	);
}

function ProductFacts({ product }: { readonly product: Product }) {
	const { productSettings: settings } = product;
	const withPlan = (text: string, planId: string | null | undefined) => (planId ? `${text} (${planId})` : text);
	return (
		<Facts
			of={{
				[t.several]: product.multipleSubscriptions ? t.many : t.one,
				[t.starts]: withPlan(t[settings.subscriptionStartSetup], settings.subscriptionStartPlanId),
				[t.ends]: withPlan(t[settings.subscriptionEndSetup], settings.downgradePlanId),
				[t.cancellation]: t[settings.subscriptionCancellationTime],
				[t.createdAt]: <When at={product.createdAt} />,
				[t.id]: <Id of={product.id} />,
			}}
			metadata={product.metadata}
		/>
	);
}

function Actions({ product }: { readonly product: Product }) {
	const path = pathTo("/products", product.id);
	const name = { name: product.displayName };
	if (product.status === "ARCHIVED")
		return <ConfirmButton {...confirmation(t, "unarchive", name)} perform={["POST", `${path}/unarchive`]} />;
	return (
		<>
			<ConfirmButton {...confirmation(t, "archive", name)} isDanger perform={["POST", `${path}/archive`]} />
			<FormButton
				label={t.edit}
				to={["PATCH", path]}
				schema={ProductUpdate}
				texts={t}
				edited={product}
				fields={["displayName", "description", "multipleSubscriptions"]}
				onDone={() => t.saved}
			/>
		</>
	);
}
