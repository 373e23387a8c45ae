import { Value } from "@sinclair/typebox/value";
import { byText } from "./rules.omit-empty";
import { type Catalogue, type CatalogueList, catalogueLists } from "./schema";

export type ChangeAction = "add" | "change" | "archive";

/** One place inside an entry. `before` undefined: it was not stated; `after` undefined: it no longer is. */
export interface FieldChange {
	/** As `charges.pricingModels[PER_UNIT seats].pricePeriods[MONTHLY].price`. */
	readonly path: string;
	readonly before?: unknown;
	readonly after?: unknown;
}

export interface Change {
	readonly action: ChangeAction;
	readonly list: CatalogueList;
	readonly id: string;
	readonly name: string;
	/** Empty but for "change". */
	readonly fields: readonly FieldChange[];
}

export interface Difference {
	readonly changes: readonly Change[];
	/** What is there and not in the file, and stays, since nobody asked to prune. */
	readonly kept: readonly Pick<Change, "list" | "id" | "name">[];
}

type Entry = NonNullable<Catalogue[CatalogueList]>[number];

/** What turns `current` into `wanted`; both in canonical form. Equal catalogues have no difference. */
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
		// A list that is left out says nothing: a file may hold only a part of the catalogue.
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

/** Elements that have names are compared by name; all others as a whole list. */
function elementDifferences(path: string, before: readonly unknown[], after: readonly unknown[]): FieldChange[] {
	const old = named(before);
	const recent = named(after);
	if (!old || !recent) return [{ path, before, after }];
	const names = [...new Set([...old.keys(), ...recent.keys()])].sort(byText);
	const found = names.flatMap((name) => differences(`${path}[${name}]`, old.get(name), recent.get(name)));
	// The same elements in another order.
	return found.length > 0 ? found : [{ path, before: [...old.keys()], after: [...recent.keys()] }];
}

/** Undefined unless every element has a name of its own. */
function named(list: readonly unknown[]): Map<string, unknown> | undefined {
	const elements = new Map<string, unknown>();
	for (const element of list) {
		const name = isRecord(element) ? elementName(element) : undefined;
		if (name === undefined || elements.has(name)) return undefined;
		elements.set(name, element);
	}
	return elements;
}

/** What a reader calls an element of a list: a pricing model, a price period, an entitlement, an enum's value, an amount. */
function elementName(element: Readonly<Record<string, unknown>>): string | undefined {
	const { billingModel, billingPeriod, type, id, value, currency } = element;
	if (billingModel !== undefined) {
		const { billingCadence, featureId, currencyId, topUpCustomCurrencyId } = element;
		return words(billingModel, billingCadence, featureId, currencyId, topUpCustomCurrencyId);
	}
	if (billingPeriod !== undefined) return words(billingPeriod, element.billingCountryCode);
	if (id !== undefined) return type === "CREDIT" ? words("credit", id) : words(id);
	if (element.field !== undefined) return undefined;
	return value === undefined && currency === undefined ? undefined : words(value, currency);
}

const words = (...parts: readonly unknown[]): string => parts.filter((part) => part !== undefined).join(" ");

/** Metadata may have a key such as `valueOf`, which every object has by birth. */
const own = (record: Readonly<Record<string, unknown>>, key: string): unknown =>
	Object.hasOwn(record, key) ? record[key] : undefined;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** An amount of money reads best whole: 10 usd → 9 eur. */
const isAmount = (value: Readonly<Record<string, unknown>>): boolean =>
	Object.keys(value).length === 2 && "amount" in value && "currency" in value;
