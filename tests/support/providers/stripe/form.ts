/** The parameters of a request: texts, nested by brackets as in `metadata[ours]=a` and `expand[0]=customer`. */
export interface Params {
	readonly [name: string]: Param;
}
export type Param = string | Params;

/** Reads `application/x-www-form-urlencoded` text. Lists become objects with the keys 0, 1, …. */
export function readForm(text: string): Params {
	const root: Record<string, Param> = {};
	for (const [name, value] of new URLSearchParams(text)) {
		const path = [...name.matchAll(/[^[\]]+/g)].map(([part]) => part);
		// Arrays without a number, as `expand[]`, count up.
		if (name.endsWith("[]")) path.push("");
		let at = root;
		for (const [place, part] of path.entries()) {
			const key = part === "" ? `${Object.keys(at).length}` : part;
			if (place === path.length - 1) at[key] = value;
			else {
				const inner = at[key];
				const next: Record<string, Param> = typeof inner === "object" ? { ...inner } : {};
				at[key] = next;
				at = next;
			}
		}
	}
	return root;
}

export const text = (params: Params, name: string): string | undefined => {
	const value = params[name] ?? "";
	return typeof value === "string" && value !== "" ? value : undefined;
};

export const inner = (params: Params, name: string): Params => {
	const value = params[name];
	return typeof value === "object" ? value : {};
};

export const texts = (params: Params): Record<string, string> =>
	Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === "string"));

export const list = (params: Params, name: string): Param[] => Object.values(inner(params, name));
