import { fail } from "../kernel/errors";
import { HttpRefusal } from "./refusal";

/** Source: choices.md, HTTP. */
export const bodyBytesMax = 8 * 1024 * 1024;

/** Our choice: no body of the interface nests deeper than eight; sixty-four is far beyond it and safe to recurse on. */
const nestingMax = 64;

/** The body as text. Refuses what is too large by its announced length, or by its real one when none was announced. */
export async function readText(request: Request): Promise<string> {
	const tooLarge = () => new HttpRefusal(413, `The body is larger than ${bodyBytesMax} bytes; send it in parts.`);
	if (Number(request.headers.get("content-length") ?? 0) > bodyBytesMax) throw tooLarge();
	const text = await request.text();
	// A character is at most three bytes of UTF-8 here, so a short text needs no counting.
	if (text.length * 3 > bodyBytesMax && Buffer.byteLength(text) > bodyBytesMax) throw tooLarge();
	return text;
}

/** A body may be left out, with or without the content type; a body that is there must be JSON. */
export function assertJsonType(request: Request, text: string): void {
	if (text === "") return;
	const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
	if (type !== "application/json")
		throw fail("BadUserInput", `Send the body as 'application/json', not '${type ?? "without a content type"}'.`);
}

/** JSON text as a value; nothing at all counts as `{}` (semantics 1.2). */
export function parseJson(text: string): unknown {
	if (text.trim() === "") return {};
	assertShallow(text);
	try {
		return JSON.parse(text);
	} catch {
		// The parser's own message may quote the input; the refusal says only what is wrong.
		throw fail("BadUserInput", "The body is not valid JSON.");
	}
}

/** Looked at before parsing: a value nested a hundred thousand deep would exhaust the stack of whatever walks it. */
function assertShallow(text: string): void {
	let depth = 0;
	let inString = false;
	for (let at = 0; at < text.length; at += 1) {
		const character = text.charCodeAt(at);
		if (inString) {
			if (character === 0x5c) at += 1;
			else if (character === 0x22) inString = false;
		} else if (character === 0x22) inString = true;
		else if (character === 0x7b || character === 0x5b) {
			depth += 1;
			if (depth > nestingMax) throw fail("BadUserInput", `The body nests deeper than ${nestingMax} levels.`);
		} else if (character === 0x7d || character === 0x5d) depth -= 1;
	}
}
