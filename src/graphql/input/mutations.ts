import type { Static, TSchema } from "@sinclair/typebox";
import type { Work } from "../../kernel/work";
import type { TransactionalMutation } from "../area";
import { byRefId, NoBody, type Operation, operation } from "./operation";

type Answer = object | string | null;

interface Resource extends Pick<Operation<TSchema, "id">, "scope" | "params" | "dropsNulls" | "read"> {
	/** The type of the answers, in the schema language. */
	readonly returns: string;
	/** The member of the inputs that is the `{id}` of the REST routes; `refId` when left out. */
	readonly path?: Readonly<Record<string, "id">>;
	/** The input of the mutations that take nothing but the id; `ByRefIdInput` when left out. */
	readonly input?: string;
}

type More = Partial<Omit<Resource, "path">> & Pick<Operation<TSchema, "id">, "comment" | "limitedBy" | "under">;

/** The mutations of a resource, which do what its REST routes do. */
export function mutationsOf({ returns: type, input: byId = "ByRefIdInput", path = byRefId, ...shared }: Resource) {
	const declared = (input: string, { returns = type, input: _, ...more }: More) => ({
		...{ ...shared, ...more },
		signature: `(input: ${input}!): ${returns}`,
	});
	return {
		/** As `POST /things`. */
		create: <Body extends TSchema>(
			input: string,
			body: Body,
			run: (work: Work, body: Static<Body>) => Answer,
			more: More = {},
		): TransactionalMutation => operation({ ...declared(input, more), body, run }),
		/** As `PATCH /things/{id}`. */
		change: <Body extends TSchema>(
			input: string,
			body: Body,
			run: (work: Work, id: string, body: Static<Body>) => Answer,
			more: More = {},
		): TransactionalMutation =>
			operation({ ...declared(input, more), path, body, run: (work, content, { id }) => run(work, id, content) }),
		/** As `POST /things/{id}/verb`, without a body. */
		act: (run: (work: Work, id: string) => Answer, more: More = {}): TransactionalMutation =>
			operation({
				...{ ...declared(more.input ?? byId, more), path, body: NoBody },
				run: (work, _, { id }) => run(work, id),
			}),
	};
}
