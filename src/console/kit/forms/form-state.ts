import type { TSchema } from "@sinclair/typebox";
import { createContext, useContext } from "react";

/** The values of a form by the API's names. A nested value is named "address.city". */
export type Entered = Readonly<Record<string, unknown>>;

/** The texts of a form: the label of a field is `texts[name]`, its hint `texts[nameHint]`. */
export type FormTexts = Readonly<Record<string, unknown>>;

export interface FormState {
	readonly entered: Entered;
	readonly set: (name: string, value: unknown) => void;
	/** Returns the error of a field or of a value within it. */
	readonly wrong: (name: string) => string | undefined;
	readonly schema: TSchema | undefined;
	readonly texts: FormTexts;
}

export const FormContext = createContext<FormState | undefined>(undefined);

export function useForm(): FormState {
	const form = useContext(FormContext);
	if (!form) throw new Error("A field must be inside a form.");
	return form;
}

export const isWithin = (name: string, whole: string): boolean => name === whole || name.startsWith(`${whole}.`);
