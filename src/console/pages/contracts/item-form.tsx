import type { Static } from "@sinclair/typebox";
import type { ContractItem } from "../../../areas/contracts/billing/schema";
import { type ItemRow, ItemsAdd, ItemUpdate } from "../../../areas/contracts/schema";
import type { PricingModelView } from "../../../areas/contracts/schema.shown";
import { send } from "../../api";
import { Form } from "../../kit/forms/form";
import { FormButton } from "../../kit/forms/form-dialog";
import { Fields, Input } from "../../kit/forms/form-fields";
import { useForm } from "../../kit/forms/form-state";
import { RowsField } from "../../kit/forms/list-fields";
import { useOne } from "../../kit/list";
import { Skeleton } from "../../kit/page";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/contract-items";
import { nameIn } from "../../messages/language";
import { cycleText } from "./row-text";

type Model = Static<typeof PricingModelView>;

const useModels = () => useOne<Model[]>("/contracts/pricing-models").data;

const isTiered = ({ editableInputs }: Model): boolean => editableInputs.includes("from");

/** Leaves out the values of other models, which a line may have had before. */
const rowsFor = (model: Model, rows: readonly ItemRow[]): ItemRow[] =>
	rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => model.editableInputs.includes(name))));

interface NewItemProps {
	readonly path: string;
	readonly currency: string;
	/** The first line sets the currency of the contract. */
	readonly isFirst: boolean;
}

const { items, currency: contractCurrency } = ItemsAdd.properties;
const FirstItem = { ...items.items, properties: { ...items.items.properties, currency: contractCurrency } };

export function NewItem({ path, currency, isFirst }: NewItemProps) {
	const models = useModels() ?? [];
	return (
		<FormButton
			label={t.add}
			kind="drawer"
			isMain
			to={({ rows = [], currency: chosen, ...item }) => {
				const model = models.find(({ id }) => id === item.pricingModelId);
				return send("POST", `${path}/items`, {
					items: [{ ...item, ...(model && { rows: rowsFor(model, rows as ItemRow[]) }) }],
					...(isFirst && { currency: chosen }),
				});
			}}
			schema={isFirst ? FirstItem : items.items}
			texts={t}
			initial={{
				pricingModelId: "flat",
				billingCycleUnit: "monthly",
				rows: [{ quantity: 1 }],
				...(isFirst && { currency }),
			}}
			onDone={() => t.added}
		>
			<ItemFields models={models} currency={currency} isFirst={isFirst} />
		</FormButton>
	);
}

/** The rows follow the chosen model. */
function ItemFields({ models, currency, isFirst }: Omit<NewItemProps, "path"> & { readonly models: readonly Model[] }) {
	const { entered } = useForm();
	const model = models.find(({ id }) => id === entered.pricingModelId);
	const options = models.map(({ id }) => ({ value: id, label: nameIn(t, id) }));
	return (
		<>
			<Fields
				of={[
					"name",
					...(isFirst ? ["currency"] : []),
					[
						{ name: "pricingModelId", options },
						{ name: "itemName", hint: model?.isPayAsYouGo ? t.featureHint : "" },
					],
				]}
			/>
			{model && <Rows model={model} currency={String(entered.currency ?? currency)} />}
			<Fields
				of={[
					[
						"billingCycleUnit",
						"paymentTime",
						{ name: "discount", unit: "%" },
						{ name: "tax", unit: "%" },
						{ name: "netTerms", unit: t.days },
						"externalId",
					],
				]}
			/>
		</>
	);
}

function Rows({ model, currency = "" }: { readonly model: Model; readonly currency?: string }) {
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
						<Input name="quantity" label={isTiers ? t.committed : t.quantity} />
					)}
					{isTiers && <Input name="from" />}
					{isTiers && <Input name="to" />}
					{has("packageSize") && <Input name="packageSize" />}
					<Input name="price" unit={currency.toUpperCase()} />
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

/** Edits the rows of a line. Its other terms are fixed. */
export function EditRows({ path, item, onClose }: EditRowsProps) {
	const model = useModels()?.find(({ id }) => id === item.pricingModelId);
	if (!model) return <Skeleton lines={6} />;
	return (
		<Form
			to={["PATCH", `${path}/items/${item.itemId}`]}
			schema={ItemUpdate}
			texts={t}
			initial={{ rows: item.rows.map((row, at) => withoutNulls(row, at === 0 || !isTiered(model))) }}
			action={t.save}
			body={({ rows = [] }) => ({ rows: rowsFor(model, rows as ItemRow[]) })}
			onCancel={onClose}
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

/** The first row of tiers has the committed quantity of all. */
const withoutNulls = (row: ContractItem["rows"][number], hasQuantity: boolean) =>
	Object.fromEntries(
		Object.entries(row).filter(([name, value]) => value !== null && (hasQuantity || name !== "quantity")),
	);
