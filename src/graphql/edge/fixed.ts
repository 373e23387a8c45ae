import type { DocumentNode } from "graphql";
import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { Budget, costMax } from "../request/budget";
import { OperationContext } from "../request/context";

/** The whole price list may cost as much as four requests, because it is cached until the catalogue changes. */
const fixedCostMax = 4 * costMax;

/** Executes a fixed operation. Throws its first error. */
export type RunFixed = (
	work: Work,
	text: string,
	variables: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

let loaded: Promise<RunFixed> | undefined;

/** The first call loads the schema, as for `POST /graphql`. */
export function loadFixed(): Promise<RunFixed> {
	loaded ??= load();
	return loaded;
}

async function load(): Promise<RunFixed> {
	const { executeSync, parse } = await import("graphql");
	const { causeOf, throwAwaited } = await import("../request/errors");
	const { loadSchemas } = await import("../schema");
	const { shown: schema } = await loadSchemas();
	const documents = new Map<string, DocumentNode>();
	return (work, text, variableValues) => {
		const document = documents.get(text) ?? parse(text);
		documents.set(text, document);
		const contextValue = new OperationContext(work, new Budget(fixedCostMax), undefined, undefined, true);
		const { data, errors = [] } = executeSync({ schema, document, variableValues, contextValue });
		contextValue.assertWhole();
		throwAwaited(errors);
		const [error] = errors;
		if (error) throw causeOf(error);
		assert(data, "a result without errors has data");
		return data;
	};
}
