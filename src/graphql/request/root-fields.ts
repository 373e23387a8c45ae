import {
	type DocumentNode,
	type FieldNode,
	GraphQLIncludeDirective,
	GraphQLSkipDirective,
	getDirectiveValues,
	Kind,
	type OperationDefinitionNode,
	type SelectionNode,
	type SelectionSetNode,
} from "graphql";

type Values = Readonly<Record<string, unknown>>;

/**
 * What an operation asks for at its root, by response keys, in the order in which they stand: fragments written out, skipped
 * fields left out, and a field that is written several times once, with all that is selected of it.
 */
export function rootFieldsOf(
	document: DocumentNode,
	{ selectionSet }: OperationDefinitionNode,
	variables: Values,
): ReadonlyMap<string, readonly FieldNode[]> {
	const fields = new Map<string, FieldNode[]>();
	const spread = new Set<string>();
	const fragmentOf = (name: string): SelectionSetNode | undefined =>
		document.definitions
			.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
			.find((fragment) => fragment.name.value === name)?.selectionSet;
	const collect = ({ selections }: SelectionSetNode): void => {
		for (const selection of selections.filter((each) => isIncluded(each, variables))) {
			if (selection.kind === Kind.FIELD) {
				const key = (selection.alias ?? selection.name).value;
				fields.set(key, [...(fields.get(key) ?? []), selection]);
			} else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
			else if (!spread.has(selection.name.value)) {
				spread.add(selection.name.value);
				const fragment = fragmentOf(selection.name.value);
				if (fragment) collect(fragment);
			}
		}
	};
	collect(selectionSet);
	return fields;
}

const isIncluded = (selection: SelectionNode, variables: Values): boolean =>
	getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if !== true &&
	getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false;
