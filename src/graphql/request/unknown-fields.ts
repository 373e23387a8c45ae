import {
	type DocumentNode,
	doTypesOverlap,
	type FieldNode,
	type GraphQLField,
	type GraphQLObjectType,
	type GraphQLOutputType,
	type GraphQLSchema,
	getNamedType,
	isCompositeType,
	isObjectType,
	Kind,
	NoUnusedFragmentsRule,
	NoUnusedVariablesRule,
	OverlappingFieldsCanBeMergedRule,
	specifiedRules,
	TypeInfo,
	type TypeNode,
	type ValidationRule,
	visit,
	visitWithTypeInfo,
} from "graphql";
import type { OperationContext } from "./context";

/** Replaces a field that its object does not have. Always null. */
const absentField = "_absent";

/**
 * Gives an object the field that replaces its unknown fields. Execution and validation look it up by its name. It is not
 * enumerable, so introspection and suggestions of names do not list it.
 */
export function addAbsentField(object: GraphQLObjectType, type: GraphQLOutputType): void {
	const field: GraphQLField<object, OperationContext> = {
		...{ name: absentField, description: undefined, type, args: [], extensions: {} },
		...{ deprecationReason: undefined, astNode: undefined },
		resolve(_, __, context) {
			context.mayAnswer();
			return null;
		},
	};
	Object.defineProperty(object.getFields(), absentField, { value: field });
}

/** The maximum number of listed unknown fields. */
const namedMax = 50;

/** An operation without unknown fields. */
export interface LenientDocument {
	readonly document: DocumentNode;
	/** The unknown fields as `Type.field` and `... on Type`. */
	readonly unknown: readonly string[];
}

/**
 * Replaces unknown fields, because later clients select fields that are not known here, and a strict server would refuse the
 * whole operation (docs/interface/graphql.md). An unknown field of an object becomes `_absent` under its own response key, and
 * a fragment on an unrelated type selects nothing. Root fields stay strict: null would look like a result. Undefined when the
 * schema knows all fields.
 */
export function lenientOf(schema: GraphQLSchema, document: DocumentNode): LenientDocument | undefined {
	const unknown = new Set<string>();
	const named = withKnownVariables(schema, document, unknown);
	const typeInfo = new TypeInfo(schema);
	const strangers = new Set(
		named.definitions.flatMap((node) =>
			node.kind === Kind.FRAGMENT_DEFINITION && !schema.getType(node.typeCondition.name.value) ? node.name.value : [],
		),
	);
	const roots: readonly unknown[] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
	const fits = (typeName: string): boolean => {
		const [parent, type] = [typeInfo.getParentType(), schema.getType(typeName)];
		if (!parent || (type && isCompositeType(type) && doTypesOverlap(schema, parent, type))) return true;
		unknown.add(`... on ${typeName}`);
		return false;
	};
	const lenient: DocumentNode = visit(
		named,
		visitWithTypeInfo(typeInfo, {
			Field(node) {
				const parent = typeInfo.getParentType();
				const isKnown = typeInfo.getFieldDef() && node.name.value !== absentField;
				if (!parent || isKnown || roots.includes(parent)) return undefined;
				unknown.add(`${parent.name}.${node.name.value}`);
				return isObjectType(parent) ? absent(node) : null;
			},
			InlineFragment: (node) => (!node.typeCondition || fits(node.typeCondition.name.value) ? undefined : null),
			FragmentSpread: (node) => (strangers.has(node.name.value) ? null : undefined),
			FragmentDefinition(node) {
				if (!strangers.has(node.name.value)) return undefined;
				unknown.add(`... on ${node.typeCondition.name.value}`);
				return null;
			},
			SelectionSet: {
				leave: (node) => (node.selections.length > 0 ? undefined : { ...node, selections: [typeName] }),
			},
		}),
	);
	return unknown.size === 0 ? undefined : { document: lenient, unknown: [...unknown].slice(0, namedMax) };
}

/**
 * Two releases have two names for the type of one argument (docs/interface/graphql.md). A variable of an unknown type gets the
 * type of its first place, which checks its value. Validation checks its other places.
 */
function withKnownVariables(schema: GraphQLSchema, document: DocumentNode, unknown: Set<string>): DocumentNode {
	const strangers = new Set(
		document.definitions.flatMap((node) =>
			node.kind === Kind.OPERATION_DEFINITION
				? (node.variableDefinitions ?? [])
						.filter(({ type }) => !schema.getType(nameOf(type)))
						.map(({ variable }) => variable.name.value)
				: [],
		),
	);
	if (strangers.size === 0) return document;
	const expected = new Map<string, string>();
	const typeInfo = new TypeInfo(schema);
	visit(
		document,
		visitWithTypeInfo(typeInfo, {
			Variable({ name: { value } }) {
				const type = typeInfo.getInputType();
				if (type && strangers.has(value) && !expected.has(value)) expected.set(value, getNamedType(type).name);
			},
		}),
	);
	return visit(document, {
		VariableDefinition(node) {
			const name = expected.get(node.variable.name.value);
			if (name === undefined || schema.getType(nameOf(node.type))) return undefined;
			unknown.add(`$${node.variable.name.value}: ${nameOf(node.type)}`);
			return { ...node, type: renamed(node.type, name) };
		},
	});
}

const nameOf = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type));

function renamed<Type extends TypeNode>(type: Type, name: string): Type {
	if (type.kind === Kind.NAMED_TYPE) return { ...type, name: { ...type.name, value: name } };
	return { ...type, type: renamed(type.type, name) };
}

const absent = ({ name, alias, directives }: FieldNode): FieldNode => ({
	kind: Kind.FIELD,
	alias: alias ?? name,
	name: { kind: Kind.NAME, value: absentField },
	...(directives && { directives }),
});

/** Replaces a selection of unknown fields only. */
const typeName: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } };

const tooStrict: ReadonlySet<ValidationRule> = new Set<ValidationRule>([
	// Their uses were removed.
	NoUnusedVariablesRule,
	NoUnusedFragmentsRule,
	// Under one response key, a union's member can have a field that another member does not have.
	OverlappingFieldsCanBeMergedRule,
]);

export const lenientRules = specifiedRules.filter((rule) => !tooStrict.has(rule));
