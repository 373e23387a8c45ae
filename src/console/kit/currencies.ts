import { currencyCodes } from "../../kernel/money";
import { locale } from "../messages/language";

const names = new Intl.DisplayNames(locale, { type: "currency" });

/** The currencies as options, such as "EUR – Euro". */
export const currencyOptions = currencyCodes.map((code) => ({
	value: code,
	label: `${code.toUpperCase()} – ${names.of(code.toUpperCase())}`,
}));
