import type { Logo } from "../document/parties";

/** The content of a page: plain values that the layout decides and the painter draws. Points, from the top left. */

export const colors = {
	ink: [23, 28, 36],
	muted: [98, 107, 120],
	line: [214, 219, 226],
	band: [245, 246, 248],
	good: [22, 121, 76],
	bad: [176, 42, 48],
} as const;
export type Color = keyof typeof colors;

export interface TextCommand {
	readonly kind: "text";
	readonly text: string;
	/** The start of the text; its end when `align` is "right"; the baseline. */
	readonly x: number;
	readonly y: number;
	readonly size: number;
	readonly bold: boolean;
	readonly color: Color;
	readonly align: "left" | "right";
}

export interface RuleCommand {
	readonly kind: "rule";
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly thickness: number;
	readonly color: Color;
}

export interface BoxCommand {
	readonly kind: "box";
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
	readonly radius: number;
	readonly color: Color;
	readonly filled: boolean;
}

export interface PictureCommand {
	readonly kind: "picture";
	readonly picture: Logo;
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

export type Command = TextCommand | RuleCommand | BoxCommand | PictureCommand;
export type Page = readonly Command[];
