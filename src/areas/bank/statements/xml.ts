import { refuse, refuseCut } from "./rules.statement";

/** Our bounds: the messages of ISO 20022 nest about fifteen levels, and an entry without its details has some kilobytes. */
const depthMax = 32;
const tagMax = 16_384;
const pieceMax = 1024 * 1024;

/** A result of a scan: a start or an end of an element that the caller follows, or the whole text of an element that it cuts out. */
export type XmlPiece =
	| { readonly kind: "START" | "END"; readonly name: string; readonly line: number; readonly tag: string }
	| { readonly kind: "CUT"; readonly name: string; readonly line: number; readonly xml: string };

/** Decides by the names of an element and its ancestors whether to follow it, to cut it out whole, or to skip it. */
export type Follow = (path: readonly string[]) => "FOLLOW" | "CUT" | "SKIP";

/**
 * Scans XML once, in linear time and with bounded memory. It checks that tags are balanced, at most 32 deep. It rejects a DOCTYPE, and so all
 * declared entities. Throws BadUserInput with the line.
 */
export function* scanXml(texts: Iterable<string>, follow: Follow): Generator<XmlPiece> {
	const input = new Input(texts);
	const path: string[] = [];
	let cut: { readonly depth: number; readonly line: number } | undefined;
	let skipDepth = 0;
	let hasRoot = false;
	for (let token = input.next(cut !== undefined); token; token = input.next(cut !== undefined)) {
		const { text, line } = token;
		if (text.startsWith("<?") || text.startsWith("<!--") || text.startsWith("<![CDATA[")) continue;
		if (text.startsWith("<!")) throw refuse(line, "the file has a DOCTYPE, which Tollgate rejects. Remove it.");
		const name = nameOf(text, line);
		if (text.startsWith("</")) {
			if (path.at(-1) !== name)
				throw refuse(line, `</${name}> ends <${path.at(-1) ?? "nothing"}>; the file is damaged. Download it again.`);
			if (cut?.depth === path.length) {
				yield { kind: "CUT", name, line: cut.line, xml: input.endCut() };
				cut = undefined;
			} else if (!cut && skipDepth === 0) yield { kind: "END", name, line, tag: text };
			if (skipDepth === path.length) skipDepth = 0;
			path.pop();
			continue;
		}
		if (path.length === 0 && hasRoot) throw refuse(line, "the file has a second root element.");
		hasRoot = true;
		path.push(name);
		if (path.length > depthMax) throw refuse(line, `elements nest deeper than ${depthMax} levels.`);
		const isEmpty = text.endsWith("/>");
		if (!cut && skipDepth === 0) {
			const action = follow(path);
			if (action === "FOLLOW") {
				yield { kind: "START", name, line, tag: text };
				if (isEmpty) yield { kind: "END", name, line, tag: text };
			} else if (action === "CUT" && isEmpty) yield { kind: "CUT", name, line, xml: text };
			else if (action === "CUT") {
				input.startCut(text);
				cut = { depth: path.length, line };
			} else if (!isEmpty) skipDepth = path.length;
		}
		if (isEmpty) path.pop();
	}
	if (path.length > 0 || !hasRoot)
		throw refuseCut(input.line, path.length > 0 ? `</${path.at(-1)}>` : "the root element");
}

/** Returns the name of a tag without its prefix. */
function nameOf(tag: string, line: number): string {
	const name = /^<\/?(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)(?=[\s/>])/.exec(tag)?.[1];
	if (!name) throw refuse(line, "there is a '<' that begins no tag; the file is damaged.");
	return name;
}

/** Reads tags one after the other from texts that arrive in parts, and keeps the text of the element that is cut out. */
class Input {
	readonly #texts: Iterator<string>;
	#buffer = "";
	#at = 0;
	/** The position of the next line end, so that no text is searched twice. */
	#lineEnd = Number.POSITIVE_INFINITY;
	/** The parts of the element that is cut out, up to `#at`. */
	#kept: string[] = [];
	#keptLength = 0;
	line = 1;

	constructor(texts: Iterable<string>) {
		this.#texts = texts[Symbol.iterator]();
	}

	startCut(tag: string): void {
		this.#kept = [tag];
		this.#keptLength = tag.length;
	}

	endCut(): string {
		const xml = this.#kept.join("");
		this.#kept = [];
		return xml;
	}

	/** Returns the next tag, comment or section; undefined at the end. */
	next(isCut: boolean): { readonly text: string; readonly line: number } | undefined {
		let from = this.#buffer.indexOf("<", this.#at);
		while (from < 0) {
			this.#take(this.#buffer.length, isCut);
			if (!this.#more()) return undefined;
			from = this.#buffer.indexOf("<", this.#at);
		}
		this.#take(from, isCut);
		for (;;) {
			const end = endOf(this.#buffer, this.#at);
			if (end > 0) {
				const { line } = this;
				const text = this.#buffer.slice(this.#at, end);
				this.#take(end, isCut);
				return { text, line };
			}
			if (this.#buffer.length - this.#at > (isSection(this.#buffer, this.#at) ? pieceMax : tagMax))
				throw refuse(this.line, `a tag has more than ${tagMax} characters.`);
			if (!this.#more()) throw refuseCut(this.line, "the end of a tag");
		}
	}

	/** Moves on to `to`, counts the lines, and keeps the text of the element that is cut out. */
	#take(to: number, isCut: boolean): void {
		const { line } = this;
		for (; this.#lineEnd < to; this.#lineEnd = lineEndAfter(this.#buffer, this.#lineEnd + 1)) this.line += 1;
		if (isCut) {
			this.#keptLength += to - this.#at;
			if (this.#keptLength > pieceMax) throw refuse(line, `an element has more than ${pieceMax} characters.`);
			this.#kept.push(this.#buffer.slice(this.#at, to));
		}
		this.#at = to;
	}

	#more(): boolean {
		for (;;) {
			const { done, value } = this.#texts.next();
			if (done) return false;
			if (value === "") continue;
			this.#buffer = this.#buffer.slice(this.#at) + value;
			this.#at = 0;
			this.#lineEnd = lineEndAfter(this.#buffer, 0);
			return true;
		}
	}
}

function lineEndAfter(buffer: string, from: number): number {
	const at = buffer.indexOf("\n", from);
	return at < 0 ? Number.POSITIVE_INFINITY : at;
}

const isSection = (buffer: string, at: number): boolean => buffer.startsWith("<!", at) || buffer.startsWith("<?", at);

/** Returns the position after the tag, comment or section that begins at `at`; 0 if its end has not arrived. */
function endOf(buffer: string, at: number): number {
	// The longest opening has nine characters; until they have arrived, a section looks like a tag.
	if (buffer.startsWith("<!", at) && buffer.length - at < 9) return 0;
	if (buffer.startsWith("<!--", at)) return after(buffer, "-->", at + 4);
	if (buffer.startsWith("<![CDATA[", at)) return after(buffer, "]]>", at + 9);
	if (buffer.startsWith("<?", at)) return after(buffer, "?>", at + 2);
	let quote = "";
	for (let position = at + 1; position < buffer.length; position += 1) {
		const character = buffer[position];
		if (quote !== "") {
			if (character === quote) quote = "";
		} else if (character === ">") return position + 1;
		else if (character === '"' || character === "'") quote = character;
	}
	return 0;
}

function after(buffer: string, end: string, from: number): number {
	const at = buffer.indexOf(end, from);
	return at < 0 ? 0 : at + end.length;
}
