import { useState } from "react";
import { Route, Switch } from "wouter";
import type { Addon } from "../../../areas/addons/schema";
import type { Plan } from "../../../areas/plans/schema";
import { type Product, ProductUpdate } from "../../../areas/products/schema";
import { send, withQuery } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, Dialog } from "../../kit/dialog";
import { CheckboxField, Form, TextField } from "../../kit/form";
import { useList, useOne } from "../../kit/list";
import { When } from "../../kit/money";
import { Card, Empty, Facts, Page, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Status } from "../../kit/status";
import { ListTable } from "../../kit/table";
import { Tabs } from "../../kit/tabs";
import { toast } from "../../kit/toasts";
import { t as matrix } from "../../messages/matrix";
import { t } from "../../messages/products";
import { t as screens } from "../../messages/screens";
import { words } from "../../messages/shared/words";
import { may } from "../../session";
import { packageTable } from "../packages/table";
import { Matrix } from "./matrix";

export function ProductPage({ id }: { readonly id: string }) {
	const path = withQuery("/products", { id });
	const { data: found, error, refetch } = useOne<readonly Product[]>(path);
	const here = `/products/${encodeURIComponent(id)}`;
	if (error) return <Problem error={error} retry={() => void refetch()} />;
	if (!found) return <Skeleton lines={6} />;
	const [product] = found;
	if (!product) return <Empty title={t.missing({ id })} text={t.missingText} />;
	return (
		<Page
			title={product.displayName}
			beside={<Status of={product.status} />}
			text={product.description ?? undefined}
			parent={{ name: t.title, path: "/products" }}
			curl={path}
			actions={may("CATALOG:WRITE") && <Actions product={product} />}
		>
			<Card>
				<ProductFacts product={product} />
			</Card>
			<Tabs
				label={product.displayName}
				tabs={[
					{ name: screens.Plans, path: here },
					{ name: screens.Addons, path: `${here}/addons` },
					{ name: matrix.tab, path: `${here}/matrix` },
				]}
			/>
			<Switch>
				<Route path={here}>
					<Packages key="plans" kind="PLAN" productId={id} />
				</Route>
				<Route path={`${here}/addons`}>
					<Packages key="addons" kind="ADDON" productId={id} />
				</Route>
				<Route path={`${here}/matrix`}>
					<Matrix productId={id} />
				</Route>
			</Switch>
		</Page>
	);
}

function ProductFacts({ product }: { readonly product: Product }) {
	const { productSettings: settings } = product;
	const withPlan = (text: string, planId: string | null | undefined) => (planId ? `${text} (${planId})` : text);
	return (
		<Facts
			of={[
				[t.several, product.multipleSubscriptions ? t.many : t.one],
				[t.starts, withPlan(t[settings.subscriptionStartSetup], settings.subscriptionStartPlanId)],
				[t.ends, withPlan(t[settings.subscriptionEndSetup], settings.downgradePlanId)],
				[t.cancellation, t[settings.subscriptionCancellationTime]],
				...Object.entries(product.metadata).map(([name, value]) => [name, value] as const),
				[words.created, <When key="created" at={product.createdAt} />],
				[t.id, <Id key="id" of={product.id} />],
			]}
		/>
	);
}

function Packages({ kind, productId }: { readonly kind: "PLAN" | "ADDON"; readonly productId: string }) {
	const list = useList<Plan | Addon>(kind === "PLAN" ? "/plans" : "/addons", { fixed: { productId } });
	return (
		<Card isFlush>
			<ListTable {...packageTable(kind)} list={list} />
		</Card>
	);
}

function Actions({ product }: { readonly product: Product }) {
	const [isOpen, setOpen] = useState(false);
	const path = `/products/${encodeURIComponent(product.id)}`;
	const close = () => setOpen(false);
	if (product.status === "ARCHIVED")
		return (
			<ConfirmButton
				label={t.unarchive}
				title={t.unarchiveTitle({ name: product.displayName })}
				says={t.unarchiveSays}
				perform={() => send("POST", `${path}/unarchive`)}
			/>
		);
	return (
		<>
			<ConfirmButton
				label={t.archive}
				title={t.archiveTitle({ name: product.displayName })}
				says={t.archiveSays}
				isDanger
				perform={() => send("POST", `${path}/archive`)}
			/>
			<button type="button" onClick={() => setOpen(true)}>
				{t.edit}
			</button>
			<Dialog title={t.edit} isOpen={isOpen} onClose={close}>
				<Form
					schema={ProductUpdate}
					initial={{
						displayName: product.displayName,
						description: product.description ?? undefined,
						multipleSubscriptions: product.multipleSubscriptions,
					}}
					action={t.save}
					submit={(body) => send("PATCH", path, { description: null, ...body })}
					onCancel={close}
					onDone={() => {
						close();
						toast(t.saved);
					}}
				>
					<TextField name="displayName" label={t.name} isRequired />
					<TextField name="description" label={t.description} />
					<CheckboxField name="multipleSubscriptions" label={t.multipleSubscriptions} />
				</Form>
			</Dialog>
		</>
	);
}
