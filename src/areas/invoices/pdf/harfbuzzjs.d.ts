/** The part of the library's interface that Tollgate uses; it comes without types. */
declare module "harfbuzzjs/hb.js" {
	export interface HarfBuzzModule {
		readonly wasmExports: WebAssembly.Exports;
	}
	const createHarfBuzz: (options: { readonly wasmBinary: Uint8Array }) => Promise<HarfBuzzModule>;
	export default createHarfBuzz;
}

declare module "harfbuzzjs/hbjs.js" {
	import type { HarfBuzzModule } from "harfbuzzjs/hb.js";

	export interface Destroyable {
		destroy(): void;
	}
	export type Blob = Destroyable;
	export interface Face extends Destroyable {
		/** The code points that the face has glyphs for, ascending; a view of HarfBuzz's memory. */
		collectUnicodes(): Uint32Array;
	}
	export interface Font extends Destroyable {
		setScale(x: number, y: number): void;
		glyphHAdvance(glyph: number): number;
	}
	export interface Buffer extends Destroyable {
		addCodePoints(codes: readonly number[]): void;
		/** Takes an ISO 15924 code. */
		setScript(script: string): void;
		/** Sets what is not set yet by the characters. */
		guessSegmentProperties(): void;
		setDirection(direction: "ltr" | "rtl"): void;
		json(): ReadonlyArray<{
			/** The glyph. */
			readonly g: number;
			/** The cluster: the position of the first code point that the glyph belongs to. */
			readonly cl: number;
			/** Advance and offsets. */
			readonly ax: number;
			readonly dx: number;
			readonly dy: number;
		}>;
	}
	export interface HarfBuzz {
		createBlob(bytes: Uint8Array): Blob;
		createFace(blob: Blob, index: number): Face;
		createFont(face: Face): Font;
		createBuffer(): Buffer;
		shape(font: Font, buffer: Buffer): void;
	}
	const hbjs: (module: HarfBuzzModule) => HarfBuzz;
	export default hbjs;
}

/** Embedded in the executable; the import is the path to read it from. */
declare module "harfbuzzjs/hb.wasm" {
	const path: string;
	export default path;
}

declare module "harfbuzzjs/hb-subset.wasm" {
	const path: string;
	export default path;
}
