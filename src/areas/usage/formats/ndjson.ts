import { JsonBounds } from "../../../kernel/json-bounds";
import type { Fault, ReadEvents } from "./body";
import { DimensionNames } from "./dimension-names";
import { parseJson } from "./json";
import { emptyLinesMax, stepMax, valuesMaxOf } from "./limits";
import { linesMax } from "./schema";

/** Reads one event from each line. Empty lines count as lines and hold no event. Reads in steps. */
export function* readLines(text: string): Generator<void, ReadEvents | Fault> {
	const events: unknown[] = [];
	const lines: number[] = [];
	const bounds = new JsonBounds(valuesMaxOf.ndjson);
	const names = new DimensionNames();
	let number = 0;
	for (const line of linesOf(text)) {
		number += 1;
		if (number % stepMax === 0) yield;
		if (line.trim() === "") {
			if (number - events.length > emptyLinesMax)
				return { fault: `body: holds more than ${emptyLinesMax} empty lines; leave them out` };
			continue;
		}
		if (events.length === linesMax)
			return { fault: `body: holds more than ${linesMax} events; send them in several requests` };
		const excess = bounds.excessOf(line);
		if (excess !== undefined) return { fault: `body, line ${number}: the body ${excess}` };
		const event = parseJson(line);
		if (event === undefined) return { fault: `body, line ${number}: is not valid JSON` };
		const namesExcess = names.excessWith(event);
		if (namesExcess !== undefined) return { fault: `body, line ${number}: ${namesExcess}` };
		events.push(event);
		lines.push(number);
	}
	if (events.length === 0) return { fault: "body: must hold an event on each line, and holds none" };
	return { events, placeOf: (index, path) => `body, line ${lines[index]}${path}` };
}

/** Yields one line at a time: a body of line breaks alone has eight million. */
function* linesOf(text: string): Generator<string> {
	let from = 0;
	for (;;) {
		const end = text.indexOf("\n", from);
		if (end < 0) break;
		yield text.slice(from, end);
		from = end + 1;
	}
	yield text.slice(from);
}
