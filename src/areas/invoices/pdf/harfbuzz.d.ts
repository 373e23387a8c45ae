/** What is used of the library, which comes without types. */
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
	export type Face = Destroyable;
	export interface Font extends Destroyable {
		setScale(x: number, y: number): void;
	}
	export interface Buffer extends Destroyable {
		addCodePoints(codes: readonly number[]): void;
		guessSegmentProperties(): void;
		json(): ReadonlyArray<{
			/** The glyph. */
			readonly g: number;
			/** The place of the first code point that it draws. */
			readonly cl: number;
			/** Advance and displacement. */
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
