import { Link, useLocation } from "wouter";
import { AddonCreate } from "../../../areas/addons/schema";
import { type PackageKind, pricingTypes } from "../../../areas/packages/schema";
import { type Plan, PlanCreate } from "../../../areas/plans/schema";
import { send, withQuery } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, NumberField, SelectField, TextField, useForm } from "../../kit/form";
import { IdField } from "../../kit/id-field";
import { useOne } from "../../kit/list";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/packages";
import { kinds, type Package, pathOf } from "./kinds";
import { useProducts } from "./names";

interface NewPackageProps {
	readonly kind: PackageKind;
	readonly isOpen: boolean;
	readonly onClose: () => void;
}

export function NewPackage({ kind, isOpen, onClose }: NewPackageProps) {
	const [, navigate] = useLocation();
	const products = useProducts();
	const { path, t: texts } = kinds[kind];
	if (products?.length === 0)
		return (
			<Dialog title={texts.create} isOpen={isOpen} onClose={onClose}>
				<p>{t.productFirst}</p>
				<footer>
					<Link href="/products" className="button">
						{t.toProducts}
					</Link>
				</footer>
			</Dialog>
		);
	return (
		<Dialog title={texts.create} isOpen={isOpen} onClose={onClose}>
			<Form
				schema={kind === "PLAN" ? PlanCreate : AddonCreate}
				initial={{ productId: products?.[0]?.id, pricingType: "PAID" }}
				action={t.create}
				submit={(body) => send("POST", path, body)}
				onCancel={onClose}
				onDone={({ data }: { data: Package }) => {
					toast(texts.created({ name: data.displayName }));
					navigate(pathOf(kind, data.id));
				}}
			>
				<TextField name="displayName" label={t.name} isRequired />
				<IdField of="displayName" prefix={kind === "PLAN" ? "plan" : "addon"} hint={t.idHint} />
				<SelectField
					name="productId"
					label={t.product}
					options={(products ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
				/>
				{kind === "PLAN" && <BasePlan />}
				<SelectField
					name="pricingType"
					label={t.pricing}
					options={pricingTypes
						.filter((type) => kind === "PLAN" || type === "PAID")
						.map((value) => ({ value, label: t[value] }))}
				/>
				{kind === "ADDON" && <NumberField name="maxQuantity" label={t.maxQuantity} step={1} />}
				<TextField name="description" label={t.description} />
			</Form>
		</Dialog>
	);
}

/** Of the same product only. */
function BasePlan() {
	const { entered } = useForm();
	const productId = String(entered.productId ?? "");
	const { data: plans } = useOne<readonly Plan[]>(
		productId ? withQuery("/plans", { productId, status: "PUBLISHED", limit: 100 }) : undefined,
	);
	return (
		<SelectField
			name="parentPlanId"
			label={t.basePlan}
			hint={t.basePlanHint}
			none={t.noBasePlan}
			options={(plans ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
		/>
	);
}
