import { XMLParser } from "fast-xml-parser";
import { shorten } from "../../../kernel/errors";
import { refuse } from "./rules.statement";

const parser = new XMLParser({
	ignoreAttributes: false,
	attributeNamePrefix: "@",
	removeNSPrefix: true,
	parseTagValue: false,
	parseAttributeValue: false,
	processEntities: false,
	ignoreDeclaration: true,
});

/** An element as the parser returns it: its text, or its children and attributes by name. */
type Parsed = string | { readonly [name: string]: Parsed | readonly Parsed[] };

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** An element of a message, and the line on which it begins. */
export class XmlNode {
	constructor(
		readonly line: number,
		private readonly parsed: Parsed,
	) {}

	/** Parses an element that `scanXml` cut out, and returns a node that has it as its child. */
	static of(line: number, xml: string): XmlNode {
		const parsed: unknown = parser.parse(xml);
		return new XmlNode(line, parsed as Parsed);
	}

	children(name: string): XmlNode[] {
		if (typeof this.parsed === "string") return [];
		const among = this.parsed[name];
		if (among === undefined) return [];
		return (Array.isArray(among) ? among : [among]).map((one: Parsed) => new XmlNode(this.line, one));
	}

	/** Returns the first element at a path of names. */
	find(...path: readonly string[]): XmlNode | undefined {
		let node: XmlNode | undefined = this;
		for (const name of path) node = node?.children(name)[0];
		return node;
	}

	/** Returns the text of the first element at a path; undefined if there is none. */
	text(...path: readonly string[]): string | undefined {
		const node = this.find(...path);
		if (!node) return undefined;
		const own = typeof node.parsed === "string" ? node.parsed : node.parsed["#text"];
		return typeof own === "string" ? decodeEntities(own, this.line) : undefined;
	}

	attribute(name: string): string | undefined {
		if (typeof this.parsed === "string") return undefined;
		const value = this.parsed[`@${name}`];
		return typeof value === "string" ? value : undefined;
	}
}

/** Decodes the five entities of XML and the numbers of characters. Throws BadUserInput for any other entity. */
function decodeEntities(text: string, line: number): string {
	if (!text.includes("&")) return text;
	return text.replace(/&([^;&\s]{0,12});?/g, (all, name: string) => {
		const code = /^#([0-9]{1,7})$/.exec(name)?.[1] ?? /^#x([0-9A-Fa-f]{1,6})$/.exec(name)?.[1];
		if (code !== undefined) {
			const point = Number.parseInt(code, name.startsWith("#x") ? 16 : 10);
			if (point > 0 && point <= 0x10ffff) return String.fromCodePoint(point);
		}
		const character = entities[name];
		if (character === undefined || !all.endsWith(";"))
			throw refuse(line, `'${shorten(all)}' is no entity of XML; Tollgate resolves no others.`);
		return character;
	});
}
