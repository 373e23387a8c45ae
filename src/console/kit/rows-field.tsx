import { type ReactNode, useState } from "react";
import { words } from "../messages/shared/words";
import { Field, FormContext, useForm } from "./form";

type Row = Readonly<Record<string, unknown>>;

interface RowsFieldProps {
	/** Of the list. */
	readonly name: string;
	readonly label: string;
	readonly hint?: ReactNode;
	/** What the button says that adds a row. */
	readonly add: string;
	readonly newRow: Row;
	readonly rowsMax?: number;
	/** The fields of one row, by their names in it. */
	readonly children: (row: Row, at: number) => ReactNode;
}

/** A list of parts in a form, each with fields of its own. */
export function RowsField({ name, label, hint, add, newRow, rowsMax = 100, children }: RowsFieldProps) {
	const form = useForm();
	const rows = (form.entered[name] ?? []) as readonly Row[];
	const change = (next: readonly Row[]) => form.set(name, next);
	return (
		<fieldset className="options">
			<legend>{label}</legend>
			{hint && <p className="hint">{hint}</p>}
			{rows.map((row, at) => (
				<FormContext
					// biome-ignore lint/suspicious/noArrayIndexKey: a row is what stands at its place.
					key={at}
					value={{
						entered: row,
						set: (field, value) => change(rows.map((one, index) => (index === at ? changed(one, field, value) : one))),
						wrong: (field) => form.wrong(`${name}.${at}.${field}`),
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
					disabled={rows.length >= rowsMax}
					onClick={() => change([...rows, newRow])}
				>
					{add}
				</button>
			</div>
		</fieldset>
	);
}

/** What was left empty is not sent. */
const changed = (row: Row, field: string, value: unknown): Row =>
	Object.fromEntries(Object.entries({ ...row, [field]: value }).filter(([, one]) => one !== "" && one !== undefined));

interface LinesFieldProps {
	readonly name: string;
	readonly label: string;
	readonly hint?: ReactNode;
}

/** A list of words, one a line. */
export function LinesField(props: LinesFieldProps) {
	const { entered, set } = useForm();
	const { name } = props;
	const [text, setText] = useState(() => ((entered[name] ?? []) as readonly string[]).join("\n"));
	return (
		<Field {...props}>
			{(control) => (
				<textarea
					{...control}
					name={name}
					rows={3}
					value={text}
					onChange={({ target }) => {
						setText(target.value);
						set(name, target.value.split(/[\s,]+/).filter(Boolean));
					}}
				/>
			)}
		</Field>
	);
}
