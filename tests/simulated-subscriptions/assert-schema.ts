import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** Every request of a history must match the schema of the wire. */
export function assertSchema<Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> {
	if (!Value.Check(schema, body)) throw new Error(JSON.stringify([...Value.Errors(schema, body)].slice(0, 3)));
	return body;
}
