import { inflateSync } from "node:zlib";

/** The objects of a PDF that this project made: enough of a reader for tests, no general one. */
interface PdfObject {
	readonly head: string;
	readonly stream: string;
}

function objectsOf(pdf: Buffer): Map<number, PdfObject> {
	const text = pdf.toString("latin1");
	const objects = new Map<number, PdfObject>();
	for (const found of text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)endobj/g)) {
		const body = found[2] ?? "";
		const at = body.indexOf("stream\n");
		const head = at < 0 ? body : body.slice(0, at);
		const raw = at < 0 ? "" : body.slice(at + 7, body.lastIndexOf("\nendstream"));
		const stream = head.includes("FlateDecode") ? inflateSync(Buffer.from(raw, "latin1")).toString("latin1") : raw;
		objects.set(Number(found[1]), { head, stream });
	}
	return objects;
}

const reference = (head: string, key: string): number => Number(new RegExp(`/${key} \\[?(\\d+) 0 R`).exec(head)?.[1]);

/** Glyph id → character, as the font's ToUnicode map says. */
function charactersOf(objects: Map<number, PdfObject>, font: PdfObject): Map<string, string> {
	const map = objects.get(reference(font.head, "ToUnicode"))?.stream ?? "";
	return new Map(
		[...map.matchAll(/<([0-9a-f]{4})><([0-9a-f]{4})>/g)].map(([, glyph = "", code = ""]) => [
			glyph,
			String.fromCharCode(Number.parseInt(code, 16)),
		]),
	);
}

/** The texts of each page, in the order of drawing. */
export function pageTexts(pdf: Buffer): string[][] {
	const objects = objectsOf(pdf);
	const resources = [...objects.values()].find(({ head }) => head.includes("/ProcSet"))?.head ?? "";
	const fonts = new Map(
		[...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = "", id]) => [name, objects.get(Number(id))]),
	);
	return [...objects.values()]
		.filter(({ head }) => /\/Type \/Page\b/.test(head))
		.map(({ head }) => {
			const content = objects.get(reference(head, "Contents"))?.stream ?? "";
			let characters = new Map<string, string>();
			return [...content.matchAll(/\/(F\d+) [\d.]+ Tf|\(((?:\\.|[^\\)])*)\) Tj|<([0-9a-f]+)> Tj/g)].flatMap(
				([, name, literal, hex]) => {
					if (name !== undefined) {
						const font = fonts.get(name);
						characters = font ? charactersOf(objects, font) : new Map();
						return [];
					}
					if (literal !== undefined)
						return [
							new TextDecoder("windows-1252").decode(Buffer.from(literal.replace(/\\([\\()])/g, "$1"), "latin1")),
						];
					return [(hex?.match(/.{4}/g) ?? []).map((glyph) => characters.get(glyph) ?? "?").join("")];
				},
			);
		});
}

/** The names of the fonts that are embedded in it. */
export const embeddedFonts = (pdf: Buffer): string[] =>
	[...objectsOf(pdf).values()]
		.filter(({ head }) => head.includes("/Type /FontDescriptor"))
		.map(({ head }) => /\/FontName \/(\S+)/.exec(head)?.[1] ?? "");
