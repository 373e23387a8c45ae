import type { TSchema } from "@sinclair/typebox";
import { Errors, type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createContext, type FormEvent, type ReactNode, useContext, useId, useState } from "react";
import { words } from "../messages/shared/words";
import { Problem } from "./problem";
import { refused } from "./refusals";

/** What is entered, by the API's names; a part of a part is named "address.city". */
export type Entered = Readonly<Record<string, unknown>>;

export interface Form {
	readonly entered: Entered;
	readonly set: (name: string, value: unknown) => void;
	/** With it or a part of it; undefined where nothing is. */
	readonly wrong: (name: string) => string | undefined;
}

export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
	const form = useContext(FormContext);
	if (!form) throw new Error("A field stands in a form.");
	return form;
}

export interface FormProps {
	/** The API's own schema of the body: the form accepts what the API accepts. */
	readonly schema?: TSchema;
	readonly initial?: Entered;
	/** What the button says. */
	readonly action: string;
	readonly submit: (body: Record<string, unknown>) => Promise<unknown>;
	readonly onDone?: (answer: never) => void;
	readonly onCancel?: () => void;
	readonly children: ReactNode;
}

/** Checks by the API's schema, sends, and shows what the API says against it. What it has changed is read again. */
export function Form({ schema, initial = {}, action, submit, onDone, onCancel, children }: FormProps) {
	const [entered, setEntered] = useState<Entered>(() => flat(initial));
	const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
	const client = useQueryClient();
	const sending = useMutation({
		mutationFn: submit,
		onSuccess: async (answer) => {
			await client.invalidateQueries();
			onDone?.(answer as never);
		},
	});
	const send = (event: FormEvent) => {
		event.preventDefault();
		const body = nested(entered);
		const found = schema ? complaints(schema, body) : {};
		setWrong(found);
		if (Object.keys(found).length === 0) sending.mutate(body);
	};
	const found = { ...wrong, ...refused(sending.error) };
	const form: Form = {
		entered,
		set: (name, value) => {
			setEntered((current) => ({ ...current, [name]: value }));
			sending.reset();
			setWrong((before) => Object.fromEntries(Object.entries(before).filter(([one]) => !isWithin(one, name))));
		},
		wrong: (name) => found[name] ?? Object.entries(found).find(([one]) => isWithin(one, name))?.[1],
	};
	return (
		<form onSubmit={send} noValidate={schema !== undefined}>
			<FormContext value={form}>{children}</FormContext>
			{wrong[""] && (
				<p className="wrong" role="alert">
					{wrong[""]}
				</p>
			)}
			<Problem error={sending.error} />
			<footer>
				{onCancel && (
					<button type="button" onClick={onCancel}>
						{words.cancel}
					</button>
				)}
				<button type="submit" className="solid" disabled={sending.isPending}>
					{action}
				</button>
			</footer>
		</form>
	);
}

const isWithin = (name: string, whole: string): boolean => name === whole || name.startsWith(`${whole}.`);

function flat(value: Entered, before = ""): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, one]) =>
			typeof one === "object" && one !== null && !Array.isArray(one)
				? Object.entries(flat(one as Entered, `${before}${name}.`))
				: [[`${before}${name}`, one]],
		),
	);
}

/** What was left empty is not sent. */
function nested(entered: Entered): Record<string, unknown> {
	const body: Record<string, unknown> = {};
	for (const [path, value] of Object.entries(entered)) {
		if (value === undefined || value === "") continue;
		const names = path.split(".");
		const last = names.pop() ?? path;
		let place = body;
		for (const name of names) {
			place[name] ??= {};
			place = place[name] as Record<string, unknown>;
		}
		place[last] = value;
	}
	return body;
}

/** By the names of the fields; under "" what is about none of them. */
function complaints(schema: TSchema, body: unknown): Record<string, string> {
	const found: Record<string, string> = {};
	for (const error of Errors(schema, [], body)) {
		const name = error.path.slice(1).replaceAll("/", ".");
		found[name] ??= saying(error);
	}
	return found;
}

function saying({ type, schema }: ValueError): string {
	switch (type) {
		case ValueErrorType.ObjectRequiredProperty:
			return words.required;
		case ValueErrorType.StringMaxLength:
			return words.tooLong({ max: Number(schema.maxLength) });
		case ValueErrorType.StringMinLength:
			return words.tooShort({ min: Number(schema.minLength) });
		case ValueErrorType.NumberMaximum:
		case ValueErrorType.IntegerMaximum:
			return words.tooLarge({ max: Number(schema.maximum) });
		case ValueErrorType.NumberMinimum:
		case ValueErrorType.IntegerMinimum:
			return words.tooSmall({ min: Number(schema.minimum) });
		case ValueErrorType.Number:
		case ValueErrorType.Integer:
			return words.notANumber;
		default:
			return words.notAsExpected;
	}
}

/** What is said against a part of the form that is more than a field. */
export function Refused({ name }: { readonly name: string }) {
	const wrong = useForm().wrong(name);
	return wrong ? <p className="wrong">{wrong}</p> : null;
}

interface FieldProps {
	readonly name: string;
	readonly label: string;
	/** What a person must know to fill it in; below the field. */
	readonly hint?: ReactNode;
	readonly isRequired?: boolean;
}

interface Control {
	readonly id: string;
	readonly "aria-describedby": string | undefined;
	readonly "aria-invalid": true | undefined;
}

/** A label, a control of any kind, and what is wrong with it. */
export function Field({ name, label, hint, children }: FieldProps & { children: (control: Control) => ReactNode }) {
	const wrong = useForm().wrong(name);
	const id = useId();
	const said = wrong ?? hint;
	return (
		<div className="field">
			<label htmlFor={id}>{label}</label>
			{children({ id, "aria-describedby": said ? `${id}-said` : undefined, "aria-invalid": wrong ? true : undefined })}
			{said && (
				<p id={`${id}-said`} className={wrong ? "wrong" : "hint"}>
					{said}
				</p>
			)}
		</div>
	);
}

export interface TextFieldProps extends FieldProps {
	readonly type?: "text" | "email" | "password" | "url" | "date" | "datetime-local";
	readonly autoComplete?: string;
	readonly placeholder?: string;
	readonly isLong?: boolean;
}

export function TextField({ type = "text", autoComplete, placeholder, isLong, ...field }: TextFieldProps) {
	const { entered, set } = useForm();
	const { name, isRequired = false } = field;
	const value = String(entered[name] ?? "");
	return (
		<Field {...field}>
			{(control) =>
				isLong ? (
					<textarea
						{...control}
						name={name}
						rows={3}
						required={isRequired}
						value={value}
						onChange={(event) => set(name, event.target.value)}
					/>
				) : (
					<input
						{...control}
						name={name}
						type={type}
						required={isRequired}
						autoComplete={autoComplete ?? "off"}
						placeholder={placeholder}
						value={value}
						onChange={(event) => set(name, event.target.value)}
					/>
				)
			}
		</Field>
	);
}

export function NumberField({ step = "any", unit, ...field }: FieldProps & { step?: number | "any"; unit?: string }) {
	const { entered, set } = useForm();
	const { name, isRequired = false } = field;
	return (
		<Field {...field}>
			{(control) => (
				<span className="with-unit">
					<input
						{...control}
						name={name}
						type="number"
						step={step}
						required={isRequired}
						value={String(entered[name] ?? "")}
						onChange={({ target }) => set(name, target.value === "" ? undefined : target.valueAsNumber)}
					/>
					{unit && <span className="quiet">{unit}</span>}
				</span>
			)}
		</Field>
	);
}

export interface SelectFieldProps extends FieldProps {
	readonly options: readonly { readonly value: string; readonly label: string }[];
	/** What it says where nothing is chosen; left out, something always is. */
	readonly none?: string;
}

export function SelectField({ options, none, ...field }: SelectFieldProps) {
	const { entered, set } = useForm();
	const { name, isRequired = false } = field;
	return (
		<Field {...field}>
			{(control) => (
				<select
					{...control}
					name={name}
					required={isRequired}
					value={String(entered[name] ?? "")}
					onChange={(event) => set(name, event.target.value)}
				>
					{none !== undefined && <option value="">{none}</option>}
					{options.map(({ value, label }) => (
						<option key={value} value={value}>
							{label}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}

export function CheckboxField({ name, label, hint }: FieldProps) {
	const { entered, set } = useForm();
	const id = useId();
	return (
		<div className="field check">
			<input
				id={id}
				type="checkbox"
				name={name}
				checked={entered[name] === true}
				onChange={(event) => set(name, event.target.checked)}
			/>
			<label htmlFor={id}>{label}</label>
			{hint && <p className="hint">{hint}</p>}
		</div>
	);
}
