/** One message of many: what each part says in plain JSON, and a text that goes with it as it is. */
export interface Part<Head> {
	readonly head: Head;
	readonly text: string;
}

/**
 * As strings, the first of which is the JSON of all heads: threads hand strings over at a third of what objects cost, and
 * a long text is not escaped.
 */
export const pack = <Head>(parts: ReadonlyArray<Part<Head>>): string[] => [
	JSON.stringify(parts.map(({ head }) => head)),
	...parts.map(({ text }) => text),
];

/** What `pack` was given at the other end: both ends are of one program, so it is what its type says. */
export function unpack<Head>(message: unknown): Array<Part<Head>> {
	const [heads = "[]", ...texts] = message as string[];
	return (JSON.parse(heads) as Head[]).map((head, at) => ({ head, text: texts[at] ?? "" }));
}
