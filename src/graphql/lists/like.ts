/** One piece of a LIKE pattern: `%`, `_`, or a literal character. */
type Piece = { readonly any: "run" | "one" } | { readonly literal: string };

/** `\%`, `\_` and `\\` are literal characters. Any other backslash is literal too. */
function piecesOf(pattern: string): Piece[] {
	const pieces: Piece[] = [];
	for (let at = 0; at < pattern.length; at += 1) {
		const character = pattern.charAt(at);
		const next = pattern.charAt(at + 1);
		if (character === "\\" && (next === "%" || next === "_" || next === "\\")) {
			pieces.push({ literal: next });
			at += 1;
		} else if (character === "%") pieces.push({ any: "run" });
		else if (character === "_") pieces.push({ any: "one" });
		else pieces.push({ literal: character });
	}
	return pieces;
}

/** For `like`: SQLite's own LIKE ignores the case of ASCII letters, GLOB does not. */
export const globOf = (pattern: string): string =>
	piecesOf(pattern)
		.map((piece) => {
			if ("any" in piece) return piece.any === "run" ? "*" : "?";
			return /[*?[]/.test(piece.literal) ? `[${piece.literal}]` : piece.literal;
		})
		.join("");

/** For `iLike`, with `ESCAPE '\'`. */
export const likeOf = (pattern: string): string =>
	piecesOf(pattern)
		.map((piece) => {
			if ("any" in piece) return piece.any === "run" ? "%" : "_";
			return /[%_\\]/.test(piece.literal) ? `\\${piece.literal}` : piece.literal;
		})
		.join("");
