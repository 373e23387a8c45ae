import { Link } from "wouter";
import { AddonCreate } from "../../../areas/addons/schema";
import { type PackageKind, pricingTypes } from "../../../areas/packages/schema";
import { type Plan, PlanCreate } from "../../../areas/plans/schema";
import type { Product } from "../../../areas/products/schema";
import { withQuery } from "../../api";
import { Dialog, type Opening } from "../../kit/dialog";
import { FormDialog } from "../../kit/forms/form-dialog";
import { Input } from "../../kit/forms/form-fields";
import { useForm } from "../../kit/forms/form-state";
import { useOne } from "../../kit/list";
import { ListAndPages, ListScreen } from "../../kit/list-card";
import { namedOptions, optionsOf, statusOptions } from "../../kit/values";
import { t } from "../../messages/packages";
import { kinds, type Package, packageColumns, pathOf } from "./kinds";
import { PackagePage } from "./package";

export const Plans = () => <Packages kind="PLAN" />;
export const Addons = () => <Packages kind="ADDON" />;

interface OfKind {
	readonly kind: PackageKind;
}

const Packages = ({ kind }: OfKind) => (
	<ListAndPages
		path={kinds[kind].path}
		list={<PackageList kind={kind} />}
		page={(id) => <PackagePage kind={kind} id={id} />}
	/>
);

/** The products that can have plans; undefined until they are loaded. */
const useProducts = () => useOne<readonly Product[]>("/products?status=PUBLISHED&limit=100").data;

function PackageList({ kind }: OfKind) {
	const products = useProducts();
	return (
		<ListScreen<Package>
			path={kinds[kind].path}
			texts={kinds[kind].t}
			filters={[
				{ name: "productId", label: t.product, options: namedOptions(products) },
				{ name: "status", label: t.status, options: statusOptions(["DRAFT", "PUBLISHED", "ARCHIVED"]) },
			]}
			columns={packageColumns(kind)}
			add={{
				label: kinds[kind].t.create,
				scope: "CATALOG:WRITE",
				dialog: (opening) => <NewPackage kind={kind} {...opening} />,
			}}
		/>
	);
}

function NewPackage({ kind, ...opening }: OfKind & Opening) {
	const products = useProducts();
	const { path, t: texts } = kinds[kind];
	const isPlan = kind === "PLAN";
	// The form takes its initial product when it opens.
	if (!products) return null;
	if (products.length === 0)
		return (
			<Dialog title={texts.create} {...opening}>
				<p>{t.productFirst}</p>
				<footer>
					<Link href="/products" className="button">
						{t.toProducts}
					</Link>
				</footer>
			</Dialog>
		);
	const types = pricingTypes.filter((type) => isPlan || type === "PAID");
	return (
		<FormDialog
			{...opening}
			title={texts.create}
			to={["POST", path]}
			schema={isPlan ? PlanCreate : AddonCreate}
			texts={t}
			initial={{ productId: products[0]?.id, pricingType: "PAID" }}
			fields={[
				"displayName",
				{ name: "id", from: "displayName", prefix: isPlan ? "plan" : "addon" },
				{ name: "productId", label: t.product, kind: "select", options: namedOptions(products) },
				...(isPlan ? [BasePlan] : []),
				{ name: "pricingType", label: t.pricing, options: optionsOf(t, types) },
				...(isPlan ? [] : ["maxQuantity"]),
				"description",
			]}
			leadsTo={({ id }: Package) => pathOf(kind, id)}
			onDone={({ displayName: name }: Package) => texts.created({ name })}
		/>
	);
}

/** The base plan must belong to the same product. */
function BasePlan() {
	const productId = String(useForm().entered.productId ?? "");
	const { data: plans } = useOne<readonly Plan[]>(
		productId ? withQuery("/plans", { productId, status: "PUBLISHED", limit: 100 }) : undefined,
	);
	return <Input name="parentPlanId" kind="select" none={t.noBasePlan} options={namedOptions(plans)} />;
}
