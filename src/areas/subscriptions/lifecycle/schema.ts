import { Type } from "@sinclair/typebox";
import { literals } from "../../../kernel/schema";

/** Our addition: with `dryRun=true` nothing is saved, and the response is a preview. */
export const DryRunQuery = Type.Object(
	{ dryRun: Type.Optional(literals("true", "false")) },
	{ additionalProperties: false },
);
