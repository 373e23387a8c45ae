import type { Static } from "@sinclair/typebox";
import type { ContractItem } from "../../../areas/contracts/billing/schema";
import { type ItemRow, ItemsAdd, ItemUpdate, type PricingModelView } from "../../../areas/contracts/schema";
import { send } from "../../api";
import { currencyOptions } from "../../kit/currencies";
import { Form, NumberField, SelectField, TextField, useForm } from "../../kit/form";
import { useOne } from "../../kit/list";
import { Skeleton } from "../../kit/page";
import { RowsField } from "../../kit/rows-field";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/contract-items";
import { nameIn } from "../../messages/language";
import { cycleText } from "./row-text";

type Model = Static<typeof PricingModelView>;

const useModels = () => useOne<Model[]>("/contracts/pricing-models").data;

const isTiered = ({ editableInputs }: Model): boolean => editableInputs.includes("from");

/** What the model does not read is not sent: a line may have been another one before. */
const rowsFor = (model: Model, rows: readonly ItemRow[]): ItemRow[] =>
	rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => model.editableInputs.includes(name))));

const units = ["monthly", "quarterly", "yearly", "weekly", "one_time"] as const;

interface NewItemProps {
	readonly path: string;
	readonly currency: string;
	/** It says the currency of all that come after it. */
	readonly isFirst: boolean;
	readonly onClose: () => void;
}

const { items, currency: ofAll } = ItemsAdd.properties;
const FirstItem = { ...items.items, properties: { ...items.items.properties, currency: ofAll } };

export function NewItem({ path, currency, isFirst, onClose }: NewItemProps) {
	const models = useModels();
	if (!models) return <Skeleton lines={6} />;
	return (
		<Form
			schema={isFirst ? FirstItem : items.items}
			action={t.create}
			initial={{
				pricingModelId: "flat",
				billingCycleUnit: "monthly",
				rows: [{ quantity: 1 }],
				...(isFirst && { currency }),
			}}
			onCancel={onClose}
			submit={({ rows = [], currency: chosen, ...item }) => {
				const model = models.find(({ id }) => id === item.pricingModelId);
				return send("POST", `${path}/billing/items`, {
					items: [{ ...item, ...(model && { rows: rowsFor(model, rows as ItemRow[]) }) }],
					...(isFirst && { currency: chosen }),
				});
			}}
			onDone={() => {
				onClose();
				toast(t.added);
			}}
		>
			<TextField name="name" label={t.name} isRequired />
			{isFirst && <SelectField name="currency" label={t.currency} hint={t.currencyHint} options={currencyOptions} />}
			<ModelFields models={models} currency={currency} />
			<div className="columns">
				<SelectField
					name="billingCycleUnit"
					label={t.cycle}
					options={units.map((value) => ({ value, label: t[value] }))}
				/>
				<SelectField
					name="paymentTime"
					label={t.paymentTime}
					none={t.usual}
					options={(["IN_ADVANCE", "IN_ARREARS"] as const).map((value) => ({ value, label: t[value] }))}
				/>
				<NumberField name="discount" label={t.discount} unit="%" />
				<NumberField name="tax" label={t.tax} unit="%" />
				<NumberField name="netTerms" label={t.netTerms} unit={t.days} step={1} />
				<TextField name="externalId" label={t.externalId} hint={t.externalIdHint} />
			</div>
		</Form>
	);
}

/** The rows follow the model that is chosen. */
function ModelFields({ models, currency }: { readonly models: readonly Model[]; readonly currency: string }) {
	const { entered } = useForm();
	const model = models.find(({ id }) => id === entered.pricingModelId);
	return (
		<>
			<div className="columns">
				<SelectField
					name="pricingModelId"
					label={t.model}
					options={models.map(({ id }) => ({ value: id, label: nameIn(t, id) }))}
				/>
				<TextField name="itemName" label={t.itemName} hint={model?.isPayAsYouGo ? t.featureHint : undefined} />
			</div>
			{model && <Rows model={model} currency={String(entered.currency ?? currency)} />}
		</>
	);
}

function Rows({ model, currency }: { readonly model: Model; readonly currency?: string }) {
	const has = (name: string) => model.editableInputs.includes(name);
	const isTiers = isTiered(model);
	return (
		<RowsField
			name="rows"
			label={isTiers ? t.tiers : t.prices}
			hint={isTiers ? t.tiersHint : undefined}
			add={isTiers ? t.addTier : t.addPrice}
			newRow={has("quantity") && !isTiers ? { quantity: 1 } : {}}
		>
			{(_, at) => (
				<>
					{has("quantity") && (at === 0 || !isTiers) && (
						<NumberField name="quantity" label={isTiers ? t.committed : t.quantity} />
					)}
					{isTiers && <NumberField name="from" label={t.from} />}
					{isTiers && <NumberField name="to" label={t.to} />}
					{has("packageSize") && <NumberField name="packageSize" label={t.packageSize} />}
					<NumberField name="price" label={t.price} unit={currency?.toUpperCase() ?? ""} />
				</>
			)}
		</RowsField>
	);
}

interface EditRowsProps {
	readonly path: string;
	readonly item: ContractItem;
	readonly onClose: () => void;
}

/** The rows of a line; its other terms are those with which it was added. */
export function EditRows({ path, item, onClose }: EditRowsProps) {
	const model = useModels()?.find(({ id }) => id === item.pricingModelId);
	if (!model) return <Skeleton lines={6} />;
	return (
		<Form
			schema={ItemUpdate}
			action={t.save}
			initial={{ rows: item.rows.map((row, at) => shown(row, at === 0 || !isTiered(model))) }}
			onCancel={onClose}
			submit={({ rows = [] }) =>
				send("PATCH", `${path}/billing/items/${item.itemId}`, { rows: rowsFor(model, rows as ItemRow[]) })
			}
			onDone={() => {
				onClose();
				toast(t.saved);
			}}
		>
			<p className="quiet">
				{t[item.pricingModelId]} · {cycleText(item)}
			</p>
			<Rows model={model} />
		</Form>
	);
}

/** Of tiers the first row says the quantity that is committed, for all. */
const shown = (row: ContractItem["rows"][number], hasQuantity: boolean) =>
	Object.fromEntries(
		Object.entries(row).filter(([name, value]) => value !== null && (hasQuantity || name !== "quantity")),
	);
