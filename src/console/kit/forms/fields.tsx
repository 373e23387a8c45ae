import { type HTMLInputTypeAttribute, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useForm } from "./form-state";

/** Shows the error of a part of the form that is more than one field. */
export function PartError({ name }: { readonly name: string }) {
	const wrong = useForm().wrong(name);
	return wrong ? <p className="wrong">{wrong}</p> : null;
}

export interface FieldProps {
	readonly name: string;
	readonly label: string;
	readonly hint?: ReactNode;
	readonly isRequired?: boolean;
}

interface Control {
	readonly id: string;
	readonly "aria-describedby": string | undefined;
	readonly "aria-invalid": true | undefined;
}

/** A label, any control, and its error or hint. */
export function Field({ name, label, hint, children }: FieldProps & { children: (control: Control) => ReactNode }) {
	const wrong = useForm().wrong(name);
	const id = useId();
	const note = wrong ?? hint;
	return (
		<div className="field">
			<label htmlFor={id}>{label}</label>
			{children({ id, "aria-describedby": note ? `${id}-note` : undefined, "aria-invalid": wrong ? true : undefined })}
			{note && (
				<p id={`${id}-note`} className={wrong ? "wrong" : "hint"}>
					{note}
				</p>
			)}
		</div>
	);
}

export interface TextFieldProps extends FieldProps {
	readonly type?: HTMLInputTypeAttribute;
	readonly autoComplete?: string | undefined;
	readonly placeholder?: string | undefined;
	readonly isLong?: boolean;
}

export function TextField({ type = "text", autoComplete = "off", placeholder, isLong, ...field }: TextFieldProps) {
	const { entered, set } = useForm();
	const { name, isRequired = false } = field;
	const shared = { name, required: isRequired, value: String(entered[name] ?? "") };
	return (
		<Field {...field}>
			{(control) =>
				isLong ? (
					<textarea {...control} {...shared} rows={3} onChange={({ target }) => set(name, target.value)} />
				) : (
					<input
						{...control}
						{...shared}
						{...{ type, autoComplete, placeholder }}
						onChange={({ target }) => set(name, target.value)}
					/>
				)
			}
		</Field>
	);
}

interface NumberFieldProps extends FieldProps {
	readonly step?: number | "any";
	readonly unit?: string | undefined;
}

export function NumberField({ step = "any", unit, ...field }: NumberFieldProps) {
	const { entered, set } = useForm();
	const { name, isRequired = false } = field;
	return (
		<Field {...field}>
			{(control) => (
				<span className="with-unit">
					<input
						{...control}
						{...{ name, step, required: isRequired, type: "number", value: String(entered[name] ?? "") }}
						onChange={({ target }) => set(name, target.value === "" ? undefined : target.valueAsNumber)}
					/>
					{unit && <span className="quiet">{unit}</span>}
				</span>
			)}
		</Field>
	);
}

export interface Option {
	readonly value: string;
	readonly label: string;
}

export interface OptionGroup {
	readonly name: string;
	readonly options: readonly Option[];
}

interface SelectFieldProps extends FieldProps {
	readonly options: readonly (Option | OptionGroup)[];
	/** The label of the empty choice. Without it one of the options is always chosen. */
	readonly none?: string | undefined;
}

export function SelectField({ options, none, ...field }: SelectFieldProps) {
	const { entered, set } = useForm();
	const { name, isRequired = false } = field;
	return (
		<Field {...field}>
			{(control) => (
				<select
					{...control}
					{...{ name, required: isRequired, value: String(entered[name] ?? "") }}
					onChange={({ target }) => set(name, target.value)}
				>
					{none !== undefined && <option value="">{none}</option>}
					<Options of={options} />
				</select>
			)}
		</Field>
	);
}

export const Options = ({ of }: { readonly of: readonly (Option | OptionGroup)[] }) =>
	of.map((one) =>
		"options" in one ? (
			<optgroup key={one.name} label={one.name}>
				<Options of={one.options} />
			</optgroup>
		) : (
			<option key={one.value} value={one.value}>
				{one.label}
			</option>
		),
	);

export function CheckboxField({ name, label, hint }: FieldProps) {
	const { entered, set } = useForm();
	const id = useId();
	return (
		<div className="field check">
			<input
				{...{ id, name, type: "checkbox", checked: entered[name] === true }}
				onChange={({ target }) => set(name, target.checked)}
			/>
			<label htmlFor={id}>{label}</label>
			{hint && <p className="hint">{hint}</p>}
		</div>
	);
}

/** A day, sent as the instant at which it begins in UTC. */
export function DayField(field: FieldProps) {
	const { entered, set } = useForm();
	const { name } = field;
	return (
		<Field {...field}>
			{(control) => (
				<input
					{...control}
					{...{ type: "date", value: String(entered[name] ?? "").slice(0, 10) }}
					onChange={({ target }) => set(name, target.value === "" ? undefined : `${target.value}T00:00:00Z`)}
				/>
			)}
		</Field>
	);
}

/** A list of words, one on each line. */
export function LinesField(field: FieldProps) {
	const { entered, set } = useForm();
	const { name } = field;
	const [text, setText] = useState(() => ((entered[name] ?? []) as readonly string[]).join("\n"));
	return (
		<Field {...field}>
			{(control) => (
				<textarea
					{...control}
					{...{ name, rows: 3, value: text }}
					onChange={({ target }) => {
						setText(target.value);
						set(name, target.value.split(/[\s,]+/).filter(Boolean));
					}}
				/>
			)}
		</Field>
	);
}

interface IdFieldProps extends FieldProps {
	/** The field that the ID is suggested from. */
	readonly from: string;
	readonly prefix: string;
}

/** An ID that follows another field until the person edits it. */
export function IdField({ from, prefix, ...field }: IdFieldProps) {
	const { entered, set } = useForm();
	const { name } = field;
	const suggested = useRef("");
	const next = suggestedId(prefix, String(entered[from] ?? ""));
	useEffect(() => {
		if ((entered[name] ?? "") !== suggested.current || next === suggested.current) return;
		suggested.current = next;
		set(name, next);
	});
	return <TextField {...field} />;
}

/** "Pro für Teams" with the prefix plan: plan-pro-fur-teams. */
function suggestedId(prefix: string, name: string): string {
	const ascii = name
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-|-$/g, "");
	return ascii && `${prefix}-${ascii}`;
}
