import { createElement, Fragment, type ReactNode } from "react";
import { words } from "../../messages/shared/words";
import { currencyOptions } from "../currencies";
import { statusText } from "../values";
import {
	CheckboxField,
	DayField,
	type FieldProps,
	IdField,
	LinesField,
	NumberField,
	type Option,
	type OptionGroup,
	SelectField,
	TextField,
} from "./fields";
import { type Entered, type FormTexts, useForm } from "./form-state";
import { RowsField } from "./list-fields";
import { at, choicesOf, type InputKind, inputKind, isRequired } from "./schema";

/** A field by its name, and whatever its schema and the texts of the form do not say. */
export interface FieldOptions {
	readonly name: string;
	readonly label?: string;
	readonly hint?: ReactNode;
	readonly isRequired?: boolean;
	/** Hides the field while it returns false. */
	readonly when?: (entered: Entered) => boolean;
	readonly kind?: InputKind | "password" | "url" | "date" | "datetime-local" | "long";
	readonly options?: readonly (Option | OptionGroup)[];
	/** The label of the empty choice. */
	readonly none?: string;
	readonly unit?: string | undefined;
	readonly placeholder?: string;
	readonly autoComplete?: string;
	/** For IDs: suggests one from the field `from`. */
	readonly from?: string;
	readonly prefix?: string;
	/** For lists: the fields of a row, the label of the button, and the values of a new row. */
	readonly rows?: readonly FieldSpec[];
	readonly add?: string;
	readonly newRow?: Entered;
}

/** A field by its name, with options, several in columns, or a component that the screen defines. */
export type FieldSpec = string | FieldOptions | readonly FieldSpec[] | (() => ReactNode);

const isColumns = (spec: FieldSpec): spec is readonly FieldSpec[] => Array.isArray(spec);

/** The names of the fields that the kit renders. */
export const namesOf = (specs: readonly FieldSpec[]): string[] =>
	specs.flatMap((spec) => {
		if (typeof spec === "function") return [];
		if (isColumns(spec)) return namesOf(spec);
		return [typeof spec === "string" ? spec : spec.name];
	});

export function Fields({ of }: { readonly of: readonly FieldSpec[] }) {
	const { entered } = useForm();
	// Passed one by one, fields keep their place, and so their focus, while others appear above them.
	return createElement(Fragment, null, ...of.map((spec) => fieldOf(spec, entered)));
}

function fieldOf(spec: FieldSpec, entered: Entered): ReactNode {
	if (typeof spec === "function") return createElement(spec);
	if (isColumns(spec)) {
		const fields = spec.map((one) => fieldOf(one, entered));
		return fields.some(Boolean) ? createElement("div", { className: "columns" }, ...fields) : null;
	}
	const options = typeof spec === "string" ? { name: spec } : spec;
	return options.when?.(entered) === false ? null : <Input {...options} />;
}

/** The field of a value. Its type, choices and bounds come from the schema, its label and hint from the texts. */
export function Input({ when: _, kind: chosen, ...options }: FieldOptions) {
	const { schema, texts } = useForm();
	const { name, unit, placeholder, autoComplete } = options;
	const found = at(schema, name);
	const kind = chosen ?? (found && inputKind(found));
	if (!kind) throw new Error(`The field '${name}' has neither a schema nor a kind.`);
	const hint = options.hint ?? textOf(texts, name, "Hint");
	const field = {
		name,
		label: options.label ?? textOf(texts, name) ?? name,
		...(hint && { hint }),
		isRequired: options.isRequired ?? isRequired(schema, name),
	};
	if (options.from !== undefined) return <IdField {...field} from={options.from} prefix={options.prefix ?? ""} />;
	switch (kind) {
		case "checkbox":
			return <CheckboxField {...field} />;
		case "number":
			return <NumberField {...field} unit={unit} />;
		case "integer":
			return <NumberField {...field} unit={unit} step={1} />;
		case "day":
			return <DayField {...field} />;
		case "lines":
			return <LinesField {...field} />;
		case "select":
			return <Select {...options} field={field} />;
		case "rows":
			return (
				<RowsField {...field} add={options.add ?? words.create} newRow={options.newRow ?? {}}>
					{() => <Fields of={options.rows ?? []} />}
				</RowsField>
			);
		case "long":
			return <TextField {...field} isLong />;
		default:
			return <TextField {...field} type={kind} placeholder={placeholder} autoComplete={autoComplete} />;
	}
}

function Select({ field, ...options }: FieldOptions & { readonly field: FieldProps }) {
	const { schema, texts, entered } = useForm();
	const { name } = field;
	const choices = choicesOf(at(schema, name));
	const isCurrency = choices.length === currencyOptions.length;
	const labels = isCurrency
		? currencyOptions
		: choices.map((value) => ({ value, label: textOf(texts, value) ?? statusText(value) }));
	const none = options.none ?? textOf(texts, name, "None") ?? (entered[name] === undefined ? "–" : undefined);
	return <SelectField {...field} options={options.options ?? labels} none={none} />;
}

/** Returns the text of a nested value by its last name, where it has none of its own. */
function textOf(texts: FormTexts, name: string, ending = ""): string | undefined {
	const found = texts[`${name}${ending}`] ?? texts[`${name.split(".").at(-1)}${ending}`];
	return typeof found === "string" ? found : undefined;
}
