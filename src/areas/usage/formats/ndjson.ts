import type { Fault, ReadEvents } from "./body";
import { parseJson } from "./json";
import { linesMax } from "./schema";

/** An event on each line; empty lines count as lines and hold none. */
export function readLines(text: string): ReadEvents | Fault {
	const events: unknown[] = [];
	const lines: number[] = [];
	for (const [index, line] of text.split("\n").entries()) {
		if (line.trim() === "") continue;
		if (events.length === linesMax)
			return { fault: `body: holds more than ${linesMax} events; send them in several requests` };
		const event = parseJson(line);
		if (event === undefined) return { fault: `body, line ${index + 1}: is not valid JSON` };
		events.push(event);
		lines.push(index + 1);
	}
	if (events.length === 0) return { fault: "body: must hold an event on each line, and holds none" };
	return { events, placeOf: (index, path) => `body, line ${lines[index]}${path}` };
}
