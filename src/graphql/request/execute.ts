import { type ExecutionArgs, type ExecutionResult, executeSync, type GraphQLError } from "graphql";
import { FileNotHere } from "../../kernel/storage/failures";
import type { OperationContext } from "./context";
import { causeOf } from "./errors";

/** Executes an operation in the transaction of its context. Throws when the result is incomplete, or a file must be awaited. */
export function executeIn(context: OperationContext, args: ExecutionArgs): ExecutionResult {
	const result = executeSync({ ...args, contextValue: context });
	context.assertWhole();
	throwAwaited(result.errors);
	return result;
}

/** A missing file is no error of a field: the operation is repeated when the file is here. */
function throwAwaited(errors: readonly GraphQLError[] = []): void {
	const awaited = errors.map(causeOf).find((cause) => cause instanceof FileNotHere);
	if (awaited) throw awaited;
}
