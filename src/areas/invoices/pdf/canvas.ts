import type { Logo } from "../document/parties";
import type { Color, Command } from "./drawing";

export interface TextAt {
	readonly x: number;
	readonly y: number;
	readonly size: number;
	readonly bold?: boolean;
	readonly color?: Color;
	readonly align?: "left" | "right";
}

/** The position of the first content on a page after the first. */
const nextPageTop = 60;

/** Collects the commands of each page, and begins a page when something does not fit any more. */
export class Canvas {
	readonly pages: Command[][] = [[]];
	y = 0;
	/** Called at the top of each further page; a table repeats its header there. */
	onNewPage: (() => void) | undefined;
	/** Called at the end of a page, for the reserved space below the content. */
	onPageEnd: { readonly height: number; readonly draw: () => void } | undefined;
	readonly #bottom: number;

	constructor(bottom: number) {
		this.#bottom = bottom;
	}

	/** Returns the space that is left on the page. */
	get room(): number {
		return this.#bottom - this.y - (this.onPageEnd?.height ?? 0);
	}

	/** Begins a new page unless `height` still fits. Returns whether it did. */
	ensure(height: number): boolean {
		if (this.room >= height) return false;
		this.onPageEnd?.draw();
		this.pages.push([]);
		this.y = nextPageTop;
		this.onNewPage?.();
		return true;
	}

	text(text: string, { x, y, size, bold = false, color = "ink", align = "left" }: TextAt): void {
		if (text !== "") this.#add({ kind: "text", text, x, y, size, bold, color, align });
	}

	rule(x: number, y: number, width: number, color: Color, thickness = 0.6): void {
		this.#add({ kind: "rule", x, y, width, thickness, color });
	}

	box(x: number, y: number, width: number, height: number, radius: number, color: Color, filled: boolean): void {
		this.#add({ kind: "box", x, y, width, height, radius, color, filled });
	}

	picture(picture: Logo, x: number, y: number, width: number, height: number): void {
		this.#add({ kind: "picture", picture, x, y, width, height });
	}

	#add(command: Command): void {
		this.pages.at(-1)?.push(command);
	}
}
