import { isArabicMark } from "./arabic";

/**
 * The order in which a line of mixed scripts is drawn, left to right: the Unicode bidirectional algorithm (UAX 9) for one
 * line without explicit embeddings, which a name or a description does not carry (they are left out as invisible).
 */
type Direction = "L" | "R" | "AL" | "EN" | "AN" | "ES" | "ET" | "CS" | "NSM" | "WS" | "ON";

const within = (code: number, first: number, last: number): boolean => code >= first && code <= last;

const isHebrew = (code: number): boolean =>
	within(code, 0x0590, 0x05ff) || within(code, 0xfb1d, 0xfb4f) || within(code, 0x07c0, 0x085f);
const isArabic = (code: number): boolean =>
	within(code, 0x0600, 0x07bf) ||
	within(code, 0x0860, 0x08ff) ||
	within(code, 0xfb50, 0xfdff) ||
	within(code, 0xfe70, 0xfefc);
const isMark = (code: number): boolean =>
	within(code, 0x0300, 0x036f) ||
	within(code, 0x0591, 0x05bd) ||
	[0x05bf, 0x05c1, 0x05c2, 0x05c4, 0x05c5, 0x05c7].includes(code) ||
	isArabicMark(code);

export const isRightToLeft = (code: number): boolean => isHebrew(code) || isArabic(code);

const neutral = /[\p{P}\p{S}\p{Z}]/u;

function directionOf(code: number): Direction {
	if (within(code, 0x30, 0x39) || within(code, 0x06f0, 0x06f9)) return "EN";
	if (within(code, 0x0660, 0x0669) || code === 0x066b || code === 0x066c || code === 0x06dd) return "AN";
	if (isMark(code)) return "NSM";
	if (code === 0x060c) return "CS";
	if (code === 0x066a) return "ET";
	if (isHebrew(code)) return "R";
	if (isArabic(code)) return "AL";
	if (code === 0x2b || code === 0x2d || code === 0x2212) return "ES";
	if ([0x2c, 0x2e, 0x2f, 0x3a, 0xa0, 0x202f].includes(code)) return "CS";
	if ([0x23, 0x24, 0x25, 0xb0, 0xb1, 0x2030].includes(code) || within(code, 0xa2, 0xa5) || within(code, 0x20a0, 0x20cf))
		return "ET";
	const text = String.fromCodePoint(code);
	if (/\s/.test(text)) return "WS";
	return neutral.test(text) ? "ON" : "L";
}

const pairs = ["()", "[]", "{}"].map((pair): [number, number] => [pair.charCodeAt(0), pair.charCodeAt(1)]);
const closingOf: ReadonlyMap<number, number> = new Map(pairs);

const mirrored: ReadonlyMap<number, number> = new Map(
	[...pairs, ...["<>", "«»", "‹›"].map((pair): [number, number] => [pair.charCodeAt(0), pair.charCodeAt(1)])].flatMap(
		([open, close]): Array<[number, number]> => [
			[open, close],
			[close, open],
		],
	),
);

/** Code points in the order of the page, left to right; brackets are mirrored where they run right to left. */
export function visualOrder(codes: readonly number[]): number[] {
	if (!codes.some(isRightToLeft)) return [...codes];
	const directions = codes.map(directionOf);
	const firstStrong = directions.find((direction) => direction === "L" || direction === "R" || direction === "AL");
	const base = firstStrong === "L" || firstStrong === undefined ? 0 : 1;
	const levels = levelsOf(codes, directions, base);
	return reorder(codes, levels);
}

function levelsOf(codes: readonly number[], original: readonly Direction[], base: number): number[] {
	const directions = resolveWeak(original, base);
	const resolved = resolveNeutral(resolveBrackets(codes, directions, base), base);
	const levels = resolved.map((direction): number => {
		if (base === 0) return direction === "R" ? 1 : direction === "L" ? 0 : 2;
		return direction === "R" ? 1 : 2;
	});
	// L1: blanks at the end of the line go with the line.
	for (let at = original.length - 1; at >= 0 && original[at] === "WS"; at -= 1) levels[at] = base;
	return levels;
}

/** Rules W1 to W7: marks, numbers and what separates them. */
function resolveWeak(original: readonly Direction[], base: number): Direction[] {
	const side: Direction = base === 0 ? "L" : "R";
	const found = [...original];
	let strong: Direction = side;
	let previous: Direction = side;
	for (const [at, direction] of found.entries()) {
		let next: Direction = direction === "NSM" ? previous : direction;
		if (next === "EN" && strong === "AL") next = "AN";
		if (next === "L" || next === "R" || next === "AL") strong = next;
		found[at] = next;
		previous = next;
	}
	for (const [at, direction] of found.entries()) {
		if (direction === "AL") found[at] = "R";
		const [before, after] = [found[at - 1], found[at + 1]];
		const separates = direction === "CS" || (direction === "ES" && before === "EN");
		if (separates && before === after && (before === "EN" || before === "AN")) found[at] = before;
	}
	for (let at = 0; at < found.length; at += 1) {
		if (found[at] !== "ET") continue;
		let end = at;
		while (found[end] === "ET") end += 1;
		if (found[at - 1] === "EN" || found[end] === "EN") found.fill("EN", at, end);
		at = end - 1;
	}
	strong = side;
	return found.map((direction) => {
		if (direction === "L" || direction === "R") strong = direction;
		if (direction === "ES" || direction === "ET" || direction === "CS") return "ON";
		return direction === "EN" && strong === "L" ? "L" : direction;
	});
}

/** Numbers count as right to left where neutrals look at their surroundings. */
const strongSide = (direction: Direction | undefined): "L" | "R" | undefined => {
	if (direction === "L") return "L";
	return direction === "R" || direction === "EN" || direction === "AN" ? "R" : undefined;
};

/** Rule N0: a pair of brackets goes with the line when something inside does, else with what is inside and before it. */
function resolveBrackets(codes: readonly number[], directions: readonly Direction[], base: number): Direction[] {
	const side = base === 0 ? "L" : "R";
	const resolved = [...directions];
	for (const [open, close] of bracketPairs(codes, directions)) {
		const inside = resolved.slice(open + 1, close).map(strongSide);
		if (inside.every((direction) => direction === undefined)) continue;
		const before =
			resolved
				.slice(0, open)
				.map(strongSide)
				.findLast((direction) => direction !== undefined) ?? side;
		const chosen = inside.includes(side) ? side : before;
		resolved[open] = chosen;
		resolved[close] = chosen;
	}
	return resolved;
}

/** Positions of the pairs, in the order of their opening brackets. */
function bracketPairs(codes: readonly number[], directions: readonly Direction[]): Array<[number, number]> {
	const waiting: Array<{ at: number; closing: number }> = [];
	const pairs: Array<[number, number]> = [];
	for (const [at, code] of codes.entries()) {
		if (directions[at] !== "ON") continue;
		const closing = closingOf.get(code);
		if (closing !== undefined) waiting.push({ at, closing });
		const match = waiting.findLastIndex((opened) => opened.closing === code);
		const opened = waiting[match];
		if (!opened) continue;
		pairs.push([opened.at, at]);
		waiting.length = match;
	}
	return pairs.sort(([one], [other]) => one - other);
}

/** Rules N1 and N2: what has no direction takes that of its surroundings when they agree, else the line's. */
function resolveNeutral(directions: readonly Direction[], base: number): Direction[] {
	const side: Direction = base === 0 ? "L" : "R";
	const resolved = [...directions];
	for (let at = 0; at < resolved.length; at += 1) {
		if (resolved[at] !== "ON" && resolved[at] !== "WS") continue;
		let end = at;
		while (resolved[end] === "ON" || resolved[end] === "WS") end += 1;
		const [before, after] = [strongSide(resolved[at - 1]) ?? side, strongSide(resolved[end]) ?? side];
		resolved.fill(before === after ? before : side, at, end);
		at = end - 1;
	}
	return resolved;
}

/** Rules L2 to L4: runs of each level are reversed, from the highest down; a mark stays behind the letter it stands on. */
function reorder(codes: readonly number[], levels: readonly number[]): number[] {
	let order = clusters(codes).map((cluster) => ({ ...cluster, level: levels[cluster.at] ?? 0 }));
	const highest = Math.max(...order.map(({ level }) => level));
	for (let level = highest; level >= 1; level -= 1) {
		const next: typeof order = [];
		let run: typeof order = [];
		for (const cluster of order) {
			if (cluster.level >= level) run.push(cluster);
			else {
				next.push(...run.reverse(), cluster);
				run = [];
			}
		}
		order = [...next, ...run.reverse()];
	}
	return order.flatMap(({ codes: own, level }) =>
		level % 2 === 1 ? own.map((code) => mirrored.get(code) ?? code) : own,
	);
}

function clusters(codes: readonly number[]): Array<{ at: number; codes: number[] }> {
	const found: Array<{ at: number; codes: number[] }> = [];
	for (const [at, code] of codes.entries()) {
		const last = found.at(-1);
		if (last && isMark(code)) last.codes.push(code);
		else found.push({ at, codes: [code] });
	}
	return found;
}
