import { type ReactNode, useId } from "react";
import { words } from "../../messages/shared/words";
import { type FieldProps, PartError } from "./fields";
import { FormContext, useForm } from "./form-state";
import { plain, at as schemaAt } from "./schema";

interface CheckListProps<Value> {
	/** The value of the form whose error is shown. */
	readonly name: string;
	readonly legend: string;
	readonly hint?: string;
	readonly options: readonly { readonly value: Value; readonly label: ReactNode; readonly text?: string }[];
	readonly chosen: readonly Value[];
	readonly onChange: (chosen: readonly Value[]) => void;
}

/** A list of checkboxes. */
export function CheckList<Value extends string | number>({
	name,
	legend,
	hint,
	options,
	chosen,
	onChange,
}: CheckListProps<Value>) {
	const id = useId();
	return (
		<fieldset className="options">
			<legend>{legend}</legend>
			{hint && <p className="hint">{hint}</p>}
			{options.map(({ value, label, text }) => (
				<div key={value} className="field check">
					<input
						{...{ id: `${id}-${value}`, type: "checkbox", checked: chosen.includes(value) }}
						onChange={({ target }) =>
							onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
						}
					/>
					<label htmlFor={`${id}-${value}`}>{label}</label>
					{text && <p className="hint">{text}</p>}
				</div>
			))}
			<PartError name={name} />
		</fieldset>
	);
}

type Row = Readonly<Record<string, unknown>>;

interface RowsFieldProps extends FieldProps {
	/** The label of the button that adds a row. */
	readonly add: string;
	readonly newRow: Row;
	/** The fields of a row, by their names in it. */
	readonly children: (row: Row, index: number) => ReactNode;
}

/** A list of rows, each with fields of its own. */
export function RowsField({ name, label, hint, add, newRow, children }: RowsFieldProps) {
	const form = useForm();
	const schema = schemaAt(form.schema, name);
	const rows = (form.entered[name] ?? []) as readonly Row[];
	const change = (next: readonly Row[]) => form.set(name, next);
	return (
		<fieldset className="options">
			<legend>{label}</legend>
			{hint && <p className="hint">{hint}</p>}
			{rows.map((row, at) => (
				<FormContext
					// biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position.
					key={at}
					value={{
						...form,
						entered: row,
						set: (field, value) => change(rows.map((one, index) => (index === at ? changed(one, field, value) : one))),
						wrong: (field) => form.wrong(`${name}.${at}.${field}`),
						schema: plain(schema)?.items,
					}}
				>
					<div className="row">
						{children(row, at)}
						<button
							type="button"
							className="bare small"
							aria-label={words.removeRow({ label, at: at + 1 })}
							onClick={() => change(rows.filter((_, index) => index !== at))}
						>
							{words.remove}
						</button>
					</div>
				</FormContext>
			))}
			<div>
				<button
					type="button"
					className="small"
					disabled={rows.length >= (plain(schema)?.maxItems ?? rowsMax)}
					onClick={() => change([...rows, newRow])}
				>
					{add}
				</button>
			</div>
		</fieldset>
	);
}

/** The limit of rows where the API has none. */
const rowsMax = 100;

/** Leaves empty values out. */
const changed = (row: Row, field: string, value: unknown): Row =>
	Object.fromEntries(Object.entries({ ...row, [field]: value }).filter(([, one]) => one !== "" && one !== undefined));
