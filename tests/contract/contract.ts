import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import operationsJson from "./operations.json";
import schemasJson from "./schemas.json";

/** JSON Schema, as far as the contract uses it. */
export interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly const?: unknown;
	readonly enum?: readonly unknown[];
	readonly format?: string;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: Schema | false;
	readonly items?: Schema;
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly minItems?: number;
}

export interface Operation {
	readonly id: string;
	readonly method: string;
	/** `/api/v1/plans/{id}` */
	readonly path: string;
	readonly query: Schema | null;
	readonly body: Schema | null;
	readonly response: Schema;
}

/** The cost in credits of a feature. */
const creditRate: Schema = { type: "object" };

const cursor: Schema = { anyOf: [{ type: "string" }, { type: "null" }] };

/**
 * Where our answers are the wider or the narrower ones on purpose, and why:
 * - cursors are always there and null at the ends (docs/interface/http.md), where the contract leaves them out;
 * - events answer an empty object (interface, endpoint 5), where the contract says nothing;
 * - an update of a plan answers its prices too, and one of a feature its meter: what the call itself may have set;
 * - the entitlement of a feature that costs credits shows its `creditRate` (docs/interface/entitlements.md).
 */
const definitions: Record<string, Schema> = {
	...(schemasJson.$defs as Record<string, Schema>),
	CursorPagination: { type: "object", properties: { next: cursor, prev: cursor }, required: ["next", "prev"] },
	EffectiveFeatureEntitlement: {
		...(schemasJson.$defs.EffectiveFeatureEntitlement as Schema),
		properties: {
			...schemasJson.$defs.EffectiveFeatureEntitlement.properties,
			creditRate: { type: "object" },
		} as NonNullable<Schema["properties"]>,
	},
};

const nothing: Schema = { type: "object", properties: {}, additionalProperties: false };
const charges: Schema = { type: "array", items: { $ref: "#/$defs/Charge" } };
const wider: Readonly<Record<string, Schema>> = {
	"events.report": nothing,
	"plans.update": widened("Plan", { charges, overageCharges: charges }),
	"v1Beta.customers.entitlements.check": {
		oneOf: (dataOf("v1Beta.customers.entitlements.check").oneOf ?? []).map((one) =>
			one.properties?.feature ? { ...one, properties: { ...one.properties, creditRate } } : one,
		),
	},
	"features.updateFeature": widened("Feature", { meter: { anyOf: [{ type: "object" }, { type: "null" }] } }),
};

export const operations: readonly Operation[] = (operationsJson as unknown as Operation[]).map((operation) => {
	const data = wider[operation.id];
	return data ? { ...operation, response: answerOf(data) } : operation;
});

function dataOf(id: string): Schema {
	const found = (operationsJson as unknown as Operation[]).find((one) => one.id === id);
	return found?.response.properties?.data ?? {};
}

function widened(name: string, more: NonNullable<Schema["properties"]>): Schema {
	const { properties = {}, required = [], ...schema } = definitions[name] ?? {};
	return { ...schema, properties: { ...properties, ...more }, required: [...required, ...Object.keys(more)] };
}

export function answerOf(data: Schema): Schema {
	return { type: "object", properties: { data }, required: ["data"] };
}

export function operation(id: string): Operation {
	const found = operations.find((one) => one.id === id);
	if (!found) throw new Error(`The contract has no operation '${id}'.`);
	return found;
}

/** `/plans/{planId}/entitlements` and `/plans/:id/entitlements/` name the same route. */
export const shapeOf = (path: string): string => path.replace(/\{[^}]+\}|:[^/]+/g, "{}").replace(/(.)\/$/, "$1");

/** The operation that a call is, literal segments before parameters; undefined when the contract has none. */
export function operationOf(method: string, path: string): Operation | undefined {
	const segments = path.split("/");
	const matching = operations.filter((one) => {
		const wanted = one.path.split("/");
		return (
			one.method === method &&
			wanted.length === segments.length &&
			wanted.every((segment, at) => segment.startsWith("{") || segment === segments[at])
		);
	});
	const parameters = ({ path: of }: Operation) => of.split("{").length;
	return matching.sort((one, other) => parameters(one) - parameters(other))[0];
}

export function resolve(schema: Schema): Schema {
	if (schema.$ref === undefined) return schema;
	const name = schema.$ref.replace(/^(schemas\.json)?#\/\$defs\//, "");
	const found = definitions[name];
	if (!found) throw new Error(`The contract has no schema '${name}'.`);
	return resolve(found);
}

/** The same schema, where every object that names its keys has no others: a surplus key shows as well as a missing one. */
function closed(schema: Schema): Schema {
	const each = (schemas: readonly Schema[]) => schemas.map(closed);
	return {
		...schema,
		// Also where it was taken out of the shared schemas to be compiled by itself.
		...(schema.$ref !== undefined && { $ref: schema.$ref.replace(/^#/, "schemas.json#") }),
		...(schema.properties && {
			properties: Object.fromEntries(Object.entries(schema.properties).map(([key, value]) => [key, closed(value)])),
			additionalProperties: false,
		}),
		...(schema.additionalProperties && { additionalProperties: closed(schema.additionalProperties) }),
		...(schema.items && { items: closed(schema.items) }),
		...(schema.anyOf && { anyOf: each(schema.anyOf) }),
		...(schema.oneOf && { oneOf: each(schema.oneOf) }),
	};
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
ajv.addSchema({
	$id: "schemas.json",
	$defs: Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, closed(schema)])),
});

const compiled = new Map<Schema, ValidateFunction>();

/** Returns the problems that an independent validator finds in a value; empty when there are none. */
export function faults(schema: Schema, value: unknown): string[] {
	let validate = compiled.get(schema);
	if (!validate) {
		validate = ajv.compile(closed(schema));
		compiled.set(schema, validate);
	}
	if (validate(value)) return [];
	return (validate.errors ?? []).map(
		({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`,
	);
}

/** `createdAt` is an object in the contract, and `createdAt[gt]` and its kin on the wire (docs/interface/http.md). */
export function queryKeys(query: Schema | null): string[] {
	return Object.entries(resolve(query ?? {}).properties ?? {}).flatMap(([key, schema]) => {
		const { properties } = resolve(schema);
		return properties ? Object.keys(properties).map((bound) => `${key}[${bound}]`) : [key];
	});
}

/** One place in a value, with the schema that stands there. */
export interface Place {
	readonly path: readonly (string | number)[];
	readonly schema: Schema;
	readonly value: unknown;
	/** A key that may not be left out. */
	readonly required: boolean;
}

export const isNullable = (schema: Schema): boolean => {
	const { type, anyOf } = resolve(schema);
	return [type].flat().includes("null") || (anyOf ?? []).some(isNullable);
};

/** Returns the schema of a value that is not null: of alternatives, the one that the value's discriminator names. */
export function settled(schema: Schema, value: unknown): Schema {
	const given = resolve(schema);
	const alternatives = (given.oneOf ?? given.anyOf)?.map(resolve).filter((one) => one.type !== "null");
	if (!alternatives) return given;
	const fitting = alternatives.find((one) => faults(one, value).length === 0) ?? alternatives[0];
	if (!fitting) throw new Error("A union without alternatives.");
	return settled(fitting, value);
}

/** Every place of a value, itself first. */
export function placesOf(schema: Schema, value: unknown, path: Place["path"] = [], required = true): Place[] {
	const here = settled(schema, value);
	const places: Place[] = [{ path, schema, value, required }];
	if (Array.isArray(value)) {
		const { items = {} } = here;
		return places.concat(value.flatMap((item, at) => placesOf(items, item, [...path, at])));
	}
	if (typeof value !== "object" || value === null) return places;
	return places.concat(
		Object.entries(value).flatMap(([key, inner]) => {
			const known = here.properties?.[key] ?? (here.additionalProperties || {});
			return placesOf(known, inner, [...path, key], here.required?.includes(key) ?? false);
		}),
	);
}

/** A value with every key that the schema knows, null nowhere, and of every union of a list's items one each. */
export function fullest(schema: Schema, hints: Readonly<Record<string, unknown>>, name = ""): unknown {
	const given = resolve(schema);
	if (name in hints && given.type !== "object") return hints[name];
	if (given.const !== undefined) return given.const;
	if (given.enum) return given.enum[0];
	const alternatives = (given.oneOf ?? given.anyOf)?.map(resolve).filter((one) => one.type !== "null");
	if (alternatives?.[0]) return fullest(alternatives[0], hints, name);
	const type = [given.type].flat().find((one) => one !== "null");
	switch (type) {
		case "object": {
			const keys = Object.entries(given.properties ?? {}).map(([key, one]) => [key, fullest(one, hints, key)]);
			if (given.additionalProperties) keys.push(["key", fullest(given.additionalProperties, hints, "key")]);
			return Object.fromEntries(keys);
		}
		case "array": {
			const items = resolve(given.items ?? {});
			return items.oneOf ? items.oneOf.map((one) => fullest(one, hints)) : [fullest(items, hints, name)];
		}
		case "string":
			return given.format === "date-time" ? "2026-02-01T00:00:00.000Z" : "text";
		case "number":
			return 1;
		case "boolean":
			return true;
		default:
			throw new Error(`No example for ${JSON.stringify(given)}.`);
	}
}

/** A copy with another value at one place; undefined takes the key away. */
export function changed(value: unknown, [key, ...rest]: Place["path"], to: unknown): unknown {
	if (key === undefined) return to;
	if (Array.isArray(value)) return value.map((item, at) => (at === key ? changed(item, rest, to) : item));
	const { [key]: inner, ...others } = value as Record<string | number, unknown>;
	const next = changed(inner, rest, to);
	return next === undefined ? others : { ...others, [key]: next };
}
