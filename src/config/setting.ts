import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** The error for an invalid setting. Its message has the name and the rule, never the value, which may be a secret. */
export class ConfigError extends Error {}

/** Options of a setting: its pattern, its description for `serve --help`, and in `expects` the rest of "NAME must be …". */
interface Said {
	readonly description: string;
	readonly default?: string;
}

/** A whole number between two bounds, as text: read it with `Number`. */
export const wholeNumber = (least: number, most: number, { unit, ...said }: Said & { readonly unit?: string }) =>
	Type.String({
		pattern: `^\\d{1,${String(most).length}}$`,
		...{ least, most },
		expects: `a number${unit === undefined ? "" : ` of ${unit}`} from ${least} to ${most}`,
		...said,
	});

/** `1` or `0`. */
export const flag = (said: Said) => Type.String({ pattern: "^[01]$", expects: "1 or 0", ...said });

export const numberIn = (text: string | undefined): number | undefined =>
	text === undefined ? undefined : Number(text);

const refusal = ({ properties }: TObject, name: string) =>
	new ConfigError(`${name} must be ${properties[name]?.expects ?? "set"}.`);

/** Validates a group of settings. */
export const refusalOf =
	<T extends TObject>(settings: T) =>
	(name: Extract<keyof T["properties"], string>): ConfigError =>
		refusal(settings, name);

/** Throws ConfigError for the first invalid setting. */
export function validated<T extends TObject>(settings: T, given: unknown): Static<T> {
	const wrong = Value.Check(settings, given)
		? Object.entries(settings.properties).find(([name, range]) => !isWithin(range, Number(given[name])))?.[0]
		: Value.Errors(settings, given).First()?.path.slice(1);
	if (wrong !== undefined) throw refusal(settings, wrong);
	return given as Static<T>;
}

const isWithin = ({ least, most }: TSchema, value: number): boolean => !(value < least || value > most);

/** The address of a server, such as https://billing.example.com; undefined for one with a path or a user. */
export function originIn(text: string): string | undefined {
	const url = URL.parse(text);
	const isPlain = url && /^https?:$/.test(url.protocol) && url.username === "" && `${url.origin}/` === url.href;
	return isPlain ? url.origin : undefined;
}
