import type { Tax } from "../../../areas/taxes/schema";
import { useForm } from "../../kit/forms/form-state";
import { CheckList } from "../../kit/forms/list-fields";
import { useOne } from "../../kit/list";
import { t } from "../../messages/taxes";
import { Choose } from "../prices/controls";

type TaxIds = readonly string[] | null | undefined;

/** The form offers this many taxes. The API knows the others. */
const shownMax = 100;

const useTaxes = (): readonly Tax[] => useOne<readonly Tax[]>(`/taxes?status=ACTIVE&limit=${shownMax}`).data ?? [];

interface TaxesChoiceProps {
	/** The name in the form, for the errors of the API. */
	readonly name: string;
	/** The taxes that apply if none are chosen here. */
	readonly inherited: string;
	readonly value: TaxIds;
	readonly onChange: (value: readonly string[] | null) => void;
}

/** Inherits the taxes of the level above, or chooses some; an empty choice is no tax. */
export function TaxesChoice({ name, inherited, value, onChange }: TaxesChoiceProps) {
	const taxes = useTaxes();
	if (taxes.length === 0 && !value) return null;
	const archived = (value ?? []).filter((id) => !taxes.some((tax) => tax.id === id));
	const options = [
		...taxes.map(({ id, displayName }) => ({ value: id, label: displayName })),
		...archived.map((id) => ({ value: id, label: id })),
	];
	return (
		<div>
			<Choose
				label={t.title}
				value={value ? "own" : ""}
				options={[
					{ value: "", label: inherited },
					{ value: "own", label: t.own },
				]}
				onChange={(choice) => onChange(choice === "own" ? [] : null)}
			/>
			{value && (
				<CheckList {...{ name, options, onChange }} legend={t.chosen} hint={t.chosenHint} chosen={[...value]} />
			)}
		</div>
	);
}

/** The field `taxes` of a form. */
export function TaxesField({ inherited }: Pick<TaxesChoiceProps, "inherited">) {
	const { entered, set } = useForm();
	return (
		<TaxesChoice
			name="taxes"
			inherited={inherited}
			value={entered.taxes as TaxIds}
			onChange={(value) => set("taxes", value)}
		/>
	);
}

/** The names of taxes; undefined where a level has none of its own. */
export function TaxNames({ of }: { readonly of: readonly string[] }) {
	const taxes = useTaxes();
	if (of.length === 0) return t.noTax;
	return of.map((id) => taxes.find((tax) => tax.id === id)?.displayName ?? id).join(", ");
}
