/**
 * Our choice (docs/interface/http.md#bodies-and-responses): no body of the interface nests deeper than eight levels.
 * Recursion to sixty-four levels is safe.
 */
const nestingMax = 64;

/**
 * Bounds JSON before it is parsed: a value nested a hundred thousand levels deep would exhaust the stack of any code that walks
 * it, and an object of half a million keys would block the thread for as many microseconds. One instance bounds one body,
 * in as many texts as it has.
 */
export class JsonBounds {
	#values = 0;

	/** `valuesMax` counts the values in all lists and objects of the body. */
	constructor(private readonly valuesMax: number) {}

	/** Returns the limit that the body exceeds with this text, as a predicate of "the body"; undefined within the limits. */
	excessOf(text: string): string | undefined {
		let depth = 0;
		let inString = false;
		for (let at = 0; at < text.length; at += 1) {
			const character = text.charCodeAt(at);
			if (inString) {
				if (character === backslash) at += 1;
				else if (character === quote) inString = false;
				continue;
			}
			if (character === quote) inString = true;
			else if (character === braceOpen || character === bracketOpen) {
				depth += 1;
				if (depth > nestingMax) return `nests deeper than ${nestingMax} levels`;
			} else if (character === braceClose || character === bracketClose) depth -= 1;
			// Each list or object holds one value, and one more for each comma.
			if (character === comma || character === braceOpen || character === bracketOpen) {
				this.#values += 1;
				if (this.#values > this.valuesMax) return `holds more than ${this.valuesMax} values; send less at once`;
			}
		}
		return undefined;
	}
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [bracketOpen, bracketClose, braceOpen, braceClose] = [0x5b, 0x5d, 0x7b, 0x7d];
