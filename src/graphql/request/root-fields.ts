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
 * The root fields of an operation by their response keys, in order: with expanded fragments, without skipped fields, and with
 * the selections of repeated fields merged.
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
