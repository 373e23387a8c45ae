import type { TSchema } from "@sinclair/typebox";
import { Errors, type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { send } from "../../api";
import { words } from "../../messages/shared/words";
import { Problem } from "../problem";
import { type FieldSpec, Fields, namesOf } from "./form-fields";
import { type Entered, FormContext, type FormState, type FormTexts, isWithin } from "./form-state";
import { refused } from "./refusals";
import { at, isNullable } from "./schema";

type Body = Record<string, unknown>;

export interface FormProps {
	/** The operation below /api/v1, or a function that sends the body. */
	readonly to:
		| readonly [method: "POST" | "PUT" | "PATCH" | "DELETE", path: string]
		| ((body: Body) => Promise<unknown>);
	/** The API's schema of the body. The fields take their types, choices and bounds from it. */
	readonly schema?: TSchema;
	readonly texts?: FormTexts;
	readonly fields?: readonly FieldSpec[];
	/** The thing that the form edits: its values are entered, and an emptied nullable field is sent as null. */
	readonly edited?: object;
	readonly initial?: Entered;
	/** Turns the values into the body, where they differ. */
	readonly body?: (entered: Body) => object;
	/** The label of the button. */
	readonly action?: string;
	/** Receives the `data` of the answer, or the result of the function. */
	readonly onDone?: (data: never) => void;
	readonly onCancel?: (() => void) | undefined;
	/** Stands above the fields. */
	readonly children?: ReactNode;
	readonly below?: ReactNode;
}

/** Checks the values by the API's schema, sends them, and shows errors at their fields. Reads all data again when it has succeeded. */
export function Form({
	to,
	schema,
	texts = words,
	fields = [],
	edited,
	body,
	action,
	onDone,
	onCancel,
	...rest
}: FormProps) {
	const [entered, setEntered] = useState<Entered>(() => flat({ ...valuesOf(edited, fields), ...rest.initial }));
	const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
	const client = useQueryClient();
	const sending = useMutation({
		mutationFn: async (values: Body) => {
			if (typeof to === "function") return to(values);
			return (await send<{ data: unknown }>(...to, values)).data;
		},
		onSuccess: async (data) => {
			await client.invalidateQueries();
			onDone?.(data as never);
		},
	});
	const submit = (event: FormEvent) => {
		event.preventDefault();
		const values = nested(entered);
		const sent = body?.(values) ?? { ...(edited && schema && emptied(schema, fields, values)), ...values };
		const found = schema ? errorsOf(schema, sent, (name) => hasField(fields, name)) : {};
		setErrors(found);
		if (Object.keys(found).length === 0) sending.mutate(sent as Body);
	};
	const wrong = { ...errors, ...refused(sending.error) };
	const form: FormState = {
		entered,
		set: (name, value) => {
			setEntered((current) => ({ ...current, [name]: value }));
			sending.reset();
			setErrors((before) => Object.fromEntries(Object.entries(before).filter(([one]) => !isWithin(one, name))));
		},
		wrong: (name) => wrong[name] ?? Object.entries(wrong).find(([one]) => isWithin(one, name))?.[1],
		schema,
		texts,
	};
	return (
		<form onSubmit={submit} noValidate={schema !== undefined}>
			<FormContext value={form}>
				{rest.children}
				<Fields of={fields} />
				{rest.below}
			</FormContext>
			{errors[""] && (
				<p className="wrong" role="alert">
					{errors[""]}
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
					{action ?? (edited ? words.save : words.create)}
				</button>
			</footer>
		</form>
	);
}

/** The top-level fields of the form, as the thing has them. */
function valuesOf(edited: object | undefined, fields: readonly FieldSpec[]): Entered {
	const tops = new Set(namesOf(fields).map((name) => name.split(".")[0]));
	return Object.fromEntries(Object.entries(edited ?? {}).filter(([name, value]) => tops.has(name) && value !== null));
}

const emptied = (schema: TSchema, fields: readonly FieldSpec[], values: Body): Body =>
	Object.fromEntries(
		namesOf(fields)
			.map((name) => name.split(".")[0] ?? name)
			.filter((name) => values[name] === undefined && isNullable(at(schema, name)))
			.map((name) => [name, null]),
	);

function flat(value: Entered, before = ""): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, one]) =>
			typeof one === "object" && one !== null && !Array.isArray(one)
				? Object.entries(flat(one as Entered, `${before}${name}.`))
				: [[`${before}${name}`, one]],
		),
	);
}

/** Leaves empty values out. */
function nested(entered: Entered): Body {
	const body: Body = {};
	for (const [path, value] of Object.entries(entered)) {
		if (value === undefined || value === "") continue;
		const names = path.split(".");
		const last = names.pop() ?? path;
		let place = body;
		for (const [at, name] of names.entries()) {
			place[name] ??= /^\d+$/.test(names[at + 1] ?? last) ? [] : {};
			place = place[name] as Body;
		}
		place[last] = value;
	}
	return body;
}

/** Whether a field shows the error of the value. Components that the screen defines show their own errors. */
const hasField = (fields: readonly FieldSpec[], name: string): boolean =>
	fields.some((field) => typeof field === "function") ||
	namesOf(fields).some((one) => isWithin(one, name) || isWithin(name, one));

/** Errors by the names of the fields. An error of the whole body, or of a value without a field, has the name "". */
function errorsOf(schema: TSchema, body: unknown, isShown: (name: string) => boolean): Record<string, string> {
	const found: Record<string, string> = {};
	for (const error of Errors(schema, [], body)) {
		const name = error.path.slice(1).replaceAll("/", ".");
		if (name === "" || isShown(name)) found[name] ??= textOf(error);
		else found[""] ??= `${name}: ${textOf(error)}`;
	}
	return found;
}

function textOf({ type, schema }: ValueError): string {
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
