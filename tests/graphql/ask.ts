import type { CallOptions, World } from "../support/world";

export type Variables = Readonly<Record<string, unknown>>;

/** Sends one operation and answers the body; every answer of this endpoint is 200, so that is insisted on here. */
export async function ask(
	{ call }: Pick<World, "call">,
	query: string,
	variables?: Variables,
	options: CallOptions = {},
) {
	const { status, body } = await call("POST", "/graphql", {
		...options,
		body: { query, ...(variables && { variables }) },
	});
	if (status !== 200) throw new Error(`GraphQL answered ${status}: ${JSON.stringify(body)}`);
	return body;
}

/** The data of an operation that must succeed. */
export async function data(
	world: Pick<World, "call">,
	query: string,
	variables?: Variables,
	options: CallOptions = {},
) {
	const body = await ask(world, query, variables, options);
	if (body.errors) throw new Error(JSON.stringify(body.errors));
	return body.data;
}

/** The codes of all errors, in order. */
export const codes = (body: { errors?: readonly { extensions: { code: string } }[] }): string[] =>
	(body.errors ?? []).map(({ extensions }) => extensions.code);

export const nodes = <Node>(connection: { edges: readonly { node: Node }[] }): Node[] =>
	connection.edges.map(({ node }) => node);
