import { Value } from "@sinclair/typebox/value";
import { byText } from "./rules.omit-empty";
import { type Catalogue, type CatalogueList, catalogueLists } from "./schema";

export type ChangeAction = "add" | "change" | "archive";

/** A changed place inside an entry. Undefined `before`: the value is new. Undefined `after`: it was removed. */
export interface FieldChange {
	/** For example, `charges.pricingModels[PER_UNIT seats].pricePeriods[MONTHLY].price`. */
	readonly path: string;
	readonly before?: unknown;
	readonly after?: unknown;
}

export interface Change {
	readonly action: ChangeAction;
	readonly list: CatalogueList;
	readonly id: string;
	readonly name: string;
	/** Empty except for "change". */
	readonly fields: readonly FieldChange[];
}

export interface Difference {
	readonly changes: readonly Change[];
	/** Entries of the environment that are not in the file and stay, because `prune` is not set. */
	readonly kept: readonly Pick<Change, "list" | "id" | "name">[];
}

type Entry = NonNullable<Catalogue[CatalogueList]>[number];

/** Returns the changes from `current` to `wanted`, both in canonical form. Equal catalogues have no difference. */
export function diff(current: Catalogue, wanted: Catalogue, options: { readonly prune: boolean }): Difference {
	const changes: Change[] = [];
	const missing: Difference["kept"][number][] = [];
	for (const list of catalogueLists) {
		const before = byId(current[list]);
		const after = byId(wanted[list]);
		for (const [id, entry] of after) {
			const old = before.get(id);
			const fields = old ? differences("", old, entry) : [];
			if (!old || fields.length > 0)
				changes.push({ action: old ? "change" : "add", list, id, name: nameOf(entry), fields });
		}
		// A missing list means no change, because a file may contain only a part of the catalogue.
		if (wanted[list] === undefined && !options.prune) continue;
		for (const [id, entry] of before) if (!after.has(id)) missing.push({ list, id, name: nameOf(entry) });
	}
	if (!options.prune) return { changes, kept: missing };
	return {
		changes: [...changes, ...missing.map((one) => ({ ...one, action: "archive" as const, fields: [] }))],
		kept: [],
	};
}

const byId = (entries: readonly Entry[] | undefined): Map<string, Entry> =>
	new Map((entries ?? []).map((entry) => [entry.id, entry]));

const nameOf = (entry: Entry): string => ("displayName" in entry ? entry.displayName : entry.name);

function differences(path: string, before: unknown, after: unknown): FieldChange[] {
	if (Value.Equal(before, after)) return [];
	if (isRecord(before) && isRecord(after) && !isAmount(before)) {
		const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
		return keys.flatMap((key) => differences(path === "" ? key : `${path}.${key}`, own(before, key), own(after, key)));
	}
	if (Array.isArray(before) && Array.isArray(after)) return elementDifferences(path, before, after);
	return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

/** Compares elements with names by name, and all others as a whole list. */
function elementDifferences(path: string, before: readonly unknown[], after: readonly unknown[]): FieldChange[] {
	const nameOf = [before, after].every((list) => named(list, elementName)) ? elementName : nameWithCurrency;
	const old = named(before, nameOf);
	const recent = named(after, nameOf);
	if (!old || !recent) return [{ path, before, after }];
	const names = [...new Set([...old.keys(), ...recent.keys()])].sort(byText);
	const found = names.flatMap((name) => differences(`${path}[${name}]`, old.get(name), recent.get(name)));
	// Without other differences, only the order differs.
	return found.length > 0 ? found : [{ path, before: [...old.keys()], after: [...recent.keys()] }];
}

/** Returns the elements by name; undefined unless every element has a unique name. */
function named(list: readonly unknown[], nameOf: typeof elementName): Map<string, unknown> | undefined {
	const elements = new Map<string, unknown>();
	for (const element of list) {
		const name = isRecord(element) ? nameOf(element) : undefined;
		if (name === undefined || elements.has(name)) return undefined;
		elements.set(name, element);
	}
	return elements;
}

/** Returns the name of a list element for readers: a pricing model, price period, entitlement, enum value or amount. */
function elementName(element: Readonly<Record<string, unknown>>): string | undefined {
	const { billingModel, billingPeriod, billingInterval, type, id, value, currency } = element;
	if (billingModel !== undefined) {
		const { billingCadence, featureId, currencyId, topUpCustomCurrencyId } = element;
		return words(billingModel, billingCadence, featureId, currencyId, topUpCustomCurrencyId);
	}
	if (billingPeriod !== undefined)
		return words(billingPeriod, intervalText(billingInterval), element.billingCountryCode);
	if (id !== undefined) return type === "CREDIT" ? words("credit", id) : words(id);
	if (element.field !== undefined) return undefined;
	return value === undefined && currency === undefined ? undefined : words(value, currency);
}

/** Price periods can differ by their currency alone. */
function nameWithCurrency(element: Readonly<Record<string, unknown>>): string | undefined {
	const { billingModel, billingPeriod } = element;
	const name = elementName(element);
	return billingModel === undefined && billingPeriod !== undefined && name !== undefined
		? words(name, currencyWithin(element))
		: name;
}

/** Returns the first currency inside a price period. */
function currencyWithin(value: unknown): string | undefined {
	if (Array.isArray(value)) return value.map(currencyWithin).find((currency) => currency !== undefined);
	if (!isRecord(value)) return undefined;
	return typeof value.currency === "string" ? value.currency : currencyWithin(Object.values(value));
}

const intervalText = (interval: unknown): string | undefined =>
	isRecord(interval) ? words(interval.count, interval.unit) : undefined;

const words = (...parts: readonly unknown[]): string => parts.filter((part) => part !== undefined).join(" ");

/** Reads own properties only: metadata may have a key such as `valueOf`, which every object inherits. */
const own = (record: Readonly<Record<string, unknown>>, key: string): unknown =>
	Object.hasOwn(record, key) ? record[key] : undefined;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Amounts are compared as a whole, because `10 usd → 9 eur` reads best. */
const isAmount = (value: Readonly<Record<string, unknown>>): boolean =>
	Object.keys(value).length === 2 && "amount" in value && "currency" in value;
