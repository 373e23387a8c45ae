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
	const { causeOf } = await import("../request/errors");
	const { executeIn } = await import("../request/execute");
	const { loadSchemas } = await import("../schema");
	const { schema, documents } = await loadSchemas();
	return (work, text, variableValues) => {
		const { document } = documents.read(text);
		const context = new OperationContext(work, new Budget(fixedCostMax), undefined, undefined, true);
		const { data, errors = [] } = executeIn(context, { schema, document, variableValues });
		const [error] = errors;
		if (error) throw causeOf(error);
		assert(data, "a result without errors has data");
		return data;
	};
}
