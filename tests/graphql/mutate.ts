import type { Answer, CallOptions, World } from "../support/world";
import { ask, data } from "./ask";

/** A type as introspection shows it, with what it wraps. */
export interface TypeRef {
	readonly kind: string;
	readonly name: string | null;
	readonly ofType: TypeRef | null;
}

export interface InputField {
	readonly name: string;
	readonly type: TypeRef;
	readonly defaultValue: string | null;
}

interface ShownType {
	readonly name: string;
	readonly inputFields: readonly InputField[] | null;
	readonly enumValues: readonly { readonly name: string }[] | null;
	readonly fields: readonly { readonly name: string; readonly args: readonly InputField[] }[] | null;
}

const typeRef = "kind name ofType { kind name ofType { kind name ofType { kind name } } }";

/** The schema as callers see it, by the names of its types. */
export async function shownTypes(world: World): Promise<ReadonlyMap<string, ShownType>> {
	const { __schema: schema } = await data(
		world,
		`{ __schema { types { name inputFields { name defaultValue type { ${typeRef} } } enumValues { name }
			fields { name args { name defaultValue type { ${typeRef} } } } } } }`,
	);
	return new Map(schema.types.map((type: ShownType) => [type.name, type]));
}

export const nameOf = ({ name, ofType }: TypeRef): string => name ?? (ofType ? nameOf(ofType) : "");

/** The mutations, each with its input's type. */
export async function mutationInputs(world: World): Promise<ReadonlyMap<string, string>> {
	const fields = (await shownTypes(world)).get("Mutation")?.fields ?? [];
	return new Map(fields.map(({ name, args: [input] }) => [name, input ? nameOf(input.type) : ""]));
}

let inputs: ReadonlyMap<string, string> | undefined;

/** Sends one mutation, its input as a variable. */
export async function mutate(
	world: World,
	name: string,
	input: object,
	{ selection = "{ __typename }", ...options }: CallOptions & { readonly selection?: string } = {},
): Promise<Answer["body"]> {
	inputs ??= await mutationInputs(world);
	const query = `mutation ($input: ${inputs.get(name)}!) { ${name}(input: $input) ${selection} }`;
	return ask(world, query, { input }, options);
}

const spelt: Readonly<Record<string, (value: unknown) => unknown>> = {
	currency: (value) => String(value).toUpperCase(),
	meterType: (value) => ({ None: "None", FLUCTUATING: "Fluctuating", INCREMENTAL: "Incremental" })[`${value}`] ?? value,
	metadata: (value) => value,
};
const renamed: Readonly<Record<string, string>> = { id: "refId", metadata: "additionalMetaData" };

/** A REST body as the input that stands for it (docs/interface/graphql.md). */
export function inputOf(body: unknown): object {
	const spell = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(spell);
		if (typeof value !== "object" || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, inner]) => [
				renamed[key] ?? key,
				inner === null ? null : (spelt[key] ?? spell)(inner),
			]),
		);
	};
	return spell(body) as object;
}
