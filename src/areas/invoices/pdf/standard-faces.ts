import { openFace } from "./faces";
import { shape } from "./shaping";

/** The faces that the PDF library draws by name, without embedding anything. They cover Windows-1252. */
export type StandardFace = "helvetica" | "helvetica-bold";

/** The characters of Windows-1252 beyond Latin-1. */
const winAnsiExtras = new Set([..."€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"].map((character) => character.charCodeAt(0)));

export const isWinAnsi = (code: number): boolean =>
	(code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff && code !== 0xad) || winAnsiExtras.has(code);

/** Arimo has the widths of Helvetica, except for these (Adobe's metrics of Helvetica and Helvetica-Bold). */
const helveticaWidths: ReadonlyMap<string, number> = new Map([
	["·", 278],
	["¯", 333],
	["±", 584],
	["÷", 584],
]);

const standardWidths: Readonly<Record<StandardFace, Map<number, number>>> = {
	helvetica: new Map(),
	"helvetica-bold": new Map(),
};

/** In thousandths of the font size. */
export function standardWidth(face: StandardFace, code: number): number {
	const known = standardWidths[face].get(code);
	if (known !== undefined) return known;
	const [glyph] = shape(openFace(face === "helvetica" ? "arimo" : "arimo-bold").font, [code], "ltr");
	const width = helveticaWidths.get(String.fromCharCode(code)) ?? glyph?.advance ?? 0;
	standardWidths[face].set(code, width);
	return width;
}
